import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { testApp } from '#testing/app.ts'
import { fetched, uploader } from '#testing/uploads.ts'

const app = testApp()
const BOTH = ['account:read', 'account:write']

const picture = (): Promise<Buffer> =>
  sharp({ create: { width: 64, height: 64, channels: 3, background: '#c8a070' } })
    .png()
    .toBuffer()

const uploaded = async (name: 'dev' | 'eli', purpose: string): Promise<string> => {
  const bytes = await picture()
  const by = await uploader(app, name)
  const { json, text } = await by.upload(bytes, { filename: 'me.png', content_type: 'image/png', purpose })
  assert.equal(json.status, 'ready', text)
  return json.file.file_id
}

test('a person adds a picture, gets a link that only they can open, and removes it', async () => {
  const dev = await app.actor('dev', { scopes: BOTH })
  const avatar_file_id = await uploaded('dev', 'avatar')
  const set = await dev.write('PATCH', '/account', { avatar_file_id })
  assert.equal(set.status, 200, set.text)
  assert.equal(set.json.avatar.file_id, avatar_file_id)
  assert.equal((await fetched(set.json.avatar.url)).status, 200)
  assert.equal((await fetched(set.json.avatar.url.split('?')[0])).status, 404)
  const same = await dev.write('PATCH', '/account', { avatar_file_id })
  assert.equal(same.json.revision, set.json.revision)
  const used = await dev.write('DELETE', `/uploads/${avatar_file_id.replace('fil_', 'upl_')}`)
  assert.equal(used.status, 403)
  assert.equal((await dev.write('PATCH', '/account', { avatar_file_id: null })).json.avatar, null)
})

test("I-09 another person's picture, one for another purpose and one that is not there are refused alike", async () => {
  const eli = await app.actor('eli', { scopes: BOTH })
  const before = (await eli.get('/account')).text
  const ids = [await uploaded('dev', 'avatar'), await uploaded('eli', 'submission'), `fil_${'0'.repeat(26)}`]
  for (const avatar_file_id of ids) {
    const { status, json } = await eli.write('PATCH', '/account', { avatar_file_id })
    assert.deepEqual([status, json.errors[0].pointer, json.errors[0].code], [422, '/avatar_file_id', 'unknown'])
  }
  assert.equal((await eli.get('/account')).text, before)
})

test('consent to mail is dated when it changes, and only then', async () => {
  const eli = await app.actor('eli', { scopes: BOTH })
  assert.deepEqual((await eli.get('/account')).json.marketing_consent, { granted: false, at: null, source: null })
  const yes = (await eli.write('PATCH', '/account', { marketing_consent: { granted: true } })).json
  assert.deepEqual([yes.marketing_consent.granted, yes.marketing_consent.source], [true, 'account'])
  await app.moveClock(60)
  const again = (await eli.write('PATCH', '/account', { marketing_consent: { granted: true } })).json
  assert.deepEqual([again.marketing_consent, again.revision], [yes.marketing_consent, yes.revision])
  const no = (await eli.write('PATCH', '/account', { marketing_consent: { granted: false } })).json
  assert.ok(no.marketing_consent.at > yes.marketing_consent.at)
  const forged = await eli.write('PATCH', '/account', {
    marketing_consent: { granted: true, at: '2020-01-01T00:00:00.000Z' },
  })
  assert.equal(forged.status, 422)
})

const OTHERS = { comment_replied: true, comments_waiting: true, event_reminder: true }

test('a change of the notifications keeps those that it leaves out, and knows no others', async () => {
  const dev = await app.actor('dev', { scopes: BOTH })
  const change = (notifications: unknown) => dev.write('PATCH', '/account', { notifications })
  assert.deepEqual((await change({ lesson_opened: true })).json.notifications, {
    lesson_opened: true,
    product_updated: true,
    ...OTHERS,
  })
  const kept = await change({})
  assert.deepEqual(
    [kept.status, kept.json.notifications],
    [200, { lesson_opened: true, product_updated: true, ...OTHERS }],
  )
  for (const notifications of [{ codes: false }, { lesson_opened: null }, null]) {
    const refused = await change(notifications)
    assert.equal(refused.status, 422, refused.text)
  }
  assert.deepEqual((await dev.get('/account')).json.notifications, {
    lesson_opened: true,
    product_updated: true,
    ...OTHERS,
  })
  assert.deepEqual((await change({ lesson_opened: false })).json.notifications, {
    lesson_opened: false,
    product_updated: true,
    ...OTHERS,
  })
})
