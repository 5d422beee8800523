import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { retryWhileBusy } from '#testing/http.ts'

const app = testApp()
const SCOPES = ['members:read', 'members:write', 'school:read']

const staff = () => app.actor('ben', { scopes: SCOPES })

const make = async (actor: Actor, body: object): Promise<string> => {
  const { status, json, text } = await actor.write('POST', '/groups', body)
  assert.equal(status, 201, text)
  return json.id
}

const readNames = async (actor: Actor, query = ''): Promise<string[]> =>
  (await actor.get(`/groups${query}`)).json.data.map(({ name }: { name: string }) => name)

test('a group is created, read with its member count, updated under its ETag and deleted', async () => {
  const ben = await staff()
  const circle = (await ben.get('/groups/external:bakers-circle')).json
  assert.deepEqual([circle.name, circle.member_count, circle.item_count], ["Bakers' circle", 2, 0])
  const id = await make(ben, { name: ' Night \u00ad shift ', external_id: 'night' })
  const read = await ben.get(`/groups/${id}`)
  assert.deepEqual([read.json.name, read.json.description, read.json.member_count], ['Night shift', '', 0])
  const etag = { 'if-match': String(read.headers.etag) }
  const changed = await ben.write('PATCH', `/groups/${id}`, { description: 'Ten to six', external_id: null }, etag)
  assert.deepEqual([changed.status, changed.json.revision, changed.json.external_id], [200, 2, null])
  assert.equal((await ben.write('PATCH', `/groups/${id}`, { name: 'Lost' }, etag)).status, 412)
  assert.equal((await ben.write('DELETE', `/groups/${id}`, undefined, etag)).status, 412)
  assert.equal((await ben.get(`/groups/${id}`)).json.name, 'Night shift')
  assert.equal((await ben.write('DELETE', `/groups/${id}`)).status, 204)
  for (const path of ['', '/members', '/items']) assert.equal((await ben.get(`/groups/${id}${path}`)).status, 404)
  assert.equal((await ben.write('DELETE', `/groups/${id}`)).status, 404)
  const again = await make(ben, { name: 'Night shift' })
  assert.notEqual(again, id, 'the name is free again')
})

test('a group name is unique whatever its case and accents, also when two requests use it concurrently', async () => {
  const ben = await staff()
  await make(ben, { name: 'Crème Brûlée', external_id: 'creme' })
  const other = await make(ben, { name: 'Custard' })
  const before = (await ben.get('/groups?limit=100')).json.data
  const refused = [
    [await ben.write('POST', '/groups', { name: 'CREME BRULEE' }), 'group_name_taken'],
    [await ben.write('PATCH', `/groups/${other}`, { name: 'creme brûlée' }), 'group_name_taken'],
    [await ben.write('POST', '/groups', { name: 'Other', external_id: 'creme' }), 'group_external_id_taken'],
    [await ben.write('PATCH', `/groups/${other}`, { external_id: 'creme' }), 'group_external_id_taken'],
  ] as const
  for (const [reply, code] of refused) assert.deepEqual([reply.status, reply.json.code], [409, code])
  assert.equal((await ben.write('POST', '/groups', { name: '\u200b' })).status, 422)
  assert.deepEqual((await ben.get('/groups?limit=100')).json.data, before)
  const both = await Promise.all([
    ben.write('POST', '/groups', { name: 'Éclairs' }),
    ben.write('PATCH', `/groups/${other}`, { name: 'eclairs' }),
  ])
  assert.equal(both.filter(({ status }) => status === 409).length, 1)
  assert.equal((await readNames(ben, '?q=eclairs')).length, 1)
  const renamed = await ben.write('PATCH', `/groups/${other}`, { name: 'CUSTARD' })
  assert.equal(renamed.status, 200, 'its own name in another case is free to it')
})

test('groups are listed by name, found by words, member and external id, and only in their school', async () => {
  const ben = await staff()
  for (const name of ['Zoë and friends', 'alpha bakers', 'Ämter']) await make(ben, { name })
  const all = await readNames(ben, '?limit=100')
  const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  assert.deepEqual(
    all.map(folded),
    all.map(folded).sort((a, b) => (a < b ? -1 : 1)),
  )
  const paged: string[] = []
  for (let next = ''; ; ) {
    const page = (await ben.get(`/groups?limit=2${next}`)).json
    paged.push(...page.data.map(({ name }: { name: string }) => name))
    if (!page.has_more) break
    next = `&cursor=${page.next_cursor}`
  }
  assert.deepEqual(paged, all)
  assert.deepEqual(await readNames(ben, '?q=zoe'), ['Zoë and friends'])
  assert.deepEqual(await readNames(ben, '?external_id=bakers-circle'), ["Bakers' circle"])
  const { id: dev } = (await ben.get('/members?email=dev@crumb.example')).json.data[0]
  const { id: femi } = (await ben.get('/members?email=femi@crumb.example')).json.data[0]
  assert.deepEqual(await readNames(ben, `?member_id=${dev}`), ["Bakers' circle"])
  assert.deepEqual(await readNames(ben, `?member_id=${femi}`), [])
  const elsewhere = await app.actor('ada', { scopes: SCOPES, school: app.b })
  assert.deepEqual(await readNames(elsewhere), ["Bakers' circle"])
  assert.deepEqual(await readNames(elsewhere, '?q=zoe'), [])
  const expanded = (await ben.get(`/members/${dev}?expand=groups`)).json.groups
  assert.deepEqual(
    expanded.map(({ name }: { name: string }) => name),
    ["Bakers' circle"],
  )
})

test('a member who is added to a group while it is deleted is in no group afterwards', async () => {
  const ben = await staff()
  const people = (await ben.get('/members?limit=100')).json.data
  const ids: string[] = people
    .filter(({ role }: { role: string }) => role === 'member')
    .map(({ id }: { id: string }) => id)
  assert.ok(ids.length >= 4)
  for (let round = 0; round < 5; round++) {
    const group = await make(ben, { name: `Fleeting ${round}` })
    const joining = ids.map(id => retryWhileBusy(() => ben.write('PUT', `/groups/${group}/members/${id}`)))
    const [ended, ...joined] = await Promise.all([
      retryWhileBusy(() => ben.write('DELETE', `/groups/${group}`)),
      ...joining,
    ])
    assert.equal(ended?.status, 204, ended?.text)
    for (const { status, text } of joined) assert.ok([200, 404].includes(status), text)
    for (const id of ids) {
      const { groups } = (await ben.get(`/members/${id}?expand=groups`)).json
      assert.ok(!groups.some((one: { id: string }) => one.id === group), `round ${round}`)
    }
  }
})
