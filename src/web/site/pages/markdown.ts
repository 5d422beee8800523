import { renderBody } from '#src/kit/body/render.ts'
import { type Html, html } from '#src/kit/html.ts'

const MAX_TEXTS = 200

const rendered = new Map<string, Html>()

/** HTML that was sanitized, with its headings below the title of the page. */
export const belowTitle = (sanitized: string): Html => ({
  html: sanitized.replace(/<(\/?)h([1-5])(?=[ >])/g, (_, end: string, level: string) => `<${end}h${Number(level) + 1}`),
})

// These texts have no files of the school, and the policy of the site allows pictures from nowhere else.
const withoutImages = (sanitized: string): string => sanitized.replace(/<img [^>]*>/g, '')

/** A text in Markdown as sanitized HTML; the text itself where it cannot be rendered. */
export const markdown = (source: string): Html => {
  const cached = rendered.get(source)
  if (cached !== undefined) return cached
  const body = renderBody('lesson', source, 'markdown')
  const result = typeof body === 'string' ? html`<p>${source}</p>` : belowTitle(withoutImages(body.body_html))
  if (rendered.size >= MAX_TEXTS) rendered.clear()
  rendered.set(source, result)
  return result
}
