import type { TestApp } from './app.ts'
import { type Browser, openBrowser, parseForm } from './browser.ts'
import type { TestReply } from './http.ts'
import type { Mailbox } from './mail.ts'

/** Asks for a code on a sign-in page; returns the page for the code. */
export const askForSignInCode = (browser: Browser, page: TestReply, email: string): Promise<TestReply> =>
  browser.submit(parseForm(page), [
    ['email', email],
    ['way', 'code'],
  ])

/** Opens the sign-in of the account pages in a new browser and asks for a code there. */
export const beginWithCode = async (app: TestApp, email: string, returnTo = '/account') => {
  const browser = openBrowser(app.port, app.a)
  const signIn = await browser.open(`/account/sign-in?${new URLSearchParams({ return_to: returnTo })}`)
  return { browser, page: await askForSignInCode(browser, signIn, email) }
}

/** The path of the link in the newest mail with a code to sign in. */
export const linkTo = async (mailbox: Mailbox, email: string, count = 1): Promise<string> => {
  const mail = (await mailbox.waitFor(email, count, /is your code/)).at(-1)
  const link = /https?:\S+sign-in\/code\S+/.exec(mail?.email.text ?? '')?.[0]
  if (link === undefined) throw new Error(`no link in: ${mail?.email.text}`)
  const { pathname, search } = new URL(link)
  return `${pathname}${search}`
}
