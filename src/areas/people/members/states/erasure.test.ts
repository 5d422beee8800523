import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { type PersonName, testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import { tablesWith } from '#testing/database.ts'

const app = testApp()
const SCOPES = ['members:read', 'members:write', 'school:read', 'school:write']
const MARKER = 'zanzibar'

const done = async (reply: ReturnType<Actor['write']>) => {
  const { status, json, text } = await reply
  assert.ok(status < 300, text)
  return json
}

/** Stores everything that the school can know of a person of the demo data, each text with the marker in it. */
const storePersonalData = async (ada: Actor, name: PersonName, marker: string): Promise<string> => {
  await app.actor(name)
  const [{ id }] = (await ada.get(`/members?email=${name}@crumb.example`)).json.data
  const patch = {
    name: `Zed ${marker}`,
    phone: '+351 900 100',
    locale: 'pt',
    time_zone: 'Europe/Lisbon',
    external_id: `x-${marker}`,
    custom_fields: { allergy: `nuts of ${marker}` },
    marketing_consent: { granted: true, source: `fair of ${marker}` },
  }
  await done(ada.write('PATCH', `/members/${id}`, patch, { 'idempotency-key': marker }))
  await done(ada.write('PUT', `/members/${id}/tags/${marker}`))
  await done(ada.write('POST', `/members/${id}/notes`, { body: `a note on ${marker}` }))
  await done(ada.write('PUT', `/members/${id}/suspension`, { reason: `because of ${marker}` }))
  return id
}

const readRow = async (name: string): Promise<Record<string, unknown>> => {
  const [row] = await app.database.query<{ row: Record<string, unknown> }>(
    'select to_jsonb(m) as row from members m where school_id = $1 and name = $2',
    [app.a.id, name],
  )
  assert.ok(row)
  return row.row
}

const erase = async (ada: Actor, id: string): Promise<void> => {
  const reply = await ada.write('POST', `/members/${id}/erasure`)
  assert.equal(reply.status, 202, reply.text)
  await approveAs(app, 'ada', reply.json.confirmation.url)
}

const addField = (ada: Actor) =>
  done(ada.write('POST', '/custom-fields', { key: 'allergy', label: 'Allergy', type: 'text' }))

test('an erasure leaves no value of a member in any column or table', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  await addField(ada)
  const id = await storePersonalData(ada, 'dev', MARKER)
  const before = await readRow(`Zed ${MARKER}`)
  await erase(ada, id)
  const {
    school_id,
    id: uuid,
    created_at,
    updated_at,
    deleted_at,
    erased_at,
    revision,
    changed_in,
    ...rest
  } = await readRow('Erased member')
  assert.deepEqual([school_id, uuid, created_at], [before.school_id, before.id, before.created_at])
  assert.deepEqual([deleted_at, updated_at], [erased_at, erased_at])
  assert.ok(Number(revision) > Number(before.revision) && Number(changed_in) > Number(before.changed_in))
  const address = `${id}@erased.invalid`
  // A column that is added to the table has to be decided on here.
  assert.deepEqual(rest, {
    email: address,
    email_folded: address,
    email_verified: false,
    name: 'Erased member',
    name_folded: 'erased member',
    phone: null,
    locale: null,
    time_zone: null,
    role: 'member',
    status: 'deleted',
    external_id: null,
    custom_fields: {},
    marketing_granted: false,
    marketing_at: null,
    marketing_by_person: false,
    marketing_source: null,
    joined_at: null,
    last_seen_at: null,
    suspended_at: null,
    suspended_for: null,
    avatar_file_id: null,
    // When the school wrote, and whether it may, tell nothing of the person.
    invited_at: before.invited_at,
    notify_lesson_opened: before.notify_lesson_opened,
    muted_mails: before.muted_mails,
  })
  assert.deepEqual(await tablesWith(app.database, MARKER), [])
})

test('an erasure of one member leaves all data of another, and cannot be repeated', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const kept = await storePersonalData(ada, 'eli', 'keeper')
  const gone = await storePersonalData(ada, 'femi', 'leaver')
  const before = await readRow('Zed keeper')
  const tables = await tablesWith(app.database, 'keeper')
  await erase(ada, gone)
  assert.deepEqual(await readRow('Zed keeper'), before)
  assert.deepEqual(await tablesWith(app.database, 'keeper'), tables)
  assert.equal((await ada.get(`/members/${kept}/notes`)).json.data.length, 1)
  assert.equal((await ada.write('POST', `/members/${gone}/erasure`)).status, 404)
})
