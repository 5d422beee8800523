import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { people } from '#src/demo/index.ts'
import { toId } from '#src/kit/ids.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { createWalk, type Walker } from '#testing/browser-walk.ts'
import { enterPassword, startChromium, testBothWays, unfold, type Way } from '#testing/chromium.ts'
import { readMemberId, TEACHING, teach } from '#testing/learning.ts'

let chromium: Browser
const app = testApp()
const walk = createWalk(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(() => chromium?.close())

const SIGN_IN = { email: people.ada.email, password: PASSWORD }
const TEXT = 'Feed the starter at nine, and wait until it has doubled.'

type Lesson = Walker & { readonly path: string }

/** Opens the page of a new lesson for its lecturer. */
const openLesson = async (name: string, way?: Way): Promise<Lesson> => {
  const { lessons, id } = await teach(await app.actor('ada', { scopes: TEACHING }), name, [{ name: 'Starter' }])
  const walker = await walk.start('desktop', way)
  const path = `/staff/courses/${id}/lessons/${lessons[0]}`
  await walker.goto(`/account/sign-in?return_to=${path}`)
  await walker.fill(SIGN_IN)
  return { ...walker, path }
}

const save = (page: Page): Promise<void> => page.click('button[name=act][value=save]')

const assertSaved = async (page: Page): Promise<void> => {
  await page.waitForURL(/done=saved/)
  assert.equal(await page.inputValue('#body'), TEXT)
}

/** Opens another tab of the same browser. */
const openTab = async (page: Page, path: string): Promise<Page> => {
  const tab = await page.context().newPage()
  await tab.goto(`${app.a.siteOrigin}${path}`)
  return tab
}

const signInAt = async (tab: Page, email: string): Promise<void> => {
  await tab.fill('[name=email]', email)
  await enterPassword(tab, PASSWORD)
  await tab.waitForURL(/\/account$/)
}

/** Signs in where a form was sent without a session: in a dialog of its page, or on a page that leads back to it. */
const signInAgain = async ({ page, fill }: Lesson, { javaScriptEnabled }: Way): Promise<void> => {
  if (!javaScriptEnabled) {
    await page.waitForURL(/\/account\/sign-in/)
    await fill(SIGN_IN)
    await page.waitForSelector('#kept:focus')
    assert.equal(await page.inputValue('#body'), TEXT)
    return save(page)
  }
  const dialog = page.locator('dialog[open]')
  await dialog.locator('[name=email]').fill(SIGN_IN.email)
  await dialog.locator('summary').click()
  await dialog.locator('[name=password]').fill(PASSWORD)
  await dialog.locator('button[value=password]').click()
}

testBothWays('a text is saved after the session ended', async way => {
  const lesson = await openLesson(`Ended ${way.javaScriptEnabled}`, way)
  const { page, close } = lesson
  await page.fill('#body', TEXT)
  await page.context().clearCookies()
  await save(page)
  await signInAgain(lesson, way)
  await assertSaved(page)
  await close()
})

testBothWays('a text is saved after somebody signed out in another tab', async way => {
  const lesson = await openLesson(`Signed out ${way.javaScriptEnabled}`, way)
  const { page, close } = lesson
  await page.fill('#body', TEXT)
  const tab = await openTab(page, '/account/sign-out')
  await tab.click('button.main')
  await tab.waitForURL(/signed-out/)
  await save(page)
  await signInAgain(lesson, way)
  await assertSaved(page)
  await close()
})

testBothWays('a text is saved after somebody signed out and in again in another tab', async way => {
  const { page, close } = await openLesson(`Again ${way.javaScriptEnabled}`, way)
  await page.fill('#body', TEXT)
  await page.context().clearCookies()
  await signInAt(await openTab(page, '/account/sign-in'), SIGN_IN.email)
  await save(page)
  if (!way.javaScriptEnabled) {
    await page.waitForSelector('#kept:focus')
    await save(page)
  }
  await assertSaved(page)
  await close()
})

testBothWays('what was chosen is done after the proof that it needs', async way => {
  const walker = await walk.start('desktop', way)
  const { page, goto, fill, close } = walker
  const path = `/staff/people/${toId('mem', await readMemberId(app, 'femi'))}`
  const role = way.javaScriptEnabled ? 'lecturer' : 'member'
  const choose = 'form:has(input[value=role])'
  await goto(`/account/sign-in?return_to=${path}`)
  await fill(SIGN_IN)
  await app.database.query('update sessions set recent_until = stoa.now()')
  await page.selectOption(`${choose} select`, role)
  await page.click(`${choose} button`)
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
    await page.click(`${choose} button`)
  }
  await page.waitForURL(/done=/)
  assert.equal(await page.inputValue(`${choose} select`), role)
  await close()
})

