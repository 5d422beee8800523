import { people } from '../src/demo/index.ts'
import { enterAccount, formTo } from './account-pages.ts'
import { PASSWORD, type PersonName, type TestApp } from './app.ts'

/** Approves an app's confirmation as a person of the demo data in their own browser; throws when it was not carried out. */
export const approveAs = async (app: TestApp, name: PersonName, url: string): Promise<void> => {
  const { pathname } = new URL(url)
  const browser = await enterAccount({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD })
  const page = await browser.submit(formTo(await browser.open(pathname), pathname), [['decision', 'approve']])
  if (!/role="status"/.test(page.text)) throw new Error(`not done: ${page.status} ${page.text}`)
}
