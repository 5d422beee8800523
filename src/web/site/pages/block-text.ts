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

// Two texts of a page may have headings of the same words; links lead to the heading of their own text.
const withDistinctIds = (sanitized: string, usedIds: Set<string>): string => {
  const renamed = new Map<string, string>()
  const headings = sanitized.replace(/(<h[1-6]) id="([^"]*)"/g, (_, start: string, id: string) => {
    let distinct = id
    for (let number = 2; usedIds.has(distinct); number += 1) distinct = `${id}-${number}`
    usedIds.add(distinct)
    renamed.set(id, distinct)
    return `${start} id="${distinct}"`
  })
  return headings.replace(
    /(<a href="#)([^"]*)"/g,
    (_, start: string, id: string) => `${start}${renamed.get(id) ?? id}"`,
  )
}

// What the texts of a page share: the addresses of its files, and the ids of the headings before.
type PageTexts = { readonly files: FileUrls; readonly usedIds: Set<string> }

/** A text of a block as sanitized HTML with headings from a level on; nothing where it cannot be rendered. */
export const blockText = (level: number, text: string, format: 'markdown' | 'html', page: PageTexts): Html => {
  const sanitized = cleaned(text, format)
  if (sanitized === undefined) return html``
  return headingsFrom(
    level,
    withAddresses(withOwnImages(withDistinctIds(sanitized, page.usedIds)), id => page.files.get(id)),
  )
}
