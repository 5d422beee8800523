import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { people } from '#src/demo/index.ts'
import { toId } from '#src/kit/ids.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { enterPassword, fillField, startChromium, testBothWays, unfold, type Way } from '#testing/chromium.ts'
import { readMemberId } from '#testing/learning.ts'
import {
  assertSaved,
  createForms,
  kinds,
  NOTE,
  type Opened,
  openTab,
  SIGN_IN,
  save,
  TEXT,
} from '#testing/typed-texts.ts'

let chromium: Browser
const app = testApp()
const { walk, open, openLesson } = createForms(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(() => chromium?.close())

/** Tests something for each kind, with and without scripts. */
const testEach = (name: string, run: (opened: Opened, way: Way) => Promise<void>): void => {
  for (const kind of Object.keys(kinds) as (keyof typeof kinds)[])
    testBothWays(`${kind}: ${name}`, async way => {
      const opened = await open(kinds[kind], `${name} ${way.javaScriptEnabled}`, way)
      await run(opened, way)
      await opened.close()
    })
}

const signInAt = async (tab: Page, email: string): Promise<void> => {
  await tab.fill('[name=email]', email)
  await enterPassword(tab, PASSWORD)
  await tab.waitForURL(/\/account$/)
}

/** Signs in where a form was sent without a session: in a dialog of its page, or on a page that leads back to it. */
const signInAgain = async ({ page, fill, text, typed }: Opened, { javaScriptEnabled }: Way): Promise<void> => {
  if (!javaScriptEnabled) {
    await page.waitForURL(/\/account\/sign-in/)
    await fill(SIGN_IN)
    await page.waitForSelector('#kept:focus')
    assert.equal(await page.inputValue(text), typed)
    return save(page)
  }
  const dialog = page.locator('dialog[open]')
  await dialog.locator('[name=email]').fill(SIGN_IN.email)
  await dialog.locator('summary').click()
  await dialog.locator('[name=password]').fill(PASSWORD)
  await dialog.locator('button[value=password]').click()
}

testEach('a text is saved after the session ended', async (opened, way) => {
  const { page, text, typed } = opened
  await fillField(page, text, typed)
  await page.context().clearCookies()
  await save(page)
  await signInAgain(opened, way)
  await assertSaved(opened, typed)
})

testEach('a text is saved after somebody signed out in another tab', async (opened, way) => {
  const { page, text, typed } = opened
  await fillField(page, text, typed)
  const tab = await openTab(app, page, '/account/sign-out')
  await tab.click('button.main')
  await tab.waitForURL(/signed-out/)
  await save(page)
  await signInAgain(opened, way)
  await assertSaved(opened, typed)
})

testEach('a text is saved after somebody signed out and in again in another tab', async (opened, way) => {
  const { page, text, typed } = opened
  await fillField(page, text, typed)
  await page.context().clearCookies()
  await signInAt(await openTab(app, page, '/account/sign-in'), SIGN_IN.email)
  await save(page)
  if (!way.javaScriptEnabled) {
    await page.waitForSelector('#kept:focus')
    await save(page)
  }
  await assertSaved(opened, typed)
})

testBothWays('what was chosen is done after the proof that it needs', async way => {
  const walker = await walk.start('desktop', way)
  const { page, goto, fill, close } = walker
  const path = `/staff/people/${toId('mem', await readMemberId(app, 'femi'))}/acts/role`
  const role = way.javaScriptEnabled ? 'lecturer' : 'member'
  const choose = 'form:has(select[name=role])'
  await goto(`/account/sign-in?return_to=${path}`)
  await fill(SIGN_IN)
  await app.database.query('update sessions set recent_until = stoa.now()')
  await page.selectOption(`${choose} select`, role)
  await page.click(`${choose} button.main`)
  if (way.javaScriptEnabled) {
    const dialog = page.locator('dialog[open]')
    await dialog.locator('[name=password]').fill('wrong')
    await dialog.locator('button.main').click()
    await dialog.locator('[role=alert]').waitFor()
    await dialog.locator('[name=password]').fill(PASSWORD)
    await dialog.locator('button.main').click()
  } else {
    await page.waitForURL(/\/account\/confirm\?/)
    await fill({ password: PASSWORD })
    await page.waitForSelector('#kept:focus')
    assert.equal(await page.inputValue(`${choose} select`), role)
    await page.click(`${choose} button.main`)
  }
  await page.waitForURL(/done=role/)
  await goto(path)
  assert.equal(await page.inputValue(`${choose} select`), role)
  await close()
})

test('a form without a need for a proof is sent at once, whenever the last proof was', async () => {
  const lesson = await openLesson('Not recent')
  const { page, close } = lesson
  await app.database.query('update sessions set recent_until = stoa.now()')
  await fillField(page, '#body', TEXT)
  await save(page)
  await assertSaved(lesson, TEXT)
  await close()
})

test('nothing is sent for who is signed in as somebody else in another tab, and they are told so', async () => {
  const { page, path, goto, close } = await openLesson('Somebody else')
  await fillField(page, '#body', TEXT)
  const before = await app.database.query('select 1 from kept_forms')
  await page.context().clearCookies()
  await signInAt(await openTab(app, page, '/account/sign-in'), people.ben.email)
  const posted: string[] = []
  page.on('request', request => request.method() === 'POST' && posted.push(request.url()))
  await save(page)
  const dialog = page.locator('dialog[open]')
  assert.match((await dialog.textContent()) ?? '', new RegExp(`${people.ben.name} is signed in now`))
  await dialog.locator('button').click()
  assert.deepEqual([posted, await page.inputValue('#body')], [[], TEXT])
  assert.equal((await app.database.query('select 1 from kept_forms')).length, before.length)
  await goto(path)
  assert.notEqual(await page.inputValue('#body'), TEXT, 'the draft of another person is not shown')
  await close()
})

test('nothing is sent without a connection, and it is sent once there is one', async () => {
  const lesson = await openLesson('Offline')
  const { page, close } = lesson
  await fillField(page, '#body', TEXT)
  await page.context().setOffline(true)
  await save(page)
  const dialog = page.locator('dialog[open]')
  assert.match((await dialog.textContent()) ?? '', /There is no connection/)
  await dialog.locator('button').click()
  await page.context().setOffline(false)
  await save(page)
  await assertSaved(lesson, TEXT)
  await close()
})

test('who closes the dialog keeps the page with what was typed', async () => {
  const { page, look, close } = await openLesson('Closed')
  await fillField(page, '#body', TEXT)
  await page.context().clearCookies()
  await save(page)
  await page.locator('dialog[open] [name=email]').waitFor()
  await look()
  await page.keyboard.press('Escape')
  await page.locator('dialog[open]').waitFor({ state: 'detached' })
  await page.locator('[aria-busy]').waitFor({ state: 'detached' })
  assert.equal(await page.inputValue('#body'), TEXT)
  await close()
})

testEach('a file is attached, and the text that was typed beside it stays', async (opened, way) => {
  const { page, look, path, goto, text, typed, input, button, shown, file, notice } = opened
  await fillField(page, text, typed)
  await unfold(page, input)
  await page.setInputFiles(input, file)
  await page.click(button)
  await page.waitForSelector(notice[0])
  assert.match((await page.textContent(notice[0])) ?? '', notice[1])
  assert.ok((await page.locator(shown).count()) > 0)
  assert.equal(await page.inputValue(text), typed)
  if (way.javaScriptEnabled) await look()
  await save(page)
  await assertSaved(opened, typed)
  await goto(path)
  assert.equal(await page.inputValue(text), typed)
})

testBothWays('a file that was chosen is saved with the text, after the session ended, too', async way => {
  const lesson = await openLesson(`Chosen ${way.javaScriptEnabled}`, way)
  const { page, close, typed } = lesson
  await fillField(page, '#body', typed)
  await page.setInputFiles('#attachment-file', NOTE)
  await page.context().clearCookies()
  await save(page)
  if (way.javaScriptEnabled) await signInAgain(lesson, way)
  else {
    await page.waitForURL(/\/account\/sign-in/)
    await lesson.fill(SIGN_IN)
    await page.waitForSelector('#kept:focus')
    assert.match((await page.textContent('#kept')) ?? '', /Choose these files again:\s*flour\.txt/)
    await page.setInputFiles('#attachment-file', NOTE)
    await save(page)
  }
  await assertSaved(lesson, typed)
  assert.match((await page.textContent('main')) ?? '', /flour\.txt/)
  await close()
})

testEach('a text and the names of files are kept when the session ends during an upload', async opened => {
  const { page, fill, path, text, typed, input, file } = opened
  await fillField(page, text, typed)
  await unfold(page, input)
  await page.setInputFiles(input, file)
  const tab = await openTab(app, page, '/account/sign-out')
  await page.route(`**${path}`, async route => {
    if (route.request().method() === 'POST') {
      await tab.click('button.main')
      await tab.waitForURL(/signed-out/)
    }
    await route.continue()
  })
  await save(page)
  await page.waitForURL(/\/account\/sign-in/)
  await fill(SIGN_IN)
  await page.waitForSelector('#kept:focus')
  assert.equal(await page.inputValue(text), typed)
  assert.ok(
    (await page.textContent('main'))?.includes(file.name),
    'the file is named, to be chosen again or stored already',
  )
  await page.unroute(`**${path}`)
  await save(page)
  await assertSaved(opened, typed)
})

const WITH_CONFLICT = ['lesson', 'post'] as const

for (const kind of WITH_CONFLICT)
  testBothWays(`${kind}: two people see each other’s text and choose, and nothing of either is lost`, async way => {
    const opened = await open(kinds[kind], `Two texts ${way.javaScriptEnabled}`, way)
    const { page, path, look, text, typed, close } = opened
    const tab = await openTab(app, page, path)
    await fillField(tab, text, 'Feed the starter at ten, and wait.')
    await save(tab)
    await tab.waitForURL(/done=save/)
    const conflict = page.locator('#conflict')
    await fillField(page, text, typed)
    await save(page)
    await conflict.waitFor()
    assert.match((await conflict.textContent()) ?? '', /at ten, and wait\.[\s\S]*Keep mine[\s\S]*Take theirs/)
    assert.ok((await conflict.locator('mark').allTextContents()).some(marked => marked.includes('ten')))
    assert.equal(await page.inputValue(text), typed)
    await look(/status of 412/)
    await page.click('#conflict button[value=take]')
    await page.waitForSelector('#conflict[data-taken]')
    assert.equal(await page.inputValue(text), 'Feed the starter at ten, and wait.')
    assert.match((await conflict.textContent()) ?? '', /at nine, and wait until it has doubled/)
    await look()
    await fillField(tab, text, 'Feed it at eleven.')
    await save(tab)
    await tab.waitForURL(/done=save/)
    await fillField(page, text, typed)
    await save(page)
    await page.click('#conflict button[value=save]')
    await assertSaved(opened, typed)
    await close()
  })
