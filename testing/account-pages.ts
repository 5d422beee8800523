import type { School } from '#src/contract/school.ts'
import { type Browser, formOf, openBrowser, type PageForm } from './browser.ts'
import { form, send, type TestReply } from './http.ts'

/** Where somebody signs in, and as whom. */
type Entering = {
  readonly port: number
  readonly school: School
  readonly email: string
  readonly password: string
}

/** Signs somebody in on the pages of the account; the page after it. */
export const signInAt = async (
  browser: Browser,
  who: Pick<Entering, 'email' | 'password'>,
  returnTo = '/account',
): Promise<TestReply> => {
  const page = await browser.open(`/account/sign-in?${new URLSearchParams({ return_to: returnTo })}`)
  return browser.submit(formOf(page), [
    ['email', who.email],
    ['password', who.password],
  ])
}

/** A browser in which somebody is signed in on the pages of the account. */
export const enterAccount = async (who: Entering): Promise<Browser> => {
  const browser = openBrowser(who.port, who.school)
  const page = await signInAt(browser, who)
  if (page.status !== 200) throw new Error(`${who.email} did not get in: ${page.status} ${page.text}`)
  return browser
}

/** Every form of a page, by its action in their order. */
export const formsOf = (page: TestReply): PageForm[] =>
  [...page.text.matchAll(/<form[\s\S]*?<\/form>/g)].map(([text]) => formOf({ ...page, text }))

/** The form of a page that goes to an address and carries these fields. */
export const formTo = (page: TestReply, action: string, fields: Readonly<Record<string, string>> = {}): PageForm => {
  const required = Object.entries(fields)
  const has = ({ fields }: PageForm) => required.every(([name, value]) => new Map(fields).get(name) === value)
  const found = formsOf(page).find(one => one.action === action && has(one))
  if (found === undefined) throw new Error(`no form to ${action} ${JSON.stringify(fields)} on: ${page.text}`)
  return found
}

/** What a form would send with these fields replaced or added. */
export const fieldsOf = (form: PageForm, fields: Readonly<Record<string, string>> = {}): [string, string][] => [
  ...form.fields.filter(([name]) => !(name in fields)).map(([name, value]): [string, string] => [name, value]),
  ...Object.entries(fields),
]

/** The cookies of a browser as a header. */
export const cookieOf = ({ cookies }: Browser): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/** The value of the cookie of a session. */
export const sessionOf = ({ cookies }: Browser): string | undefined =>
  [...cookies].find(([name]) => name.includes('session'))?.[1]

/** Posts fields with the cookies of a browser, without following where it leads and without keeping what it sets. */
export const post = (
  port: number,
  browser: Browser,
  path: string,
  fields: readonly (readonly [string, string])[],
  headers: Readonly<Record<string, string>> = {},
): Promise<TestReply> => {
  const request = form(path, fields)
  return send(port, {
    ...request,
    headers: { accept: 'text/html', cookie: cookieOf(browser), ...request.headers, ...headers },
  })
}

/** Opens a page with a cookie header as it stands. */
export const openWith = (port: number, cookie: string, path: string): Promise<TestReply> =>
  send(port, { path, headers: { accept: 'text/html', ...(cookie === '' ? {} : { cookie }) } })
