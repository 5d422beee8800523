import { formatCookie, formTo, listFields, listForms } from './account-pages.ts'
import type { TestApp } from './app.ts'
import type { Browser, PageForm } from './browser.ts'
import type { TestReply } from './http.ts'

/** Returns a function that makes something at its first call, and returns the same from then on. */
export const once = <Made>(make: () => Promise<Made>): (() => Promise<Made>) => {
  let made: Promise<Made> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Returns the notice above the content of a page; empty without one. */
export const readNotice = ({ text }: TestReply): string =>
  /<(?:p|div) class="(?:note|done)" role="(?:alert|status)"[^>]*>(?:<p>)?([^<]*)/.exec(text)?.[1] ?? ''

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
  const main = page.text.slice(Math.max(0, page.text.indexOf('<main')))
  const found = [...main.matchAll(/<form[\s\S]*?<\/form>/g)].findIndex(([text]) => text.includes(`name="${field}"`))
  const form = listForms(page)[found]
  if (form === undefined) throw new Error(`no form with ${field} on: ${page.text}`)
  return form
}

/** A file that is sent with a form, by default of text. */
export type TextFile = {
  readonly name: string
  readonly text: string | Uint8Array<ArrayBuffer>
  readonly type?: string
}

/** Sends a form with files by the names of their fields, as a browser does, and follows the redirect. */
export const sendFiles = async (
  app: Pick<TestApp, 'send'>,
  browser: Browser,
  form: PageForm,
  files: Readonly<Record<string, TextFile>> = {},
  fields: Readonly<Record<string, string>> = {},
): Promise<TestReply> => {
  const body = new FormData()
  for (const [name, value] of listFields(form, fields)) if (!(name in files)) body.append(name, value)
  for (const [name, { name: filename, text, type = 'text/plain' }] of Object.entries(files))
    body.append(name, new Blob([text], { type }), filename)
  const request = new Response(body)
  const reply = await app.send({
    method: 'POST',
    path: form.action,
    headers: {
      accept: 'text/html',
      cookie: formatCookie(browser),
      'content-type': request.headers.get('content-type') ?? '',
    },
    body: Buffer.from(await request.arrayBuffer()),
  })
  return reply.status === 303 ? browser.open(reply.headers.location ?? '') : reply
}
