import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { type PersonName, testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import { startMailbox } from '#testing/mail.ts'
import { type Receiver, startReceiver, withStatus } from '#testing/receiver.ts'
import { until } from '#testing/until.ts'
import { fetched } from '#testing/uploads.ts'

let mailbox: Awaited<ReturnType<typeof startMailbox>> | undefined
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
let receiver: Receiver
before(async () => {
  receiver = await startReceiver()
  // What is sent waits for its next attempt.
  receiver.answer(withStatus(503, { 'retry-after': '7200' }))
})
after(async () => {
  await receiver.stop()
  await mailbox?.stop()
})
afterEach(async () => {
  await app.database.query('delete from webhooks')
  receiver.received.length = 0
})

const TYPES = ['member.updated']
const create = async (by: Actor): Promise<{ readonly id: string; readonly secret: string }> => {
  const made = await by.write('POST', '/webhooks', { url: receiver.url, types: TYPES })
  assert.equal(made.status, 201, made.text)
  return made.json
}

const staff = () => app.actor('ada', { scopes: ['members:read', 'members:write', 'school:read'] })
const readId = async (name: PersonName): Promise<string> =>
  (await (await staff()).get(`/members?email=${name}@crumb.example`)).json.data[0].id

const readRows = async () =>
  (
    await app.database.query<{ state: string }>(
      `select concat_ws(' ', w.status, w.disabled_reason, m.email, (select string_agg(d.status, ' ') from webhook_deliveries d
         where d.webhook_id = w.id)) as state
       from webhooks w join members m on m.id = w.member_id order by w.created_at`,
    )
  ).map(({ state }) => state)

/** Creates a webhook of an app of a person, and one of the school by the same person, to which a fact waits to be sent. */
const addBoth = async (name: PersonName): Promise<string> => {
  const actor = await app.actor(name, { as: 'admin', scopes: ['school:read', 'members:read'] })
  await create(actor)
  await app.database.query('update webhooks set client_id = null')
  await create(actor)
  const femi = await readId('femi')
  const changed = await (await staff()).write('PATCH', `/members/${femi}`, { phone: `+351 ${name.charCodeAt(0)}` })
  assert.equal(changed.status, 200, changed.text)
  await until(async () => receiver.received.length === 2, 'an attempt at each')
  await until(async () => {
    const [row] = await app.database.query<{ count: number }>(
      'select count(*)::integer as count from webhook_deliveries where attempts = 1',
    )
    return row?.count === 2
  }, 'both marks')
  return readId(name)
}

const confirmed = async (path: string, body?: object): Promise<void> => {
  const asked = await (await staff()).write('POST', path, body)
  assert.equal(asked.status, 202, asked.text)
  await approveAs(app, 'ada', asked.json.confirmation.url)
}

test('the copy of their data that a member gets names their webhooks, and no secret', async () => {
  const scopes = ['account:read', 'account:write', 'school:read', 'members:read']
  const dev = await app.actor('dev', { as: 'admin', scopes })
  const { id, secret } = await create(dev)
  const reply = await dev.write('POST', '/account/exports')
  const path = `/account/exports/${reply.json.id}`
  await until(async () => (await dev.get(path)).json.status === 'ready', 'the copy')
  const { bytes } = await fetched((await dev.get(path)).json.file.url)
  const text = bytes.toString('utf8')
  const [own, ...others] = JSON.parse(text).data.webhooks
  assert.deepEqual(
    [own.id, own.url, own.types, own.client_id, own.status],
    [id, receiver.url, TYPES, dev.clientId, 'active'],
  )
  assert.deepEqual(others, [])
  assert.equal(text.includes(secret), false)
})

test('the webhooks of an erased member end with what waits, and those of the school stay', async () => {
  const id = await addBoth('ben')
  await confirmed(`/members/${id}/erasure`)
  const [ofSchool, ofApp, ...others] = await readRows()
  assert.match(ofSchool ?? '', /^active \S+ waiting$/)
  assert.match(ofApp ?? '', /^disabled access_ended \S+ dropped$/)
  assert.deepEqual(others, [])
  assert.equal(receiver.received.length, 2)
})

test('of two members that are merged the webhooks of the erased one end, and those of the school are of the other one', async () => {
  const [from, into] = [await addBoth('dev'), await readId('eli')]
  await confirmed(`/members/${into}/merges`, { member_id: from })
  const [ofSchool, ofApp, ...others] = await readRows()
  assert.equal(ofSchool, 'active eli@crumb.example waiting')
  assert.match(ofApp ?? '', /^disabled access_ended \S+ dropped$/)
  assert.deepEqual(others, [])
})
