import type { TestApp } from './app.ts'
import { openBrowser } from './browser.ts'
import { until } from './until.ts'

/** Makes the first school a test school or a real one, although it has paid orders, and waits until its pages know. */
export const setTest = async ({ database, port, a }: TestApp, isTest: boolean): Promise<void> => {
  await database.query('update schools set is_test = $2 where id = $1', [a.id, isTest])
  const site = openBrowser(port, a)
  await until(async () => (await site.open('/')).text.includes('TEST: ') === isTest, 'the school is known')
}
