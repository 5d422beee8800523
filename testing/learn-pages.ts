import { people } from '#src/demo/index.ts'
import { enterAccount } from './account-pages.ts'
import { PASSWORD, type PersonName, type TestApp } from './app.ts'
import type { Browser } from './browser.ts'
import type { TestReply } from './http.ts'

/** Returns a browser in which a person of the first school is signed in. */
export const learner = (app: TestApp, name: PersonName): Promise<Browser> =>
  enterAccount({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD })

/** Returns the visible text of the main part of a page, with single spaces. */
export const readMain = ({ text }: TestReply): string =>
  (/<main[\s\S]*<\/main>/.exec(text)?.[0] ?? text).replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')

/** Returns the addresses of the links of a page, without the path of the session. */
export const listLinks = ({ text }: TestReply): string[] =>
  [...text.matchAll(/<a\b[^>]* href="([^"]*)"/g)].map(([, href = '']) => href)
