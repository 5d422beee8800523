import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { loginState } from '#src/db/login.ts'
import { testApp } from '#testing/app.ts'
import { PINS } from '#testing/pinboard.ts'

const app = testApp({ moreTables: PINS })

// The tables that belong to no school: the schools of hosts, and the counters of rate limits.
const SHARED = ['schools', 'hosts', 'limits', 'jobs']
// What happened is only ever added to.
const HISTORY = ['security_events', 'audit_log', 'facts']

// The tables whose deleted rows the login does not see, and the views in which it does (decision 269).
const HIDING: Readonly<Record<string, string>> = {
  courses: 'all_courses',
  digital_products: 'all_products',
  lessons: 'all_lessons',
  pages: 'all_pages',
  posts: 'all_posts',
}

const rows = <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
  app.database.query<Row>(text, values)

const tables = async (): Promise<string[]> => {
  const found = await rows<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
  )
  return found.map(({ name }) => name)
}

const ofSchools = async (): Promise<string[]> => (await tables()).filter(name => !SHARED.includes(name))

/** Runs statements under the application's login, set to a school as its connections are. */
const asApp = async <T>(schoolId: string | undefined, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: app.database.appUrl })
  await client.connect()
  try {
    if (schoolId !== undefined) await client.query(`set stoa.school_id = '${schoolId}'`)
    return await work(client)
  } finally {
    await client.end()
  }
}

test('the tables outside the schools are those of a short list, and everything is in two schemas', async () => {
  const all = await tables()
  for (const name of SHARED) assert.ok(all.includes(name), name)
  assert.ok((await ofSchools()).length >= 10)
  const elsewhere = await rows<{ name: string }>(`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') and n.nspname !~ '^(pg_|information_schema)'`)
  const other = elsewhere.map(({ name }) => name).filter(name => !all.includes(name))
  // A view for processes of the version before, which reads its table with the rights of who asks.
  const invokers = ['group_items']
  const searched = ['stoa.search_entries', 'stoa.search_terms']
  const shared = ['stoa.clock', 'stoa.era', 'stoa.heartbeat', 'stoa.migrations', ...searched]
  assert.deepEqual(other.sort(), [...Object.values(HIDING), ...invokers, ...shared].sort())
  const invoking = await rows<{ name: string }>(
    `select relname as name from pg_class where relkind = 'v' and reloptions @> '{security_invoker=true}'`,
  )
  assert.deepEqual(
    invoking.map(({ name }) => name),
    invokers,
  )
})

