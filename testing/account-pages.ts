import type { School } from '#src/contract/school.ts'
import { type Browser, openBrowser, type PageForm, parseForm } from './browser.ts'
import { form, send, type TestReply } from './http.ts'

/** The school, port and credentials that a person signs in with. */
type Entering = {
  readonly port: number
  readonly school: School
  readonly email: string
  readonly password: string
}

/** Signs a person in on the account pages; returns the page that follows. */
export const signInAt = async (
  browser: Browser,
  person: Pick<Entering, 'email' | 'password'>,
  returnTo = '/account',
): Promise<TestReply> => {
  const page = await browser.open(`/account/sign-in?${new URLSearchParams({ return_to: returnTo })}`)
  return browser.submit(parseForm(page), [
    ['email', person.email],
    ['password', person.password],
  ])
}

/** Returns a browser in which a person is signed in on the account pages. */
export const enterAccount = async (person: Entering): Promise<Browser> => {
  const browser = openBrowser(person.port, person.school)
  const page = await signInAt(browser, person)
  if (page.status !== 200) throw new Error(`${person.email} did not get in: ${page.status} ${page.text}`)
  return browser
}

const listEveryForm = (page: TestReply): PageForm[] =>
  [...page.text.matchAll(/<form[\s\S]*?<\/form>/g)].map(([text]) => parseForm({ ...page, text }))

/** Returns every form that a page is for by its action, in the order of the page: all in its main part. */
export const listForms = (page: TestReply): PageForm[] =>
  listEveryForm({ ...page, text: page.text.slice(Math.max(0, page.text.indexOf('<main'))) }).filter(
    ({ action }) => action !== '/account/language',
  )

/** Returns the form of a page that has this action and contains these fields. */
export const formTo = (page: TestReply, action: string, fields: Readonly<Record<string, string>> = {}): PageForm => {
  const required = Object.entries(fields)
  const has = ({ fields }: PageForm) => required.every(([name, value]) => new Map(fields).get(name) === value)
  const found = listEveryForm(page).find(one => one.action === action && has(one))
  if (found === undefined) throw new Error(`no form to ${action} ${JSON.stringify(fields)} on: ${page.text}`)
  return found
}

/** Returns what a form sends with these fields replaced or added. */
export const listFields = (form: PageForm, fields: Readonly<Record<string, string>> = {}): [string, string][] => [
  ...form.fields.filter(([name]) => !(name in fields)).map(([name, value]): [string, string] => [name, value]),
  ...Object.entries(fields),
]

/** Returns the cookies of a browser as a header. */
export const formatCookie = ({ cookies }: Browser): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/** Returns the value of the session cookie. */
export const readSession = ({ cookies }: Browser): string | undefined =>
  [...cookies].find(([name]) => name.includes('session'))?.[1]

/** Posts fields with the cookies of a browser, without following redirects and without storing new cookies. */
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
    headers: { accept: 'text/html', cookie: formatCookie(browser), ...request.headers, ...headers },
  })
}

/** Opens a page with exactly this cookie header. */
export const openWith = (port: number, cookie: string, path: string): Promise<TestReply> =>
  send(port, { path, headers: { accept: 'text/html', ...(cookie === '' ? {} : { cookie }) } })
