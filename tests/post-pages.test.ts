import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enterAccount } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { formWith, press, readNotice } from '#testing/staff-pages.ts'
import { people } from '../src/demo/index.ts'

const app = testApp()
const SCOPES = ['posts:read', 'posts:write', 'account:read', 'account:write']

const enter = (name: PersonName) =>
  enterAccount({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD })

const make = async (name: PersonName, body: object): Promise<{ id: string; slug: string }> => {
  const { status, json, text } = await (await app.actor(name, { scopes: SCOPES })).write('POST', '/posts', body)
  assert.equal(status, 201, text)
  return json
}

test('scheduled at 02:30 of a night when the clocks skip it: an hour later by the clock', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  assert.equal((await ada.write('PATCH', '/account', { time_zone: 'Europe/Berlin' })).status, 200)
  const { id } = await make('ada', { title: 'At night', body: 'Words.' })
  const browser = await enter('ada')
  const scheduled = await press(browser, `/staff/posts/${id}`, 'schedule', { at: '2090-03-26T02:30' })
  assert.match(readNotice(scheduled), /will be published then/)
  const { json } = await ada.get(`/posts/${id}`)
  assert.deepEqual([json.status, json.publish_at], ['scheduled', '2090-03-26T01:30:00.000Z'])
  assert.match((await browser.open(`/staff/posts/${id}`)).text, /03:30/)
})

test('the editor shows what was typed again when the post has changed meanwhile', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const { id } = await make('ada', { title: 'Two editors', body: 'First.' })
  const browser = await enter('ada')
  const page = await browser.open(`/staff/posts/${id}`)
  assert.equal(page.status, 200)
  await ada.write('PATCH', `/posts/${id}`, { body: 'Second.' })
  const refused = await browser.submit(formWith(page, 'body'), [
    ['act', 'save'],
    ['access', 'public'],
    ['comments', 'open'],
    ['body', 'Third, </textarea><script>alert(1)</script>'],
  ])
  assert.equal(refused.status, 412)
  assert.match(refused.text, /Third, &lt;\/textarea&gt;/)
  assert.equal((await ada.get(`/posts/${id}`)).json.body, 'Second.')
})

test('a lecturer writes drafts on the staff pages, and sees neither those of others nor buttons of the staff', async () => {
  const { id: ofAda } = await make('ada', { title: 'A draft of the school', body: 'Words.' })
  const { id } = await make('carla', { title: 'A draft of Carla', body: 'Words.' })
  const carla = await enter('carla')
  const list = await carla.open('/staff/posts')
  assert.match(list.text, /A draft of Carla/)
  assert.doesNotMatch(list.text, /A draft of the school/)
  assert.equal((await carla.open(`/staff/posts/${ofAda}`)).status, 404)
  const own = await carla.open(`/staff/posts/${id}`)
  assert.doesNotMatch(own.text, /value="(?:publish|schedule|mail|archive)"/)
  const dev = await enter('dev')
  assert.equal((await dev.open('/staff/posts')).status, 403)
})
