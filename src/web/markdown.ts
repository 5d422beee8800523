import type { ProfileName } from '#src/kit/body/profiles.ts'
import { renderBody } from '#src/kit/body/render.ts'
import { type Html, html } from '#src/kit/html.ts'

const MAX_TEXTS = 200
const DEEPEST = 6

const rendered = new Map<string, Html>()

/** HTML that was sanitized, with headings from a level on and without gaps between the levels. */
export const headingsFrom = (level: number, sanitized: string): Html => {
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

// These texts have no files of the school, and the policy of the site allows pictures from nowhere else. A page has several of
// them, so that ids of their headings could repeat.
const withoutImagesAndIds = (sanitized: string): string =>
  sanitized.replace(/<img [^>]*>/g, '').replace(/(<h[1-6]) id="[^"]*"/g, '$1')

/** A text in Markdown as sanitized HTML with headings from a level on; the text itself where it cannot be rendered. */
export const markdown = (level: number, source: string, profile: ProfileName = 'lesson'): Html => {
  const key = `${profile} ${level} ${source}`
  const cached = rendered.get(key)
  if (cached !== undefined) return cached
  const body = renderBody(profile, source, 'markdown')
  const result =
    typeof body === 'string' ? html`<p>${source}</p>` : headingsFrom(level, withoutImagesAndIds(body.body_html))
  if (rendered.size >= MAX_TEXTS) rendered.clear()
  rendered.set(key, result)
  return result
}
