import { formTo, listFields } from './account-pages.ts'
import type { TestApp } from './app.ts'
import { type Browser, openBrowser, type PageForm } from './browser.ts'
import { form, type TestReply } from './http.ts'

/** The form of the first page of the checkout as its button to pay sends it; its action is the address of what is bought. */
export const buyerForm = (page: TestReply): PageForm => {
  const action = /<form method="post" action="(\/checkout\?[^"]*)"/.exec(page.text)?.[1]
  if (action === undefined) throw new Error(`no form of a buyer on: ${page.status} ${page.text}`)
  const { fields, ...form } = formTo(page, action.replaceAll('&amp;', '&'))
  return { ...form, fields: [...fields, ['act', 'pay']] }
}

/** Opens the checkout of prices in a new browser, or in one that is given. */
export const look = async (
  app: TestApp,
  priceIds: readonly string[],
  browser: Browser = openBrowser(app.port, app.a),
): Promise<{ readonly browser: Browser; readonly page: TestReply }> => {
  const query = priceIds.map(price => `price=${price}`).join('&')
  return { browser, page: await browser.open(`/checkout?${query}`) }
}

/** Says who buys on the first page; returns the page after it. */
export const identify = (
  browser: Browser,
  page: TestReply,
  person: { readonly email: string; readonly name?: string } & Readonly<Record<string, string>>,
): Promise<TestReply> => browser.submit(buyerForm(page), Object.entries({ name: 'Gil Tavares', ...person }))

/** The form of the page for the code. */
export const codeForm = (page: TestReply) => {
  const action = /<form method="post" action="(\/checkout\/chk_\w{26})"/.exec(page.text)?.[1]
  if (action === undefined) throw new Error(`no form for a code on: ${page.status} ${page.text}`)
  return formTo(page, action)
}

/** Posts a form in a browser without following the redirect, and keeps nothing of the reply. */
export const postOnce = (
  app: Pick<TestApp, 'send'>,
  browser: Browser,
  target: { readonly action: string; readonly fields: readonly (readonly [string, string])[] },
  fields: Readonly<Record<string, string>> = {},
): Promise<TestReply> => {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { accept: 'text/html', cookie }
  return app.send(form(target.action, Object.fromEntries(listFields(target, fields)), headers))
}
