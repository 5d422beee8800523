import { renderBody } from '#src/kit/body/render.ts'
import { type Html, html } from '#src/kit/html.ts'

const DEEPEST = 6

/** Sanitized HTML with headings from a level on, without gaps between the levels. */
export const withHeadingsFrom = (level: number, sanitized: string): Html => {
  const open: number[] = []
  const result = sanitized.replace(/<(\/?)h([1-6])(?=[ >])/g, (_, end: string, digit: string) => {
    // The end of a heading has the level of its beginning, which is the last one.
    if (end === '') {
      while ((open.at(-1) ?? 0) >= Number(digit)) open.pop()
      open.push(Number(digit))
    }
    return `<${end}h${Math.min(DEEPEST, level + open.length - 1)}`
  })
  return { html: result }
}

/** A text in Markdown as sanitized HTML with headings from a level on; the text itself where it cannot be rendered. */
export const markdownOf = (level: number, source: string): Html => {
  const body = renderBody('lesson', source, 'markdown')
  if (typeof body === 'string') return html`<p class="lines">${source}</p>`
  // These texts have no files of the school, and the policy of these pages allows pictures from nowhere else.
  return withHeadingsFrom(level, body.body_html.replace(/<img [^>]*>/g, ''))
}
