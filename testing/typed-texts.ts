import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { people } from '#src/demo/index.ts'
import { PASSWORD, type TestApp } from './app.ts'
import { createWalk, type Walker } from './browser-walk.ts'
import { fillField, unfold, type Way } from './chromium.ts'
import { TEACHING, teach } from './learning.ts'

/** With what Ada signs in. */
export const SIGN_IN = { email: people.ada.email, password: PASSWORD }

/** What is typed. */
export const TEXT = 'Feed the starter at nine, and wait until it has doubled.'

/** A file of a few bytes. */
export const NOTE = { name: 'flour.txt', mimeType: 'text/plain', buffer: Buffer.from('Flour list') }

const LOGO = {
  name: 'logo.png',
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 64, height: 64, channels: 3, background: '#336699' } })
    .png()
    .toBuffer(),
}

/** Something with a text and a file beside it. */
export type Kind = {
  /** Makes it, and returns the address of its form. */
  make(app: TestApp, name: string): Promise<string>
  /** The text, the input of the file with the button that stores it, and where it is shown then. */
  readonly text: string
  readonly input: string
  readonly button: string
  readonly shown: string
  readonly file: typeof NOTE
  /** The notice after it, and what it says. */
  readonly notice: readonly [string, RegExp]
}

const lesson: Kind = {
  async make(app, name) {
    const { lessons, id } = await teach(await app.actor('ada', { scopes: TEACHING }), name, [{ name: 'Starter' }])
    return `/staff/courses/${id}/lessons/${lessons[0]}`
  },
  text: '#body',
  input: '#attachment-file',
  button: 'button[value=attach]',
  shown: 'main a:has-text("flour.txt")',
  file: NOTE,
  notice: ['#done', /What you typed is still here, and not saved yet/],
}

const post: Kind = {
  async make(app, title) {
    const ada = await app.actor('ada', { scopes: ['posts:write'] })
    return `/staff/posts/${(await ada.write('POST', '/posts', { title, body: 'Nothing yet.' })).json.id}`
  },
  text: '#body',
  input: '#picture-file',
  button: 'button[name=act][value=picture]',
  shown: '#picture img',
  file: LOGO,
  notice: ['#kept', /still here, and not saved yet/],
}

const appearance: Kind = {
  make: async () => '/staff/appearance',
  text: '#footer',
  input: '#file',
  button: 'button[value=add_image]',
  shown: '#images ~ ul img, #images img',
  file: LOGO,
  // The text is in the draft, too.
  notice: ['#done', /./],
}

/** What is typed into, by names. */
export const kinds = { lesson, post, appearance } as const

/** The form of something in a tab; `typed` is a text that nothing has yet. */
export type Opened = Walker & Kind & { readonly path: string; readonly typed: string }

/** Opens forms of things that are just made, for Ada. */
export const createForms = (app: TestApp, chromium: () => Browser) => {
  const walk = createWalk(app, chromium)
  const open = async (kind: Kind, name: string, way?: Way): Promise<Opened> => {
    const path = await kind.make(app, name)
    const walker = await walk.start('desktop', way)
    await walker.goto(`/account/sign-in?return_to=${path}`)
    await walker.fill(SIGN_IN)
    await walker.page.waitForURL(url => url.pathname === path)
    await unfold(walker.page, kind.text)
    return { ...walker, ...kind, path, typed: `${TEXT} ${name}` }
  }
  return { walk, open, openLesson: (name: string, way?: Way): Promise<Opened> => open(lesson, name, way) }
}

/** Opens another tab of the same browser. */
export const openTab = async (app: TestApp, page: Page, path: string): Promise<Page> => {
  const tab = await page.context().newPage()
  await tab.goto(`${app.a.siteOrigin}${path}`)
  return tab
}

/** Saves the form of a page. */
export const save = (page: Page): Promise<void> =>
  page.click('button[name=act][value=save]:not(.unseen, [hidden], #conflict button)')

/** Asserts that a text was saved. */
export const assertSaved = async ({ page, text }: Pick<Opened, 'page' | 'text'>, typed: string): Promise<void> => {
  await page.waitForURL(/done=save/)
  assert.equal(await page.inputValue(text), typed)
}

/** What a page says that shows a draft. */
export const HERE = 'text=/is here again/'

/** Types a text into a lesson, until it is kept. */
export const typeDraft = async (page: Page): Promise<void> => {
  await fillField(page, '#body', TEXT)
  await page.press('#body', 'Tab')
  await page.waitForSelector('text=/Saved .* in this browser/')
}

/** The drafts of a browser. */
export const listDrafts = (page: Page): Promise<string[]> =>
  page.evaluate('Object.entries(localStorage).filter(([name]) => name.startsWith("stoa:draft:")).map(String)')
