import { renderBody } from '#src/kit/body/render.ts'
import { withAddresses } from '#src/kit/body/shown.ts'
import { type Html, html } from '#src/kit/html.ts'
import { headingsFrom } from './markdown.ts'

/** The addresses of the files of a page by their ids. */
export type FileUrls = ReadonlyMap<string, string>

const MAX_TEXTS = 300

const rendered = new Map<string, string | undefined>()

const cleaned = (text: string, format: 'markdown' | 'html'): string | undefined => {
  const key = `${format} ${text}`
  if (rendered.has(key)) return rendered.get(key)
  const body = renderBody('page', text, format)
  const result = typeof body === 'string' ? undefined : body.body_html
  if (rendered.size >= MAX_TEXTS) rendered.clear()
  rendered.set(key, result)
  return result
}

// The policy of the site allows images of the school alone, so those from elsewhere are left out.
const withOwnImages = (sanitized: string): string => sanitized.replace(/<img src="(?!fil_)[^>]*>/g, '')

/** A text of a block as sanitized HTML with headings from a level on; nothing where it cannot be rendered. */
export const blockText = (level: number, text: string, format: 'markdown' | 'html', files: FileUrls): Html => {
  const sanitized = cleaned(text, format)
  if (sanitized === undefined) return html``
  return headingsFrom(level, withAddresses(withOwnImages(sanitized), id => files.get(id)))
}
