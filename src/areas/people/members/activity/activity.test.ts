import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import type { Db, Statement } from '#src/contract/db.ts'
import { fromId } from '#src/kit/ids.ts'
import type { Actor } from '#testing/actor.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { approve, tokenRequest } from '#testing/oauth.ts'
import { listActivity } from './queries.ts'

const app = testApp()
const SCOPES = ['members:read', 'members:write', 'account:read', 'account:write']

type Entry = {
  readonly id: string
  readonly at: string
  readonly kind: string
  readonly operation?: string
  readonly event?: string
  readonly client?: { readonly id: string }
  readonly by?: { readonly name: string }
  readonly fields?: readonly string[]
}

const readId = async (actor: Actor, name: string): Promise<string> =>
  (await actor.get(`/members?email=${name}@crumb.example`)).json.data[0].id

const readActivity = async (actor: Actor, member: string, query = ''): Promise<Entry[]> => {
  const { status, json, text } = await actor.get(`/members/${member}/activity${query}`)
  assert.equal(status, 200, text)
  return json.data
}

test('what a member did and what happened to them is one list, newest first, without values', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const eli = await app.actor('eli', { scopes: ['account:read', 'account:write'] })
  const id = await readId(ada, 'eli')
  assert.equal((await eli.write('PATCH', '/account', { name: 'Eli S.' })).status, 200)
  assert.equal((await ada.write('PATCH', `/members/${id}`, { phone: '+351 21 000 0001' })).status, 200)
  assert.equal((await ada.write('PUT', `/members/${id}/tags/evening`)).status, 200)
  const { exchange } = await approve({ port: app.port, school: app.a, email: 'eli@crumb.example', password: PASSWORD })
  for (const status of [200, 400]) assert.equal((await tokenRequest(app.port, app.a, exchange)).status, status)
  const found = await readActivity(ada, id, '?limit=100')
  const entries = found.map(one => [one.kind, one.operation ?? one.event ?? '', one.by?.name ?? ''].join(' ').trim())
  assert.equal(entries[0]?.split(' ')[0], 'security', 'a code used twice is the last thing that happened')
  assert.deepEqual(entries.slice(1), [
    'signed_in',
    'happened addMemberTag Ada Moreira',
    'happened updateMember Ada Moreira',
    'did updateAccount Eli S.',
    'signed_in',
  ])
  assert.deepEqual(found[3]?.fields, ['phone'])
  assert.equal(found[4]?.client?.id, eli.clientId)
  assert.ok(!JSON.stringify(found).includes('000 0001'))
  const instants = found.map(({ at }) => at)
  assert.deepEqual([...instants].sort().reverse(), instants)
})

test('the activity is read page by page, each entry once, and counted', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const id = await readId(ada, 'femi')
  for (let time = 0; time < 12; time++) {
    const tag = `/members/${id}/tags/tag${time}`
    assert.equal((await ada.write('PUT', tag)).status, 200)
  }
  const self = await readId(ada, 'ada')
  assert.equal((await ada.write('PUT', `/members/${self}/tags/mine`)).status, 200)
  for (const member of [id, self]) {
    const whole = await readActivity(ada, member, '?limit=100')
    assert.ok(whole.length > 5)
    const read: Entry[] = []
    for (let next = ''; ; ) {
      const page = (await ada.get(`/members/${member}/activity?limit=5&include_total=true${next}`)).json
      assert.equal(page.total, whole.length)
      read.push(...page.data)
      if (!page.has_more) break
      next = `&cursor=${page.next_cursor}`
    }
    assert.deepEqual(read, whole)
    assert.equal(new Set(read.map(({ id }) => id)).size, read.length, 'what one did to oneself stands once')
  }
  assert.ok(
    (await readActivity(ada, self, '?limit=100')).some(one => one.kind === 'did' && one.operation === 'addMemberTag'),
  )
})

const readStatement = async (memberId: string): Promise<Statement> => {
  const statements: Statement[] = []
  const db: Db = {
    all: async statement => {
      statements.push(statement)
      return []
    },
    first: async () => undefined,
    one: async () => assert.fail('the list is one statement'),
    run: async () => 0,
  }
  await listActivity(db, app.a.id, memberId, 26, undefined)
  const [statement] = statements
  assert.ok(statement)
  return statement
}

type Plan = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

const listNodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(listNodes)]

test('a long history costs a page: no branch reads more rows than the page has', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const id = fromId('mem', await readId(ada, 'dev')) ?? ''
  await app.database.query(
    `insert into audit_log (school_id, id, recorded_at, member_id, about_id, operation, resource_ids, resource_count, fields, request_id)
      select $1, gen_random_uuid(), stoa.now(), case when n % 2 = 0 then $2::uuid end, case when n % 2 = 1 then $2::uuid end,
        'addMemberTag', '{}', 0, '{}', 'r' from generate_series(1, 20000) as n`,
    [app.a.id, id],
  )
  for (const table of ['security_events', 'sessions'])
    await app.database.query(
      table === 'sessions'
        ? `insert into sessions (school_id, id, secret_hash, member_id, amr, auth_time, started_at,
              recent_until, created_at, expires_at)
            select $1, gen_random_uuid(), decode(md5(n::text), 'hex'), $2, '{pwd}', t, t, t, t, t from (select stoa.now() as t) as clock,
              generate_series(1, 5000) as n`
        : `insert into security_events (school_id, id, kind, member_id, recorded_at)
            select $1, gen_random_uuid(), 'x', $2, stoa.now() from generate_series(1, 5000)`,
      [app.a.id, id],
    )
  await app.database.query('analyze audit_log, security_events, sessions')
  const { text, values } = await readStatement(id)
  const client = new pg.Client({ connectionString: app.database.appUrl })
  await client.connect()
  await client.query(`set stoa.school_id = '${app.a.id}'`)
  const { rows } = await client.query(`explain (analyze, format json) ${text}`, [...values])
  await client.end()
  const history = ['audit_log', 'security_events', 'sessions']
  const reads = listNodes(rows[0]['QUERY PLAN'][0].Plan).filter(one => history.includes(one['Relation Name'] ?? ''))
  assert.equal(reads.length, 4)
  for (const read of reads) {
    assert.match(read['Node Type'], /^Index/, JSON.stringify(read))
    assert.ok(read['Actual Rows'] + (read['Rows Removed by Filter'] ?? 0) <= 26, JSON.stringify(read))
  }
})

test('the activity of an unknown member, or of one of another school, is 404', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const other = await app.actor('ada', { scopes: SCOPES, school: app.b })
  const theirs = await readId(other, 'eli')
  assert.equal((await ada.get(`/members/${theirs}/activity`)).status, 404)
  const unseen = await app.actor('eli', { scopes: ['account:read'] })
  assert.equal((await unseen.get(`/members/${await readId(ada, 'eli')}/activity`)).status, 403)
})
