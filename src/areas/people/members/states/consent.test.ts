import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import type { TestReply } from '#testing/http.ts'

const app = testApp()
const staff = () => app.actor('ada', { scopes: ['members:read', 'members:write'] })
const person = (name: 'dev' | 'eli' | 'femi') => app.actor(name, { scopes: ['account:read', 'account:write'] })

const done = ({ status, json, text }: TestReply): TestReply['json'] => {
  assert.ok(status < 300, text)
  return json
}

const readId = async (name: string): Promise<string> =>
  (await (await staff()).get(`/members?email=${name}@crumb.example`)).json.data[0].id

const readConsent = async (id: string) => {
  const { granted, source } = (await (await staff()).get(`/members/${id}`)).json.marketing_consent
  return { granted, source }
}

const say = async (name: 'dev' | 'eli' | 'femi', granted: boolean): Promise<void> => {
  done(await (await person(name)).write('PATCH', '/account', { marketing_consent: { granted } }))
}

const readHistory = async (id: string) =>
  (
    await app.database.query<{ granted: boolean; source: string; by_person: boolean }>(
      `select c.granted, c.source, c.by_person from marketing_consents c join members m
         on m.school_id = c.school_id and m.id = c.member_id where m.email like $1 or m.id::text = $1 order by c.at`,
      [id],
    )
  ).map(({ granted, source, by_person }) => `${granted} ${source}${by_person ? ' by the person' : ''}`)

const WITHDRAWN = { granted: false, source: 'account' }
const GRANT = { marketing_consent: { granted: true, source: 'fair' } }

test('a consent that the person withdrew is granted again by the person alone, and its history stays', async () => {
  const ada = await staff()
  const id = await readId('eli')
  done(await ada.write('PATCH', `/members/${id}`, GRANT))
  assert.deepEqual(await readConsent(id), { granted: true, source: 'fair' })
  await say('eli', false)
  const patched = done(await ada.write('PATCH', `/members/${id}`, { ...GRANT, phone: '+351 900 200' }))
  assert.deepEqual([patched.phone, patched.notices[0].code], ['+351 900 200', 'consent_withdrawn'])
  // Saying first that it is not granted does not open the way.
  done(await ada.write('PATCH', `/members/${id}`, { marketing_consent: { granted: false, source: 'desk' } }))
  const rows = [{ email: 'eli@crumb.example', phone: '+351 900 300', ...GRANT }]
  const [row] = done(await ada.write('POST', '/members/batches', { rows })).results
  assert.deepEqual([row.status, row.notices[0].code], ['updated', 'consent_withdrawn'])
  assert.deepEqual(await readConsent(id), WITHDRAWN)
  assert.equal((await ada.get(`/members/${id}`)).json.phone, '+351 900 300')
  await say('eli', true)
  assert.deepEqual(await readConsent(id), { granted: true, source: 'account' })
  assert.deepEqual(await readHistory('eli@crumb.example'), [
    'true fair',
    'false account by the person',
    'true account by the person',
  ])
})

test('neither a merge nor coming back after a deletion undoes a withdrawal', async () => {
  const ada = await staff()
  const [dev, femi] = [await readId('dev'), await readId('femi')]
  await say('dev', false)
  await say('dev', true)
  await say('dev', false)
  done(await ada.write('PATCH', `/members/${femi}`, GRANT))
  const merging = await ada.write('POST', `/members/${femi}/merges`, { member_id: dev })
  await approveAs(app, 'ada', merging.json.confirmation.url)
  assert.deepEqual(await readConsent(femi), WITHDRAWN)
  assert.ok((await readHistory('femi@crumb.example')).includes('true fair'))
  const removing = await ada.write('DELETE', `/members/${femi}`)
  await approveAs(app, 'ada', removing.json.confirmation.url)
  const back = done(await ada.write('POST', '/members', { email: 'femi@crumb.example', name: 'Femi', ...GRANT }))
  assert.deepEqual([back.id, back.notices[0].code], [femi, 'consent_withdrawn'])
  assert.deepEqual(await readConsent(femi), WITHDRAWN)
})

test('a consent that staff took back is granted again by staff', async () => {
  const ada = await staff()
  const body = { email: 'desk@crumb.example', name: 'Desk', send_invitation: false, ...GRANT }
  const { id } = done(await ada.write('POST', '/members', body))
  done(await ada.write('PATCH', `/members/${id}`, { marketing_consent: { granted: false, source: 'desk' } }))
  assert.equal(done(await ada.write('PATCH', `/members/${id}`, GRANT)).notices, undefined)
  assert.deepEqual(await readHistory('desk@crumb.example'), ['true fair', 'false desk', 'true fair'])
})