test('a form without a need for a proof is sent at once, whenever the last proof was', async () => {
  const { page, close } = await openLesson('Not recent')
  await app.database.query('update sessions set recent_until = stoa.now()')
  await page.fill('#body', TEXT)
  await save(page)
  await assertSaved(page)
  await close()
})

test('nothing is sent for who is signed in as somebody else in another tab, and they are told so', async () => {
  const { page, path, goto, close } = await openLesson('Somebody else')
  await page.fill('#body', TEXT)
  const before = await app.database.query('select 1 from kept_forms')
  await page.context().clearCookies()
  await signInAt(await openTab(page, '/account/sign-in'), people.ben.email)
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
  const { page, close } = await openLesson('Offline')
  await page.fill('#body', TEXT)
  await page.context().setOffline(true)
  await save(page)
  const dialog = page.locator('dialog[open]')
  assert.match((await dialog.textContent()) ?? '', /There is no connection/)
  await dialog.locator('button').click()
  await page.context().setOffline(false)
  await save(page)
  await assertSaved(page)
  await close()
})

test('who closes the dialog keeps the page with what was typed', async () => {
  const { page, look, close } = await openLesson('Closed')
  await page.fill('#body', TEXT)
  await page.context().clearCookies()
  await save(page)
  await page.locator('dialog[open] [name=email]').waitFor()
  await look()
  await page.keyboard.press('Escape')
  await page.locator('dialog').waitFor({ state: 'detached' })
  await page.locator('[aria-busy]').waitFor({ state: 'detached' })
  assert.equal(await page.inputValue('#body'), TEXT)
  await close()
})

const typeDraft = async (page: Page): Promise<void> => {
  await page.fill('#body', TEXT)
  await page.press('#body', 'Tab')
  await page.waitForSelector('text=/Saved .* in this browser/')
}

const listDrafts = (page: Page): Promise<string[]> =>
  page.evaluate('Object.entries(localStorage).filter(([name]) => name.startsWith("stoa:draft:")).map(String)')

test('a text that was not saved is there again after a reload, and can be discarded', async () => {
  const { page, look, path, goto, close } = await openLesson('Draft')
  const before = await page.inputValue('#body')
  await typeDraft(page)
  assert.doesNotMatch((await listDrafts(page)).join(), /starter/, 'it cannot be read without the key')
  await page.reload()
  await page.waitForSelector('text=/is here again/')
  assert.equal(await page.inputValue('#body'), TEXT)
  await look()
  await page.click('text=Discard')
  assert.equal(await page.inputValue('#body'), before)
  assert.deepEqual(await listDrafts(page), [])
  await typeDraft(page)
  await goto('/staff')
  await goto(path)
  await page.waitForSelector('text=/is here again/')
  await save(page)
  await assertSaved(page)
  assert.deepEqual(await listDrafts(page), [])
  await close()
})

test('drafts are gone after a sign-out and after 30 days', async () => {
  const { page, path, goto, fill, close } = await openLesson('Gone')
  await typeDraft(page)
  await page.evaluate(`{
    const [name, stored] = Object.entries(localStorage).find(([name]) => name.startsWith('stoa:draft:'))
    const at = Date.now() - 31 * 24 * 3600 * 1000
    localStorage.setItem(name + ':old', JSON.stringify({ ...JSON.parse(stored), at }))
  }`)
  assert.equal((await listDrafts(page)).length, 2)
  await page.reload()
  await page.waitForSelector('text=/is here again/')
  assert.equal((await listDrafts(page)).length, 1)
  await goto('/account/sign-out')
  await page.click('button.main')
  await page.waitForURL(/signed-out/)
  await goto(`/account/sign-in?return_to=${path}`)
  await fill(SIGN_IN)
  assert.deepEqual(await listDrafts(page), [])
  assert.notEqual(await page.inputValue('#body'), TEXT)
  await close()
})