test('school_id is in every table of a school, is a uuid, never null, and the first column', async () => {
  for (const name of await ofSchools()) {
    const [column] = await rows<{ name: string; type: string; required: boolean }>(
      `select attname as name, atttypid::regtype::text as type, attnotnull as required
        from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
      [name],
    )
    assert.deepEqual(column, { name: 'school_id', type: 'uuid', required: true }, name)
  }
})

test('school_id is first in every primary key and every index of a school', async () => {
  for (const name of await ofSchools()) {
    const indexes = await rows<{ name: string; first: string | null; primary: boolean; unique: boolean }>(
      `select i.indexrelid::regclass::text as name, a.attname as first, i.indisprimary as primary, i.indisunique as unique
        from pg_index i left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
        where i.indrelid = $1::regclass`,
      [name],
    )
    assert.equal(indexes.filter(({ primary }) => primary).length, 1, `${name} has a primary key`)
    for (const index of indexes) assert.equal(index.first, 'school_id', index.name)
  }
})

test('F-04 every reference between tables of a school holds school_id first on both sides', async () => {
  const keys = await rows<{ name: string; here: string; there: string; target: string }>(`
    select c.conrelid::regclass || ' ' || c.conname as name, c.confrelid::regclass::text as target,
      (select attname from pg_attribute where attrelid = c.conrelid and attnum = c.conkey[1]) as here,
      (select attname from pg_attribute where attrelid = c.confrelid and attnum = c.confkey[1]) as there
    from pg_constraint c where c.contype = 'f'`)
  assert.ok(keys.length > 5)
  for (const { name, here, there, target } of keys) {
    assert.equal(here, 'school_id', name)
    assert.equal(there, target === 'schools' ? 'id' : 'school_id', name)
  }
  for (const name of await ofSchools()) {
    const referring = keys.filter(key => key.name.startsWith(`${name} `))
    assert.ok(referring.length > 0, `${name} belongs to a school that exists`)
  }
})

test('every foreign key has an index that starts with its columns', async () => {
  // A partial index counts where it leaves out only rows without a reference.
  const bare = await rows<{ name: string }>(`
    select k.conrelid::regclass || ' (' || array_to_string(f.columns, ', ') || ')' as name
    from pg_constraint k, lateral (
      select array_agg(a.attname::text order by u.place) as columns
      from unnest(k.conkey) with ordinality as u (number, place)
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.number) as f
    where k.contype = 'f' and not exists (
      select from pg_index i
      where i.indrelid = k.conrelid and i.indisvalid
        and (i.indkey::int2[])[0:cardinality(k.conkey) - 1] @> k.conkey
        and (i.indpred is null or exists (select from unnest(f.columns) as c
          where pg_get_expr(i.indpred, i.indrelid) = '(' || c || ' IS NOT NULL)')))
    order by 1`)
  assert.deepEqual(
    bare.map(({ name }) => name),
    [],
  )
})

test('every column that ends in _id and names another table has a foreign key or is history', async () => {
  const loose = await rows<{ name: string }>(`
    select a.attrelid::regclass || '.' || a.attname as name
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0
      and a.attname ~ '^(member|client|grant|session)_id$'
      and not exists (select from pg_constraint k where k.contype = 'f' and k.conrelid = c.oid and a.attnum = any (k.conkey))
    order by 1`)
  const history = [
    ...['audit_log.client_id', 'audit_log.member_id', 'idempotency_keys.client_id', 'orders.client_id'],
    'subscription_changes.client_id',
    // With a foreign key, the import that created somebody would be a use of them, and its undo would keep everybody.
    'import_rows.member_id',
  ]
  const events = ['client_id', 'grant_id', 'member_id'].map(column => `security_events.${column}`)
  const ended = ['authorization_requests.grant_id', 'grants.session_id']
  assert.deepEqual(
    loose.map(({ name }) => name),
    [...history, ...events, ...ended].sort(),
  )
})

test('every token has the column that DPoP needs: the thumbprint of a key', async () => {
  const rows = await app.database.query<{ table_name: string; data_type: string; is_nullable: string }>(
    `select table_name, data_type, is_nullable from information_schema.columns
     where column_name = 'cnf_jkt' order by table_name`,
  )
  assert.deepEqual(
    rows.map(({ table_name: table, data_type: type, is_nullable: nullable }) => [table, type, nullable]),
    ['access_tokens', 'refresh_families'].map(table => [table, 'text', 'YES']),
  )
})

test('row security is enabled, not forced, with one policy on school_id for reading and writing, and one that hides deleted rows', async () => {
  for (const name of await ofSchools()) {
    const [table] = await rows<{ enabled: boolean; forced: boolean }>(
      'select relrowsecurity as enabled, relforcerowsecurity as forced from pg_class where oid = $1::regclass',
      [name],
    )
    assert.deepEqual(table, { enabled: true, forced: false }, name)
    const policies = await rows<{ cmd: string; qual: string; with_check: string; permissive: string }>(
      `select cmd, qual, with_check, permissive from pg_policies where schemaname = 'public' and tablename = $1 order by permissive`,
      [name],
    )
    const same = '(school_id = stoa.school_id())'
    const live = '(deleted_at IS NULL)'
    const hiding = { cmd: 'ALL', qual: live, with_check: live, permissive: 'RESTRICTIVE' }
    const own = { cmd: 'ALL', qual: same, with_check: same, permissive: 'PERMISSIVE' }
    assert.deepEqual(policies, name in HIDING ? [own, hiding] : [own], name)
  }
})

test("the application's login owns nothing, is no superuser and bypasses nothing", async () => {
  assert.deepEqual(await loginState(app.database.appUrl), [])
  assert.notDeepEqual(await loginState(app.database.ownerUrl), [])
  const [login] = await asApp(undefined, async client => {
    const { rows: found } = await client.query(`
      select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication,
        (select count(*)::int from pg_auth_members where member = r.oid) as groups,
        (select count(*)::int from pg_class where relowner = r.oid) + (select count(*)::int from pg_proc where proowner = r.oid)
          + (select count(*)::int from pg_namespace where nspowner = r.oid) as owned
      from pg_roles r where rolname = current_user`)
    return found
  })
  const none = { rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false, rolreplication: false }
  assert.deepEqual(login, { ...none, groups: 0, owned: 0 })
})

test("the application's login makes no tables, moves no clock and touches no migration", async () => {
  const forbidden = [
    'create table intruder (a int)',
    'create table stoa.intruder (a int)',
    `update stoa.clock set shift = interval '1 day'`,
    `insert into stoa.migrations values ('a', 'b', stoa.now())`,
    'alter table members disable row level security',
    'drop policy of_school on members',
    'delete from schools',
  ]
  await asApp(app.a.id, async client => {
    for (const text of forbidden) await assert.rejects(client.query(text), { code: '42501' }, text)
  })
})

/** Runs work on one snapshot that is shared with every reader: rows that are stored meanwhile are not counted. */
const onSnapshot = async (work: (owner: pg.Client, take: string) => Promise<void>): Promise<void> => {
  const owner = new pg.Client({ connectionString: app.database.ownerUrl })
  await owner.connect()
  try {
    await owner.query('begin isolation level repeatable read')
    const { rows: exported } = await owner.query('select pg_export_snapshot() as id')
    await work(owner, `begin isolation level repeatable read; set transaction snapshot '${exported[0].id}'`)
  } finally {
    await owner.end()
  }
}

test('the login sees every row of its school that is not deleted and none of another, and no rows without a school', async () => {
  await Promise.all([app.actor('ada'), app.actor('ada', { school: app.b })])
  const count = (client: pg.Client, name: string, where: string) =>
    client.query<{ n: number }>(`select count(*)::int as n from ${name} where ${where}`).then(done => done.rows[0]?.n)
  const names = await ofSchools()
  await onSnapshot(async (owner, take) => {
    const seenAs = (schoolId: string | undefined, name: string, where: string) =>
      asApp(schoolId, async client => {
        await client.query(take)
        return count(client, name, where)
      })
    for (const name of names) {
      const own = await count(
        owner,
        name,
        `school_id = '${app.a.id}'${name in HIDING ? ' and deleted_at is null' : ''}`,
      )
      assert.equal(await seenAs(app.a.id, name, 'true'), own, `${name} as A`)
      assert.equal(await seenAs(app.a.id, name, `school_id = '${app.b.id}'`), 0, `${name} of B as A`)
      for (const none of [undefined, '']) assert.equal(await seenAs(none, name, 'true'), 0, `${name} as nobody`)
    }
    for (const [name, view] of Object.entries(HIDING)) {
      const own = await count(owner, name, `school_id = '${app.a.id}'`)
      assert.equal(await seenAs(app.a.id, view, 'true'), own, `${view} as A`)
      for (const none of [undefined, '']) assert.equal(await seenAs(none, view, 'true'), 0, `${view} as nobody`)
    }
  })
  const filled = ['members', 'credentials', 'sessions', 'clients', 'grants', 'access_tokens', 'signing_keys']
  for (const name of filled) assert.ok(((await asApp(app.b.id, client => count(client, name, 'true'))) ?? 0) > 0, name)
})

test('the login deletes no row by an update of its table, and moves none into another school by a view', async () => {
  await asApp(app.a.id, async client => {
    for (const [name, view] of Object.entries(HIDING)) {
      await assert.rejects(client.query(`update ${name} set deleted_at = stoa.now()`), { code: '42501' }, name)
      const { rowCount } = await client.query(`update ${view} set deleted_at = deleted_at where school_id = $1`, [
        app.b.id,
      ])
      assert.equal(rowCount, 0, view)
      await assert.rejects(client.query(`update ${view} set school_id = gen_random_uuid()`), { code: '44000' }, view)
    }
  })
})

test('the login writes into no other school, not even by moving a row', async () => {
  await asApp(app.a.id, async client => {
    const insert = `insert into security_events (school_id, id, kind, recorded_at) values ($1, gen_random_uuid(), 'x', stoa.now())`
    await assert.rejects(client.query(insert, [app.b.id]), { code: '42501' })
    await assert.rejects(client.query('update members set school_id = $1', [app.b.id]), { code: '42501' })
    const { rowCount } = await client.query(`update members set name = 'x' where school_id = $1`, [app.b.id])
    assert.equal(rowCount, 0)
    assert.equal((await client.query(`update schools set name = 'x' where id = $1`, [app.b.id])).rowCount, 0)
    assert.equal((await client.query('delete from members where school_id = $1', [app.b.id])).rowCount, 0)
  })
})

test('history cannot be changed, taken away or emptied by the application', async () => {
  await asApp(app.a.id, async client => {
    for (const name of HISTORY) {
      for (const text of [`update ${name} set school_id = school_id`, `delete from ${name}`, `truncate ${name}`])
        await assert.rejects(client.query(text), { code: '42501' }, text)
    }
  })
})

test('events are forgotten two years later, by a function that takes nothing younger and nothing of another school', async () => {
  const of = (schoolId: string) =>
    rows(`select from security_events where school_id = $1 and kind = 'to_forget'`, [schoolId])
  for (const school of [app.a, app.b])
    await rows(
      `insert into security_events (school_id, id, kind, recorded_at)
       select $1, gen_random_uuid(), 'to_forget', stoa.now() - age
       from unnest(array[interval '2 years 1 minute', interval '3 years', interval '2 years' - interval '1 minute']) as age`,
      [school.id],
    )
  const forget = (schoolId: string, most: number) =>
    asApp(app.a.id, async client => {
      const { rows: found } = await client.query('select stoa.forget_events($1, $2) as count', [schoolId, most])
      return found[0]?.count
    })
  assert.equal(await forget(app.b.id, 10), 0)
  assert.deepEqual([await forget(app.a.id, 1), await forget(app.a.id, 10), await forget(app.a.id, 10)], [1, 1, 0])
  assert.deepEqual([(await of(app.a.id)).length, (await of(app.b.id)).length], [1, 3])
})

test('no function and no default of the database asks any clock but stoa.now()', async () => {
  const clocks = `\\m(now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday)\\(\\)|\\mcurrent_(date|time|timestamp)\\M|\\mlocaltime`
  const functions = await rows<{ name: string; text: string }>(
    `select p.oid::regprocedure::text as name, p.prosrc as text from pg_proc p
      where p.pronamespace in ('public'::regnamespace, 'stoa'::regnamespace) and replace(p.prosrc, 'stoa.now()', '') ~* $1`,
    [clocks],
  )
  assert.deepEqual(
    functions.map(({ name }) => name).sort(),
    // The first one writes the second.
    ['stoa.follow_clock()', 'stoa.now()'],
  )
  const defaults = await rows<{ name: string }>(
    `select d.adrelid::regclass::text as name from pg_attrdef d
      where replace(pg_get_expr(d.adbin, d.adrelid), 'stoa.now()', '') ~* $1`,
    [clocks],
  )
  assert.deepEqual(defaults, [])
})
