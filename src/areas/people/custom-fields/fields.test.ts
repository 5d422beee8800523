import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { retryWhileBusy } from '#testing/http.ts'

const app = testApp()
const SCOPES = ['members:read', 'members:write']

const staff = () => app.actor('ben', { scopes: SCOPES })

type Field = { readonly id: string; readonly key: string; readonly position: number; readonly revision: number }

const readFields = async (actor: Actor): Promise<Field[]> => (await actor.get('/custom-fields')).json.data

const make = async (actor: Actor, key: string, more: object = { type: 'text' }): Promise<Field> => {
  const { status, json, text } = await actor.write('POST', '/custom-fields', { key, label: key, ...more })
  assert.equal(status, 201, text)
  return json
}

const memberCalled = async (actor: Actor, name: string) =>
  (await actor.get(`/members?email=${name}@crumb.example`)).json.data[0]

const give = async (actor: Actor, name: string, values: object) =>
  actor.write('PATCH', `/members/${(await memberCalled(actor, name)).id}`, { custom_fields: values })

test('a field is created, read, updated and deleted; its key and type never change', async () => {
  const ben = await staff()
  const created = await make(ben, 'allergies')
  const at = `/custom-fields/${created.id}`
  const read = await ben.get(at)
  assert.deepEqual([read.json.label, read.json.options, read.json.revision], ['allergies', [], 1])
  const etag = { 'if-match': String(read.headers.etag) }
  const changed = await ben.write('PATCH', at, { label: '  Allergies \u00ad ' }, etag)
  assert.deepEqual([changed.status, changed.json.label, changed.json.revision], [200, 'Allergies', 2])
  assert.equal((await ben.write('PATCH', at, { label: 'Again' }, etag)).status, 412)
  for (const body of [{ key: 'other' }, { type: 'number' }, { position: 0 }, { options: ['a'] }, { label: '\u200b' }]) {
    const refused = await ben.write('PATCH', at, body)
    assert.deepEqual([refused.status, refused.json.code], [422, 'invalid_body'], JSON.stringify(body))
  }
  assert.deepEqual([(await ben.get(at)).json.label, (await ben.get(at)).json.type], ['Allergies', 'text'])
  assert.equal((await ben.write('DELETE', at)).status, 204)
  assert.equal((await ben.get(at)).status, 404)
})

test('a key names one field, also when two requests create it concurrently', async () => {
  const ben = await staff()
  const both = await Promise.all(
    [1, 2].map(() => ben.write('POST', '/custom-fields', { key: 'twice', label: 'Twice', type: 'date' })),
  )
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409])
  assert.equal(both.find(({ status }) => status === 409)?.json.code, 'field_key_taken')
  assert.equal((await readFields(ben)).filter(({ key }) => key === 'twice').length, 1)
})

test('invalid fields are refused: keys outside the pattern, choices without values or with a value twice', async () => {
  const ben = await staff()
  const before = await readFields(ben)
  const wrong = [
    { key: 'Upper', label: 'x', type: 'text' },
    { key: '__proto', label: 'x', type: 'text' },
    { key: 'empty_choice', label: 'x', type: 'choice' },
    { key: 'doubled', label: 'x', type: 'choice', options: ['rye', ' rye'] },
    { key: 'unseen', label: 'x', type: 'choice', options: ['\u200b'] },
    { key: 'plain', label: 'x', type: 'text', options: ['rye'] },
  ]
  for (const body of wrong) {
    const refused = await ben.write('POST', '/custom-fields', body)
    assert.deepEqual([refused.status, refused.json.code], [422, 'invalid_body'], JSON.stringify(body))
  }
  assert.deepEqual(await readFields(ben), before)
})

