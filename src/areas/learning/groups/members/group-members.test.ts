import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { retryWhileBusy } from '#testing/http.ts'

const app = testApp()
const SCOPES = ['members:read', 'members:write', 'school:read']

const staff = () => app.actor('ben', { scopes: SCOPES })

const make = async (actor: Actor, name: string): Promise<string> =>
  (await actor.write('POST', '/groups', { name })).json.id

const readId = async (actor: Actor, name: string): Promise<string> =>
  (await actor.get(`/members?email=${name}@crumb.example`)).json.data[0].id

const readMembers = async (actor: Actor, group: string): Promise<string[]> =>
  (await actor.get(`/groups/${group}/members?limit=100`)).json.data.map(({ name }: { name: string }) => name)

const facts = (kind: string) =>
  app.database.query<{ payload: Record<string, string> }>('select payload from facts where type = $1 order by id', [
    kind,
  ])

test('a member is added to a group and removed; repeating either writes nothing', async () => {
  const ben = await staff()
  const group = await make(ben, 'Rye people')
  const at = `/groups/${group}/members/${await readId(ben, 'femi')}`
  const added = await ben.write('PUT', at)
  assert.deepEqual([added.status, added.json.name, added.json.email], [200, 'Femi Adeyemi', 'femi@crumb.example'])
  const written = (await facts('group.member_added')).length
  const again = await ben.write('PUT', at)
  assert.deepEqual([again.status, again.json], [200, added.json])
  assert.equal((await facts('group.member_added')).length, written)
  assert.deepEqual(await readMembers(ben, group), ['Femi Adeyemi'])
  assert.equal((await ben.get(`/groups/${group}`)).json.member_count, 1)
  for (let time = 0; time < 2; time++) assert.equal((await ben.write('DELETE', at)).status, 204)
  assert.equal((await facts('group.member_removed')).length, 1)
  assert.deepEqual(await readMembers(ben, group), [])
  assert.equal((await ben.write('PUT', at)).status, 200, 'who left can come again')
})

test('two concurrent requests add a member to a group once', async () => {
  const ben = await staff()
  const group = await make(ben, 'At once')
  const at = `/groups/${group}/members/${await readId(ben, 'eli')}`
  const both = await Promise.all([1, 2, 3, 4].map(() => retryWhileBusy(() => ben.write('PUT', at))))
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  const added = (await facts('group.member_added')).filter(({ payload }) => payload.group_id === group)
  assert.equal(added.length, 1)
})

test('only an owner adds an owner to a group and removes one', async () => {
  const ben = await staff()
  const group = await make(ben, 'Owners too')
  const at = `/groups/${group}/members/${await readId(ben, 'ada')}`
  const refused = await ben.write('PUT', at)
  assert.deepEqual([refused.status, refused.json.code], [403, 'role_required'])
  assert.deepEqual(await readMembers(ben, group), [])
  const ada = await app.actor('ada', { scopes: SCOPES })
  assert.equal((await ada.write('PUT', at)).status, 200)
  assert.equal((await ben.write('DELETE', at)).status, 403)
  const batch = await ben.write('POST', `/groups/${group}/members/batches`, { remove: [at.split('/').at(-1)] })
  const [{ status, errors }] = batch.json.results
  assert.deepEqual(
    [batch.json.failed, status, errors.map(({ pointer, code }: Record<string, string>) => [pointer, code])],
    [1, 'failed', [['', 'owner']]],
  )
  assert.deepEqual(await readMembers(ben, group), ['Ada Moreira'])
})

test('a batch returns a result for each member, and sent again changes nothing', async () => {
  const ben = await staff()
  const group = await make(ben, 'Batch')
  const [dev, eli, femi] = [await readId(ben, 'dev'), await readId(ben, 'eli'), await readId(ben, 'femi')]
  await ben.write('PUT', `/groups/${group}/members/${femi}`)
  const nobody = 'mem_00e00000000000000000000000'
  const body = { add: [dev, eli, dev, nobody, 'external:invited-1', 'external:none'], remove: [femi] }
  const at = `/groups/${group}/members/batches`
  const dry = await ben.write('POST', `${at}?dry_run=true`, body)
  assert.equal(dry.json.effects.length, 4, dry.text)
  assert.deepEqual(await readMembers(ben, group), ['Femi Adeyemi'])
  const done = await ben.write('POST', at, body)
  assert.deepEqual(
    done.json.results.map(({ pointer, status }: { pointer: string; status: string }) => `${pointer} ${status}`),
    [
      '/add/0 added',
      '/add/1 added',
      '/add/2 unchanged',
      '/add/3 failed',
      '/add/4 added',
      '/add/5 failed',
      '/remove/0 removed',
    ],
  )
  assert.deepEqual(
    [3, 5].map(row => done.json.results[row].errors[0].code),
    ['unknown', 'unknown'],
  )
  const { added, removed, unchanged, failed } = done.json
  assert.deepEqual({ added, removed, unchanged, failed }, { added: 3, removed: 1, unchanged: 1, failed: 2 })
  assert.deepEqual((await readMembers(ben, group)).sort(), ['Dev Patel', 'Eli Sørensen', 'Inês Duarte'])
  const written = await app.database.query('select id from audit_log')
  const again = await ben.write('POST', at, body)
  assert.deepEqual([again.json.added, again.json.removed, again.json.unchanged], [0, 0, 5])
  assert.equal((await app.database.query('select id from audit_log')).length, written.length)
})

test('a batch that contradicts itself, or names too many or no members is refused as a whole', async () => {
  const ben = await staff()
  const group = await make(ben, 'Refused')
  const dev = await readId(ben, 'dev')
  const at = `/groups/${group}/members/batches`
  const many = Array.from({ length: 600 }, (_, index) => `external:${index}`)
  for (const body of [{ add: [dev], remove: [dev] }, { add: many, remove: many }, {}, { add: ['dev'] }]) {
    const refused = await ben.write('POST', at, body)
    assert.deepEqual([refused.status, refused.json.code], [422, 'invalid_body'])
  }
  assert.deepEqual(await readMembers(ben, group), [])
})

test('a thousand members are added to a group in one batch and listed page by page', async () => {
  const ben = await staff()
  await app.database.query(
    `insert into members (school_id, id, email, email_folded, name, name_folded, external_id, created_at, updated_at)
      select $1, gen_random_uuid(), 'p' || n || '@crumb.example', 'p' || n || '@crumb.example', 'P ' || n, 'p ' || n,
        'p-' || n, stoa.now(), stoa.now() from generate_series(1, 1000) as n`,
    [app.a.id],
  )
  const group = await make(ben, 'Everybody')
  const add = Array.from({ length: 1000 }, (_, index) => `external:p-${index + 1}`)
  const done = await ben.write('POST', `/groups/${group}/members/batches`, { add })
  assert.deepEqual([done.status, done.json.added], [200, 1000])
  const names = new Set<string>()
  for (let next = ''; ; ) {
    const page = (await ben.get(`/groups/${group}/members?limit=100${next}`)).json
    for (const { name } of page.data) names.add(name)
    if (!page.has_more) break
    next = `&cursor=${page.next_cursor}`
  }
  assert.equal(names.size, 1000)
  assert.equal((await ben.write('DELETE', `/groups/${group}`)).status, 204)
  assert.equal((await ben.get('/members/external:p-1')).status, 200, 'the members stay')
})
