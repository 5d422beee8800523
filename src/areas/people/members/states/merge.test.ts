import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { type PersonName, testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import type { TestReply } from '#testing/http.ts'

const app = testApp()
const SCOPES = ['members:read', 'members:write', 'school:read']

const staff = (name: 'ada' | 'ben' = 'ada') => app.actor(name, { scopes: SCOPES })
const done = async (reply: Promise<TestReply>) => {
  const { status, json, text } = await reply
  assert.ok(status < 300, text)
  return json
}
const readId = async (actor: Actor, name: PersonName): Promise<string> =>
  (await actor.get(`/members?email=${name}@crumb.example`)).json.data[0].id
const create = (actor: Actor, name: string, more: object = {}) =>
  done(actor.write('POST', '/members', { email: `${name}@crumb.example`, name, send_invitation: false, ...more }))
const merge = (actor: Actor, into: string, member_id: string) =>
  actor.write('POST', `/members/${into}/merges`, { member_id })
const formatProblem = ({ status, json }: TestReply): string =>
  [status, json.code, json.errors?.[0]?.code].filter(Boolean).join(' ')

test('a merge fills empty fields, adds tags, notes and groups, and erases the other member', async () => {
  const ada = await staff()
  for (const key of ['shirt', 'allergy'])
    await done(ada.write('POST', '/custom-fields', { key, label: key, type: 'text' }))
  const more = { phone: '+351 900', locale: 'pt', time_zone: 'Europe/Lisbon', external_id: 'other-1', tags: ['b', 'c'] }
  const into = await create(ada, 'kept', { phone: '+351 100', tags: ['a', 'b'] })
  const other = await create(ada, 'taken', more)
  await done(ada.write('PATCH', `/members/${into.id}`, { custom_fields: { shirt: 'M' } }))
  await done(ada.write('PATCH', `/members/${other.id}`, { custom_fields: { shirt: 'L', allergy: 'nuts' } }))
  await done(ada.write('POST', `/members/${other.id}/notes`, { body: 'a note' }))
  const group = await done(ada.write('POST', '/groups', { name: 'Bakers' }))
  await done(ada.write('PUT', `/groups/${group.id}/members/${other.id}`))
  const reply = await merge(ada, into.id, other.id)
  assert.equal(reply.status, 202, reply.text)
  await approveAs(app, 'ada', reply.json.confirmation.url)
  const { json } = await ada.get(`/members/${into.id}?expand=groups`)
  assert.deepEqual(
    [json.name, json.phone, json.locale, json.time_zone, json.external_id, json.tags.sort(), json.custom_fields],
    ['kept', '+351 100', 'pt', 'Europe/Lisbon', 'other-1', ['a', 'b', 'c'], { shirt: 'M', allergy: 'nuts' }],
  )
  assert.deepEqual(
    json.groups.map(({ id }: { id: string }) => id),
    [group.id],
  )
  const { json: notes } = await ada.get(`/members/${into.id}/notes`)
  assert.deepEqual(
    notes.data.map(({ body }: { body: string }) => body),
    ['a note'],
  )
  assert.equal((await ada.get(`/members/${other.id}`)).json.name, 'Erased member')
  const { json: log } = await ada.get('/school/audit-log?operation=mergeMembers')
  assert.deepEqual([...log.data[0].resource_ids].sort(), [into.id, other.id].sort())
  assert.deepEqual([log.data[0].fields, log.data[0].revision], [['merged'], json.revision])
  const facts = await app.database.query<{ type: string; payload: object }>(
    `select type, payload from facts where type in ('member.merged', 'member.erased') and school_id = $1 order by type`,
    [app.a.id],
  )
  assert.deepEqual(
    facts.map(({ type }) => type),
    ['member.erased', 'member.merged'],
  )
  assert.deepEqual(facts[1]?.payload, { member_id: into.id, merged_member_id: other.id })
  assert.equal(formatProblem(await merge(ada, into.id, other.id)), '422 invalid_body unknown', 'it is gone')
  assert.equal(formatProblem(await merge(ada, other.id, into.id)), '404 not_found')
})

test('a merge keeps what both members have as it is in the one that stays', async () => {
  const ada = await staff()
  const settings = (plan: string) => ({
    name: plan,
    phone: plan === 'stays' ? '+351 1' : '+351 2',
    locale: plan === 'stays' ? 'en' : 'pt',
    time_zone: plan === 'stays' ? 'Europe/Lisbon' : 'Asia/Tokyo',
    external_id: plan,
  })
  const into = await create(ada, 'stays', settings('stays'))
  const other = await create(ada, 'goes', settings('goes'))
  await approveAs(app, 'ada', (await merge(ada, into.id, other.id)).json.confirmation.url)
  const { json } = await ada.get(`/members/${into.id}`)
  const { name, phone, locale, time_zone, external_id } = json
  assert.deepEqual({ name, phone, locale, time_zone, external_id }, settings('stays'))
})

test('a merge keeps off the e-mails that either account turned off, and takes over no consent', async () => {
  const ada = await staff()
  const granted = { marketing_consent: { granted: true, source: 'fair' } }
  const withdrawn = { marketing_consent: { granted: false, source: 'phone' } }
  // Consents of the remaining and the other account in the order in which they were given or withdrawn, and what is left.
  const cases = [
    {
      name: 'later',
      changes: [
        ['into', granted],
        ['from', granted],
        ['from', withdrawn],
      ],
      left: [false, 'phone'],
    },
    {
      name: 'earlier',
      changes: [
        ['from', withdrawn],
        ['into', granted],
      ],
      left: [true, 'fair'],
    },
    { name: 'never', changes: [['from', granted]], left: [false, null] },
  ] as const
  for (const { name, changes, left } of cases) {
    const into = await create(ada, `${name}-stays`)
    const from = await create(ada, `${name}-goes`)
    for (const [of, change] of changes)
      await done(ada.write('PATCH', `/members/${of === 'into' ? into.id : from.id}`, change))
    await app.database.query(
      `update members set muted_mails = case when email like '%goes%' then '{replies,reminders}' else '{news,replies}' end::text[]
       where email like $1`,
      [`${name}-%`],
    )
    await approveAs(app, 'ada', (await merge(ada, into.id, from.id)).json.confirmation.url)
    const { marketing_consent: consent } = (await ada.get(`/members/${into.id}`)).json
    assert.deepEqual([consent.granted, consent.source], left, name)
    const [row] = await app.database.query<{ muted_mails: string[] }>(
      'select muted_mails from members where email = $1',
      [`${name}-stays@crumb.example`],
    )
    assert.deepEqual(row?.muted_mails, ['news', 'reminders', 'replies'])
  }
})

test('a member is not merged with themselves or an unknown member, and nobody merges away their own account', async () => {
  const ada = await staff()
  const [me, eli] = [await readId(ada, 'ada'), await readId(ada, 'eli')]
  assert.equal(formatProblem(await merge(ada, eli, eli)), '422 invalid_body same')
  assert.equal(formatProblem(await merge(ada, eli, 'mem_01m824jtpdehpay72bwwt259ag')), '422 invalid_body unknown')
  assert.equal(formatProblem(await merge(ada, eli, me)), '409 own_account')
  assert.equal(formatProblem(await ada.write('POST', `/members/${me}/erasure`)), '409 own_account')
  assert.equal((await merge(ada, me, eli)).status, 202, 'one may take another in')
})

test('an admin neither erases nor merges an owner, on either side', async () => {
  const ben = await staff('ben')
  const [ada, eli] = [await readId(ben, 'ada'), await readId(ben, 'eli')]
  assert.equal(formatProblem(await ben.write('POST', `/members/${ada}/erasure`)), '403 role_required')
  for (const [into, other] of [
    [ada, eli],
    [eli, ada],
  ] as const)
    assert.equal(formatProblem(await merge(ben, into, other)), '403 role_required')
  assert.equal((await ben.write('POST', `/members/${eli}/erasure`)).status, 202)
})
