// One thing: what a person does on a page in a browser without scripts.
import type { Page } from 'playwright-core'

/** Follows the first link with a name. */
export const follow = async (page: Page, name: string | RegExp): Promise<void> => {
  await page.getByRole('link', { name, exact: true }).first().click()
  await page.waitForLoadState()
}

/** Presses the first button with a name. */
export const press = async (page: Page, name: string | RegExp): Promise<void> => {
  await page.getByRole('button', { name, exact: true }).first().click()
  await page.waitForLoadState()
}

/** Writes values into fields by their labels. */
export const write = async (page: Page, values: Readonly<Record<string, string>>): Promise<void> => {
  for (const [label, value] of Object.entries(values))
    await page.getByLabel(label, { exact: true }).locator('visible=true').first().fill(value)
}

/** What a page says was done. */
export const readDone = (page: Page): Promise<string> => page.locator('#done').innerText()

/** The text of a page. */
export const readMain = (page: Page): Promise<string> => page.locator('main').innerText()
