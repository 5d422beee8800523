import { formsOf, formTo } from './account-pages.ts'
import type { Browser, PageForm } from './browser.ts'
import type { TestReply } from './http.ts'

/** Returns the notice above the content of a page; empty without one. */
export const noticeOf = ({ text }: TestReply): string =>
  /<p class="(?:note|done)" role="(?:alert|status)"[^>]*>([^<]*)/.exec(text)?.[1] ?? ''

/** Opens a page, fills in the form of an act, and sends it. */
export const press = async (
  browser: Browser,
  path: string,
  act: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<TestReply> =>
  browser.submit(formTo(await browser.open(path), path.replace(/\?.*/, ''), { act }), Object.entries(fields))

/** Returns the form of a page that contains a field. */
export const formWith = (page: TestReply, field: string): PageForm => {
  const found = [...page.text.matchAll(/<form[\s\S]*?<\/form>/g)].findIndex(([text]) =>
    text.includes(`name="${field}"`),
  )
  const form = formsOf(page)[found]
  if (form === undefined) throw new Error(`no form with ${field} on: ${page.text}`)
  return form
}