test('an option that members have cannot be removed; the refusal and a dry run count the members', async () => {
  const ben = await staff()
  const field = await make(ben, 'mill', { type: 'choice', options: ['stone', 'steel', 'none'] })
  for (const name of ['dev', 'eli']) assert.equal((await give(ben, name, { mill: 'stone' })).status, 200)
  const at = `/custom-fields/${field.id}`
  for (const query of ['', '?dry_run=true']) {
    const refused = await ben.write('PATCH', `${at}${query}`, { options: ['steel'] })
    assert.deepEqual([refused.status, refused.json.code, refused.json.member_count], [409, 'option_in_use', 2])
  }
  assert.deepEqual((await ben.get(at)).json.options, ['stone', 'steel', 'none'])
  const fewer = await ben.write('PATCH', at, { options: ['steel', 'stone'] })
  assert.deepEqual([fewer.status, fewer.json.options], [200, ['steel', 'stone']])
  assert.equal((await give(ben, 'dev', { mill: 'none' })).status, 422)
})

test('deleting a field removes its values from all members; a dry run counts them and removes none', async () => {
  const ben = await staff()
  const field = await make(ben, 'shirt')
  for (const name of ['dev', 'femi']) assert.equal((await give(ben, name, { shirt: 'M' })).status, 200)
  const before = await memberCalled(ben, 'dev')
  const dry = await ben.write('DELETE', `/custom-fields/${field.id}?dry_run=true`)
  assert.equal(dry.json.effects[0].payload.member_count, 2, dry.text)
  assert.deepEqual(await memberCalled(ben, 'dev'), before)
  assert.equal((await ben.write('DELETE', `/custom-fields/${field.id}`)).status, 204)
  const after = await memberCalled(ben, 'dev')
  assert.ok(!('shirt' in after.custom_fields))
  assert.equal(after.revision, before.revision + 1)
  assert.equal((await give(ben, 'dev', { shirt: 'L' })).status, 422)
})

test('values that are stored while their field is deleted do not outlive it', async () => {
  const ben = await staff()
  const { id } = await memberCalled(ben, 'eli')
  for (let round = 0; round < 5; round++) {
    const key = `fleeting_${round}`
    const field = await make(ben, key)
    const values = Array.from({ length: 4 }, (_, index) =>
      ben.write('PATCH', `/members/${id}`, { custom_fields: { [key]: `v${index}` } }),
    )
    const remove = () => ben.write('DELETE', `/custom-fields/${field.id}`)
    const [removed, ...replies] = await Promise.all([retryWhileBusy(remove), ...values])
    assert.equal(removed?.status, 204, removed?.text)
    for (const { status, text } of replies) assert.ok([200, 422, 503].includes(status), text)
    assert.ok(!(key in (await memberCalled(ben, 'eli')).custom_fields), `round ${round}`)
  }
})

test('a reordering names every field once, and moves all of them or none', async () => {
  const ben = await staff()
  const before = await readFields(ben)
  assert.ok(before.length > 2)
  const ids = before.map(({ id }) => id)
  const [first = '', ...rest] = ids
  for (const wrong of [rest, [...ids, first], [...rest, rest[0]], []]) {
    const refused = await ben.write('PUT', '/custom-fields/order', { ids: wrong })
    assert.deepEqual([refused.status, refused.json.code], [422, 'invalid_body'])
  }
  assert.deepEqual(await readFields(ben), before)
  const turned = await ben.write('PUT', '/custom-fields/order', { ids: [...ids].reverse() })
  assert.deepEqual(
    turned.json.data.map(({ id }: Field) => id),
    [...ids].reverse(),
  )
  const now = await readFields(ben)
  assert.deepEqual(
    now.map(({ position }) => position),
    now.map((_, index) => index),
  )
  const again = await ben.write('PUT', '/custom-fields/order', { ids: [...ids].reverse() })
  assert.deepEqual(again.json.data, turned.json.data, 'the order that holds already is not written again')
  const two = (await ben.get('/custom-fields?limit=2')).json
  const more = (await ben.get(`/custom-fields?limit=100&cursor=${two.next_cursor}`)).json
  assert.deepEqual([...two.data, ...more.data], now)
})

test('a school has at most a hundred custom fields', async () => {
  const ben = await staff()
  const left = 100 - (await readFields(ben)).length
  for (let index = 0; index < left; index++) await make(ben, `many_${index}`)
  const refused = await ben.write('POST', '/custom-fields', { key: 'too_many', label: 'x', type: 'text' })
  assert.deepEqual([refused.status, refused.json.code], [409, 'too_many_fields'])
  assert.equal((await ben.get('/custom-fields?limit=1&include_total=true')).json.total, 100)
})