const NOTE = { name: 'flour.txt', mimeType: 'text/plain', buffer: Buffer.from('Flour list') }

testBothWays('a file is attached to a lesson, and the text that was typed beside it stays', async way => {
  const { page, look, path, goto, close } = await openLesson(`Attached ${way.javaScriptEnabled}`, way)
  await page.fill('#body', TEXT)
  await page.setInputFiles('#attachment-file', NOTE)
  await page.click('button[value=attach]')
  await page.waitForSelector('#kept')
  assert.match((await page.textContent('#kept')) ?? '', /still here, and not saved yet/)
  assert.match((await page.textContent('#files')) ?? '', /flour\.txt/)
  assert.equal(await page.inputValue('#body'), TEXT)
  await look()
  await save(page)
  await assertSaved(page)
  await goto(path)
  assert.equal((await page.textContent('#files'))?.match(/flour\.txt/g)?.length, 1)
  await close()
})

testBothWays('a file that was chosen is saved with the text, after the session ended, too', async way => {
  const lesson = await openLesson(`Chosen ${way.javaScriptEnabled}`, way)
  const { page, close } = lesson
  await page.fill('#body', TEXT)
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
  await assertSaved(page)
  assert.match((await page.textContent('#files')) ?? '', /flour\.txt/)
  await close()
})

testBothWays('a logo is uploaded, and the texts that were typed beside it are in the draft', async way => {
  const walker = await walk.start('desktop', way)
  const { page, goto, fill, close } = walker
  await goto('/account/sign-in?return_to=/staff/appearance')
  await fill(SIGN_IN)
  const footer = `Baked with ${way.javaScriptEnabled}`
  await unfold(page, '#footer')
  await page.fill('#footer', footer)
  const buffer = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#336699' } })
    .png()
    .toBuffer()
  await unfold(page, '#file')
  await page.setInputFiles('#file', { name: 'logo.png', mimeType: 'image/png', buffer })
  await page.click('button[value=add_image]')
  await page.waitForSelector('#done')
  assert.equal(await page.inputValue('#footer'), footer)
  assert.match((await page.textContent('main')) ?? '', /logo\.png/)
  await close()
})

testBothWays('a text and the names of files are kept when the session ends during an upload', async way => {
  const lesson = await openLesson(`During ${way.javaScriptEnabled}`, way)
  const { page, fill, close } = lesson
  await page.fill('#body', TEXT)
  await page.setInputFiles('#attachment-file', NOTE)
  const tab = await openTab(page, '/account/sign-out')
  await page.route(`**${lesson.path}`, async route => {
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
  assert.equal(await page.inputValue('#body'), TEXT)
  assert.match((await page.textContent('#kept')) ?? '', /flour\.txt/)
  await page.unroute(`**${lesson.path}`)
  await save(page)
  await assertSaved(page)
  await close()
})

testBothWays('two people see each other’s text and choose, and nothing of either is lost', async way => {
  const { page, path, look, close } = await openLesson(`Two texts ${way.javaScriptEnabled}`, way)
  const tab = await openTab(page, path)
  await tab.fill('#body', 'Feed the starter at ten, and wait.')
  await save(tab)
  await tab.waitForURL(/done=saved/)
  const conflict = page.locator('#conflict')
  await page.fill('#body', TEXT)
  await save(page)
  await conflict.waitFor()
  assert.match((await conflict.textContent()) ?? '', /at ten, and wait\.[\s\S]*Keep mine[\s\S]*Take theirs/)
  assert.ok((await conflict.locator('mark').allTextContents()).includes('ten'))
  assert.equal(await page.inputValue('#body'), TEXT)
  await look(/status of 412/)
  await page.click('#conflict button[value=take]')
  assert.equal(await page.inputValue('#body'), 'Feed the starter at ten, and wait.')
  assert.match((await conflict.textContent()) ?? '', /at nine, and wait until it has doubled/)
  await look()
  await tab.fill('#body', 'Feed it at eleven.')
  await save(tab)
  await tab.waitForURL(/done=saved/)
  await page.fill('#body', TEXT)
  await save(page)
  await page.click('#conflict button[value=save]')
  await assertSaved(page)
  await close()
})
