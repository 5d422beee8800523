import markdownIt from 'markdown-it'
import type { School } from '#src/contract/school.ts'
import { page, pageHeaders } from '#src/kit/html-page.ts'

const markdown = markdownIt({ html: false, linkify: false, typographer: false })

// A region that scrolls must be reachable by keyboard (WCAG 2.1, 2.1.1).
const scrollable = (html: string): string => html.replace(/<(pre|table)>/g, '<$1 tabindex="0">')

/** The walkthrough as a page for people. */
export const walkthroughPage = (
  text: string,
  school: Pick<School, 'name' | 'look'>,
): { readonly body: string; readonly headers: Record<string, string> } => {
  const title = /^# (.+)$/m.exec(text)?.[1] ?? 'Connect an app'
  const body = { html: scrollable(markdown.render(text)) }
  const brand = { name: school.name, look: school.look, href: '/' }
  return { body: page({ lang: 'en', title, body, brand, isWide: true }), headers: pageHeaders }
}
