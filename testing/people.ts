import type { School } from '#src/contract/school.ts'
import { type Browser, openBrowser, parseForm } from './browser.ts'
import type { TestReply } from './http.ts'
import { codeIn, type Mailbox, WITH_CODE } from './mail.ts'
import { authorizePath, CALLBACK, pkce, register } from './oauth.ts'

/** The application that a test's people use. */
type At = { readonly port: number; readonly school: School }

/** An authorization in a browser, at its first page. */
export type StartedAuthorization = {
  readonly browser: Browser
  readonly page: TestReply
  readonly clientId: string
  readonly verifier: string
}

/** Registers a client and starts an authorization in a new browser, or in the given one. */
export const begin = async (
  { port, school }: At,
  parameters: Readonly<Record<string, string>> = {},
  browser: Browser = openBrowser(port, school),
): Promise<StartedAuthorization> => {
  const { json: client } = await register(port, school)
  const { verifier, challenge } = pkce()
  const page = await browser.open(
    authorizePath({
      client_id: client.client_id,
      redirect_uri: CALLBACK,
      scope: 'openid email account:read school:read',
      code_challenge: challenge,
      ...parameters,
    }),
  )
  return { browser, page, clientId: client.client_id, verifier }
}

/** Follows the link of a page to another page of the authorization. */
export const follow = (browser: Browser, page: TestReply, to: string): Promise<TestReply> => {
  const href = new RegExp(`href="(/oauth/authorize/${to}\\?[^"]+)"`).exec(page.text)?.[1]
  if (href === undefined) throw new Error(`no link to ${to} on: ${page.text}`)
  return browser.open(href.replaceAll('&amp;', '&'))
}

/** Fills in the form of a page and sends it. */
export const fillIn = (
  browser: Browser,
  page: TestReply,
  fields: Readonly<Record<string, string>>,
): Promise<TestReply> => browser.submit(parseForm(page), Object.entries(fields))

/** Tells whether a page asks for consent. */
export const isConsent = (page: TestReply): boolean => page.status === 200 && page.text.includes('value="approve"')

/** Signs up as far as the page for the code. */
export const askForAccount = async (
  authorization: StartedAuthorization,
  person: { readonly email: string; readonly name?: string; readonly password?: string },
): Promise<TestReply> =>
  fillIn(authorization.browser, await follow(authorization.browser, authorization.page, 'sign-up'), {
    name: 'Gil Tavares',
    password: 'levain at four in the morning',
    ...person,
  })

/** Requests a password reset as far as the page for the code. */
export const askForReset = async (authorization: StartedAuthorization, email: string): Promise<TestReply> =>
  fillIn(authorization.browser, await follow(authorization.browser, authorization.page, 'reset'), { email })

/** Returns the code of the newest mail with a code to an address, once there are that many of them. */
export const newestCode = async (mailbox: Mailbox, email: string, count = 1): Promise<string> =>
  codeIn((await mailbox.waitFor(email, count, WITH_CODE)).at(-1))

/** Accepts the newest invitation to an address: its link, the page behind it, the code and a password. */
export const acceptInvitation = async (
  { port, school }: At,
  mailbox: Mailbox,
  person: { readonly email: string; readonly name: string; readonly password: string },
): Promise<TestReply> => {
  const mail = (await mailbox.waitFor(person.email, 1, WITH_CODE)).at(-1)
  const link = /https?:\S+/.exec(mail?.email.text ?? '')?.[0]
  if (link === undefined) throw new Error(`no link in: ${mail?.email.subject}`)
  const browser = openBrowser(port, school)
  const page = await browser.open(link.slice(school.baseUrl.length))
  return fillIn(browser, page, { code: codeIn(mail), name: person.name, password: person.password })
}
