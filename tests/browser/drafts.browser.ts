import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { people } from '#src/demo/index.ts'
import { testApp } from '#testing/app.ts'
import { fillField, startChromium } from '#testing/chromium.ts'
import { TEACHING } from '#testing/learning.ts'
import { putForm } from '#testing/school-forms.ts'
import {
  assertSaved,
  createForms,
  HERE,
  kinds,
  listDrafts,
  openTab,
  SIGN_IN,
  save,
  TEXT,
  typeDraft,
} from '#testing/typed-texts.ts'

let chromium: Browser
const app = testApp()
const { walk, open, openLesson } = createForms(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(() => chromium?.close())

test('a text that was not saved is there again after a reload, and can be discarded', async () => {
  const lesson = await openLesson('Draft')
  const { page, look, path, goto, close } = lesson
  const before = await page.inputValue('#body')
  await typeDraft(page)
  assert.doesNotMatch((await listDrafts(page)).join(), /starter/, 'it cannot be read without the key')
  await page.reload()
  await page.waitForSelector(HERE)
  assert.equal(await page.inputValue('#body'), TEXT)
  await look()
  await page.click('text=Discard')
  assert.equal(await page.inputValue('#body'), before)
  assert.deepEqual(await listDrafts(page), [])
  await typeDraft(page)
  await goto('/staff')
  await goto(path)
  await page.waitForSelector(HERE)
  await save(page)
  await assertSaved(lesson, TEXT)
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
  await page.waitForSelector(HERE)
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

const BEFORE = 'button:has-text("Show what I typed before")'

test('a text that was saved beside the outline is not offered again, also where the server changed its ends', async () => {
  const { page, close } = await openLesson('Trimmed')
  await fillField(page, '#body', `${TEXT}\n\n`)
  await page.fill('#name', '  Starter of rye ')
  await page.press('#name', 'Tab')
  await page.waitForSelector('text=/Saved .* in this browser/')
  await save(page)
  await page.waitForURL(/done=saved/)
  assert.equal(await page.inputValue('#name'), 'Starter of rye')
  await page.waitForFunction('Object.keys(localStorage).every(name => !name.startsWith("stoa:draft:"))')
  await page.reload()
  await page.waitForSelector('[data-work] .work')
  assert.deepEqual([await page.locator(HERE).count(), await listDrafts(page)], [0, []])
  await close()
})

test('a refused save keeps the draft; whoever takes theirs keeps their own until something is saved', async () => {
  const lesson = await openLesson('Refused')
  const { page, path, close } = lesson
  const tab = await openTab(app, page, path)
  await fillField(tab, '#body', 'Theirs.')
  await save(tab)
  await tab.waitForURL(/done=saved/)
  await typeDraft(page)
  await save(page)
  await page.waitForSelector('#conflict')
  await page.reload()
  await page.waitForSelector(HERE)
  assert.equal(await page.inputValue('#body'), TEXT)
  await save(page)
  await page.click('#conflict button[value=take]')
  await page.waitForSelector('#conflict[data-taken]')
  assert.equal(await page.inputValue('#body'), 'Theirs.')
  await page.reload()
  await page.waitForSelector(HERE)
  assert.equal(await page.inputValue('#body'), TEXT, 'nothing was typed since')
  await save(page)
  await page.click('#conflict button[value=take]')
  await page.waitForSelector('#conflict[data-taken]')
  await fillField(page, '#body', 'Theirs, and more.')
  await page.press('#body', 'Tab')
  await page.waitForSelector('text=/Saved .* in this browser/')
  await page.reload()
  await page.waitForSelector(HERE)
  assert.equal(await page.inputValue('#body'), 'Theirs, and more.')
  await page.click(BEFORE)
  assert.equal(await page.inputValue('#body'), TEXT)
  await save(page)
  await page.click('#conflict button[value=save]')
  await assertSaved(lesson, TEXT)
  await page.waitForFunction('Object.keys(localStorage).every(name => !name.startsWith("stoa:draft:"))')
  await close()
})

test('what another form of the page is refused for leaves the draft of a text alone', async () => {
  const { page, path, typed, text, close } = await open(kinds.post, 'Refused beside it')
  const tab = await openTab(app, page, path)
  await fillField(page, text, typed)
  await page.press(text, 'Tab')
  await page.waitForSelector('text=/Saved .* in this browser/')
  await fillField(tab, '[name=title]', 'Another title')
  await save(tab)
  await tab.waitForURL(/done=save/)
  await page.click('form:has(input[value=publish]) button')
  await page.waitForSelector('#complaint')
  await page.waitForSelector(HERE)
  assert.equal(await page.inputValue(text), typed)
  await close()
})

test('blocks that were added to a page, and fields to a form, are there again with what was typed into them', async () => {
  const ada = await app.actor('ada', { scopes: ['pages:write'] })
  const { json: made } = await ada.write('POST', '/pages', { title: 'Of drafts', path: '/of-drafts' })
  const fields = [{ id: 'why', type: 'text', label: 'Why?' }]
  const form = await putForm(app, { slug: 'of-drafts', fields }, { isDraft: true })
  const { page, goto, fill, look, close } = await walk.start('desktop')
  await goto(`/account/sign-in?return_to=/staff/pages/${made.id}`)
  await fill(SIGN_IN)
  await page.selectOption('select[name=add_type]', 'text')
  await page.click('button[value=add]')
  await fillField(page, '[name="b.0.body"]', TEXT)
  await page.selectOption('select[name=add_type]', 'quote')
  await page.click('button[value=add]')
  await page.fill('[name="b.1.quote"]', 'Bread is life.')
  await page.press('[name="b.1.quote"]', 'Tab')
  await page.waitForSelector('text=/Saved .* in this browser/')
  await goto('/staff')
  await goto(`/staff/pages/${made.id}`)
  await page.waitForSelector(HERE)
  assert.equal(await page.inputValue('[name="b.0.body"]'), TEXT)
  assert.equal(await page.inputValue('[name="b.1.quote"]'), 'Bread is life.')
  await look()
  await page.click('button[value=save] >> nth=0')
  await page.waitForURL(/done=saved/)
  assert.deepEqual(await listDrafts(page), [])
  await goto(`/staff/forms/${form}`)
  await page.click('button[value=add]')
  await page.fill('[name="field.1.label"]', 'What do you bake?')
  await page.press('[name="field.1.label"]', 'Tab')
  await page.waitForSelector('text=/Saved .* in this browser/')
  await goto(`/staff/forms/${form}`)
  await page.waitForSelector(HERE)
  assert.equal(await page.inputValue('[name="field.1.label"]'), 'What do you bake?')
  await page.click('text=Discard')
  await page.waitForURL(url => url.pathname === `/staff/forms/${form}`)
  await page.waitForSelector('[name="field.1.label"]', { state: 'detached' })
  assert.deepEqual(await listDrafts(page), [])
  await close()
})

test('the bar says how the form stands', async () => {
  const ada = await app.actor('ada', { scopes: ['digital_products:write'] })
  const { json: product } = await ada.write('POST', '/digital-products', { name: 'Of states' })
  const path = `/staff/products/${product.id}/edit`
  const { page, goto, fill, close } = await walk.start('desktop')
  await goto(`/account/sign-in?return_to=${path}`)
  await fill(SIGN_IN)
  const says = (text: RegExp): Promise<void> => page.locator('.draft-state', { hasText: text }).waitFor()
  await says(/^No changes$/)
  await page.fill('[name=subtitle]', 'For ovens')
  await page.press('[name=subtitle]', 'Tab')
  await says(/^Saved \d.* in this browser$/)
  await page.context().setOffline(true)
  await says(/^Not saved: there is no connection\. The text is kept in this browser\.$/)
  await page.context().setOffline(false)
  await says(/^Saved \d/)
  await page.fill('[name=subtitle]', '')
  await page.press('[name=subtitle]', 'Tab')
  await says(/^No changes$/)
  await close()
})

test('whoever writes on a page is told that somebody else has saved it, and compares both', async () => {
  const path = await kinds.lesson.make(app, 'Of two')
  const { page, goto, fill, close } = await walk.start('desktop')
  await page.clock.install()
  await goto(`/account/sign-in?return_to=${path}`)
  await fill(SIGN_IN)
  const ada = await app.actor('ada', { scopes: TEACHING })
  const lesson = `/lessons/${path.split('/').at(-1)}`
  assert.equal((await ada.write('PATCH', lesson, { body: 'Theirs.' })).status, 200)
  await typeDraft(page)
  await page.clock.fastForward(66_000)
  const state = page.locator('.save .state', { hasText: `${people.ada.name} changed this at` })
  await state.waitFor()
  await state.getByRole('button', { name: 'Compare' }).click()
  await page.waitForSelector('#conflict')
  assert.match((await page.textContent('#conflict')) ?? '', /Theirs\./)
  assert.equal(await page.inputValue('#body'), TEXT)
  await close()
})
