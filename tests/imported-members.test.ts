import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeMemberRows, importMembers, type MemberUndo, undoMembers } from '#src/areas/people/index.ts'
import { toId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import { importing } from '#testing/importing.ts'

const app = testApp()
const { facts, run } = importing(app)
const OPTIONS = { existing: 'update', restores: false, invites: false } as const
const staff = () => app.actor('ada', { scopes: ['members:read', 'members:write'] })

const bring = (rows: readonly object[], options: Partial<Parameters<typeof importMembers>[2]> = {}) =>
  run('ada', 'owner', context => importMembers(context, decodeMemberRows(rows), { ...OPTIONS, ...options }))

const takeBack = (undos: readonly MemberUndo[]) => run('ada', 'owner', context => undoMembers(context, undos))

const listUndos = (outcomes: Awaited<ReturnType<typeof bring>>): MemberUndo[] =>
  outcomes.flatMap(({ undo }) => undo ?? [])

const listRows = async (table: 'mails' | 'address_codes' | 'member_notes' | 'member_tags', id: string) =>
  app.database.query(`select from ${table} where school_id = $1 and member_id = $2`, [app.a.id, id])

test('an import stores notes and when people joined once, and says what it changed', async () => {
  const ada = await staff()
  const row = {
    email: 'new1@crumb.example',
    name: 'New One',
    joined_at: '2020-02-03T00:00:00.000Z',
    note: 'Came by the bakery.',
    tags: ['Moved'],
  }
  const [created] = await bring([row])
  assert.equal(created?.status, 'created')
  const id = toId('mem', created.id ?? '')
  const { json } = await ada.get(`/members/${id}`)
  assert.deepEqual([json.joined_at, json.tags, json.status], [row.joined_at, ['moved'], 'invited'])
  assert.deepEqual(
    (await ada.get(`/members/${id}/notes`)).json.data.map(({ body }: { body: string }) => body),
    [row.note],
  )
  assert.deepEqual(
    (await bring([row])).map(({ status, undo }) => [status, undo]),
    [['unchanged', undefined]],
  )
  const [guessed, skipped, renamed] = [
    await bring([{ ...row, name: 'new1', is_name_guessed: true }]),
    await bring([{ ...row, name: 'Other' }], { existing: 'skip' }),
    await bring([{ ...row, name: 'Other', phone: '+351 1234' }]),
  ]
  assert.deepEqual([guessed[0]?.status, skipped[0]?.status, skipped[0]?.id], ['unchanged', 'skipped', created.id])
  assert.deepEqual(renamed[0]?.undo?.before, { name: 'New One', phone: null })
  assert.deepEqual(renamed[0]?.undo?.after, { name: 'Other', phone: '+351 1234' })
  const [future] = await bring([{ ...row, joined_at: '2999-01-01T00:00:00.000Z' }])
  assert.deepEqual(
    future?.errors?.map(({ pointer, code }) => [pointer, code]),
    [['/joined_at', 'future']],
  )
})

test('a row that names a member by external id and one by the address are duplicates', async () => {
  await bring([{ email: 'both@crumb.example', name: 'Both', external_id: 'both-1' }])
  const outcomes = await bring([
    { email: 'both-new@crumb.example', name: 'Both', external_id: 'both-1' },
    { email: 'both@crumb.example', name: 'Again' },
  ])
  assert.deepEqual(
    outcomes.map(({ status, errors }) => [status, errors?.[0]?.code]),
    [
      ['updated', undefined],
      ['failed', 'duplicate'],
    ],
  )
})

test('fields go back where they are as the import stored them, and stay where somebody changed them', async () => {
  const ada = await staff()
  const [first] = await bring([
    { email: 'back@crumb.example', name: 'Before', phone: '+351 1', external_id: 'back-1', tags: ['old'] },
  ])
  const path = `/members/${toId('mem', first?.id ?? '')}`
  const outcomes = await bring([
    {
      email: 'back2@crumb.example',
      name: 'After',
      phone: '+351 2',
      external_id: 'back-1',
      tags: ['new'],
      note: 'By import',
      marketing_consent: { granted: true, source: 'import' },
    },
  ])
  assert.equal((await ada.write('PATCH', path, { phone: '+351 3' })).status, 200)
  assert.deepEqual(await takeBack(listUndos(outcomes)), [{ status: 'kept', reason: 'changed' }])
  const { json } = await ada.get(path)
  assert.deepEqual(
    [json.email, json.name, json.phone, json.tags, json.marketing_consent.granted],
    ['back@crumb.example', 'Before', '+351 3', ['old'], false],
  )
  assert.deepEqual((await ada.get(`${path}/notes`)).json.data, [])
})

test('an address that somebody else has by now does not go back', async () => {
  const [first] = await bring([{ email: 'taken@crumb.example', name: 'First', external_id: 'taken-1' }])
  const moved = await bring([{ email: 'moved@crumb.example', name: 'First', external_id: 'taken-1' }])
  await bring([{ email: 'taken@crumb.example', name: 'Second' }])
  assert.deepEqual(await takeBack(listUndos(moved)), [{ status: 'kept', reason: 'changed' }])
  const { json } = await (await staff()).get(`/members/${toId('mem', first?.id ?? '')}`)
  assert.equal(json.email, 'moved@crumb.example')
})

test('who was created is erased unless they signed in, were changed or are in use, without a mail or a departure', async () => {
  const ada = await staff()
  const names = ['plain', 'renamed', 'noted', 'grouped', 'seen', 'erased', 'tagged']
  const outcomes = await bring(
    names.map(name => ({ email: `undo-${name}@crumb.example`, name, note: 'Imported', tags: ['moved'] })),
    { invites: true },
  )
  const ids = outcomes.map(({ id = '' }) => id)
  const [plain = '', renamed = '', noted = '', grouped = '', seen = '', erased = '', tagged = ''] = ids
  const path = (id: string): string => `/members/${toId('mem', id)}`
  await ada.write('PATCH', path(renamed), { name: 'Somebody' })
  await ada.write('POST', `${path(noted)}/notes`, { body: 'By staff' })
  const { json: group } = await ada.write('POST', '/groups', { name: 'Of staff' })
  await ada.write('PUT', `/groups/${group.id}/members/${toId('mem', grouped)}`)
  await app.database.query(
    "update members set status = 'active', last_seen_at = stoa.now() where school_id = $1 and id = $2",
    [app.a.id, seen],
  )
  await app.database.query('update members set erased_at = stoa.now() where school_id = $1 and id = $2', [
    app.a.id,
    erased,
  ])
  await ada.write('PUT', `${path(tagged)}/tags/vip`)
  await app.database.query(
    `insert into mails (school_id, id, member_id, recipient, kind, locale, "values", recorded_at, not_before)
     values ($1, gen_random_uuid(), $2, 'undo-plain@crumb.example', 'invitation', 'en', '{}', stoa.now(), stoa.now())`,
    [app.a.id, plain],
  )
  const before = facts.length
  const undone = await takeBack(listUndos(outcomes))
  assert.deepEqual(
    undone.map(one => (one.status === 'kept' ? one.reason : one.status)),
    ['undone', 'changed', 'in_use', 'in_use', 'signed_in', 'gone', 'changed'],
  )
  assert.deepEqual(facts.slice(before), [])
  const { json } = await ada.get(path(plain))
  assert.deepEqual([json.status, json.name, json.tags], ['deleted', 'Erased member', []])
  for (const table of ['mails', 'address_codes', 'member_notes', 'member_tags'] as const)
    assert.equal((await listRows(table, plain)).length, 0, table)
  assert.equal((await ada.get(path(grouped))).json.name, 'grouped')
  assert.deepEqual(
    (await takeBack(listUndos(outcomes).slice(0, 1))).map(one => one.status),
    ['kept'],
  )
  const again = await bring([{ email: 'undo-plain@crumb.example', name: 'Plain again' }])
  assert.equal(again[0]?.status, 'created')
})

test('a deleted member who came back by an import is deleted again, unless they signed in', async () => {
  const ada = await staff()
  const made = await bring([
    { email: 'left1@crumb.example', name: 'Left' },
    { email: 'left2@crumb.example', name: 'Left' },
  ])
  const ids = made.map(({ id = '' }) => id)
  await app.database.query(
    "update members set status = 'deleted', deleted_at = stoa.now() where school_id = $1 and id = any ($2::uuid[])",
    [app.a.id, ids],
  )
  const rows = [
    { email: 'left1@crumb.example', name: 'Left' },
    { email: 'left2@crumb.example', name: 'Left' },
  ]
  assert.deepEqual(
    (await bring(rows)).map(({ errors }) => errors?.[0]?.code),
    ['deleted', 'deleted'],
  )
  const back = await bring(rows, { restores: true, existing: 'skip' })
  assert.deepEqual(
    back.map(({ status }) => status),
    ['updated', 'updated'],
  )
  await app.database.query("update members set status = 'active' where school_id = $1 and id = $2", [app.a.id, ids[1]])
  assert.deepEqual(await takeBack(listUndos(back)), [{ status: 'undone' }, { status: 'kept', reason: 'signed_in' }])
  assert.equal((await ada.get(`/members/${toId('mem', ids[0] ?? '')}`)).json.status, 'deleted')
})

test('an admin undoes nothing that was done to an owner', async () => {
  const [owner] = await bring([{ email: 'to-owner@crumb.example', name: 'Owner' }])
  await app.database.query("update members set role = 'owner' where school_id = $1 and id = $2", [app.a.id, owner?.id])
  const undone = await run('ben', 'admin', context => undoMembers(context, owner?.undo ? [owner.undo] : []))
  assert.deepEqual(undone, [{ status: 'kept', reason: 'changed' }])
})

test('a withdrawn consent stays withdrawn through an import and its undo', async () => {
  const [one] = await bring([
    { email: 'consent@crumb.example', name: 'Consent', marketing_consent: { granted: true, source: 'form' } },
  ])
  await app.database.query(
    `update members set marketing_granted = false, marketing_source = 'unsubscribe', marketing_by_person = true
     where school_id = $1 and id = $2`,
    [app.a.id, one?.id],
  )
  const [again] = await bring([
    {
      email: 'consent@crumb.example',
      name: 'Renamed',
      marketing_consent: { granted: true, source: 'import' },
    },
  ])
  assert.deepEqual([again?.status, again?.notices?.map(({ code }) => code)], ['updated', ['consent_withdrawn']])
  await takeBack(again?.undo ? [again.undo] : [])
  const { json } = await (await staff()).get(`/members/${toId('mem', one?.id ?? '')}`)
  assert.deepEqual([json.name, json.marketing_consent.granted], ['Consent', false])
})
