import assert from 'node:assert/strict'
import { test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { enterAccount, formatCookie, formTo, listFields, post } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import type { Browser } from '#testing/browser.ts'

const app = testApp()
const PATH = '/account/deletion'

const enter = (name: PersonName): Promise<Browser> =>
  enterAccount({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD })

const act = async (browser: Browser, value: 'begin' | 'cancel') =>
  browser.submit(formTo(await browser.open(PATH), PATH), [['act', value]])

test('a person deletes their account in the browser, sees until when it can be undone, and undoes it', async () => {
  const browser = await enter('eli')
  const eli = await app.actor('eli', { scopes: ['account:read'] })
  const before = await browser.open(PATH)
  assert.match(before.text, /14 days after your request/)
  assert.equal((await eli.get('/account/deletion')).json.status, 'none')
  const started = await act(browser, 'begin')
  assert.match(started.text, /We have sent you an e-mail with the date/)
  assert.match(started.text, /Your account will be deleted on \d{1,2} \w+ \d{4}/)
  assert.equal((await eli.get('/account/deletion')).json.status, 'begun')
  assert.match((await browser.open('/account')).text, /<a href="\/account\/deletion">Your account will be deleted on/)
  const cancelled = await act(browser, 'cancel')
  assert.match(cancelled.text, /Your account will not be deleted/)
  assert.equal((await eli.get('/account/deletion')).json.status, 'none')
  assert.doesNotMatch((await browser.open('/account')).text, /will be deleted on/)
})

test('the page asks for a proof before it offers the deletion, and lets it be canceled without one', async () => {
  const browser = await enter('eli')
  const over = () => app.database.query('update sessions set recent_until = stoa.now() where ended_at is null')
  await over()
  const asked = await browser.open(PATH)
  assert.match(asked.text, /Confirm that it is you/)
  assert.doesNotMatch(asked.text, /value="begin"/)
  const started = await browser.submit(formTo(asked, '/account/confirm'), [['password', PASSWORD]])
  assert.match((await browser.submit(formTo(started, PATH), [['act', 'begin']])).text, /will be deleted on/)
  await over()
  const cancelled = await act(browser, 'cancel')
  assert.match(cancelled.text, /Your account will not be deleted/)
  const eli = await app.actor('eli', { scopes: ['account:read'] })
  assert.equal((await eli.get('/account/deletion')).json.status, 'none')
})

test('the last owner sees what to do first, and no deletion begins', async () => {
  const refused = await act(await enter('ada'), 'begin')
  assert.equal(refused.status, 400)
  assert.match(refused.text, /role="alert"[^>]*>You are the last owner/)
  const ada = await app.actor('ada', { scopes: ['account:read'] })
  assert.equal((await ada.get('/account/deletion')).json.status, 'none')
})

test('a deletion begins only within two hours of a proof, and only with the token of the form', async () => {
  const browser = await enter('dev')
  const dev = await app.actor('dev', { scopes: ['account:read'] })
  const form = formTo(await browser.open(PATH), PATH)
  assert.equal((await post(app.port, browser, PATH, [['act', 'begin']])).status, 403)
  await app.database.query(
    `update sessions set recent_until = recent_until - interval '2 hours' where member_id = (
      select id from members where email = $1 and school_id = $2)`,
    [people.dev.email, app.a.id],
  )
  const later = await post(app.port, browser, PATH, listFields(form, { act: 'begin' }))
  assert.equal(later.status, 303, formatCookie(browser))
  assert.match(
    String(later.headers.location),
    /^\/account\/confirm\?level=recent&return_to=%2Faccount%2Fdeletion%3Fkept%3D/,
  )
  assert.equal((await dev.get('/account/deletion')).json.status, 'none')
})
