import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { testApp } from '#testing/app.ts'
import { send, type TestReply } from '#testing/http.ts'
import { isTokenLookup } from '#testing/statements.ts'
import { callAt, connect, revokeAt } from '#testing/tokens.ts'

let lookups = 0
const app = testApp({
  cachesPublicReads: true,
  onStatement: text => {
    if (isTokenLookup(text)) lookups += 1
  },
})

const DEADLINE_MS = 30_000
const SECOND = 1000
const CALLS = 5

const call = (token: string): Promise<TestReply> =>
  send(app.port, {
    path: '/api/v1/account',
    host: new URL(app.a.baseUrl).host,
    headers: { authorization: `Bearer ${token}` },
  })

const lookupsOfCalls = async (token: string): Promise<number> => {
  const before = lookups
  for (let calls = 0; calls < CALLS; calls++) assert.equal((await call(token)).status, 200)
  return lookups - before
}

const until = async (condition: () => Promise<boolean>, what: string): Promise<void> => {
  const end = performance.now() + DEADLINE_MS
  while (!(await condition())) {
    assert.ok(performance.now() < end, what)
    await pause(50)
  }
}

const untilKept = (token: string) =>
  until(async () => (await lookupsOfCalls(token)) === 0, 'what was decided of a token is used again')

type Layer = { readonly swallow: string; readonly restore: string }

const onTable = (table: string): Layer => ({
  swallow: `alter table ${table} disable trigger tell_change`,
  restore: `alter table ${table} enable trigger tell_change`,
})

// What a layer between the application and its tables may do to the notifications of triggers.
const layers: Readonly<Record<string, Layer>> = {
  'the trigger of approvals is disabled': onTable('grants'),
  'the trigger of access tokens is disabled': onTable('access_tokens'),
  'the trigger of the heartbeat is disabled': onTable('stoa.heartbeat'),
  'the trigger of approvals is dropped': {
    swallow: 'drop trigger tell_change on grants',
    restore: `create trigger tell_change after update on grants for each row
      when ((old.revoked_at, old.expires_at, old.member_id, old.client_id)
        is distinct from (new.revoked_at, new.expires_at, new.member_id, new.client_id))
      execute function stoa.tell_change()`,
  },
  'the function of the triggers notifies of nothing': {
    swallow: `create or replace function stoa.tell_change() returns trigger language plpgsql as 'begin return null; end'`,
    restore: `create or replace function stoa.tell_change() returns trigger language plpgsql as $$
      declare
        changed jsonb := case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
      begin
        perform pg_notify('stoa_changes', coalesce(changed ->> 'school_id', changed ->> 'id') || ' ' || tg_table_name);
        return null;
      end $$`,
  },
}

suite('when changes are not notified any more', () => {
  for (const [name, { swallow, restore }] of Object.entries(layers))
    test(`${name}: a revoked token is refused within a second, and tokens are looked up each time`, async () => {
      const dev = await connect(app, 'dev', { metadata: { client_name: name } })
      const femi = await connect(app, 'femi', { metadata: { client_name: name } })
      await untilKept(dev.access)
      await app.database.query(swallow)
      try {
        await revokeAt(app.port, dev, dev.refresh)
        const from = performance.now()
        for (let at = from; at < from + 2 * SECOND; at = performance.now()) {
          const { status } = await call(dev.access)
          if (at >= from + SECOND) assert.equal(status, 401, `${Math.round(at - from)} ms after its revocation`)
        }
        assert.equal(await lookupsOfCalls(femi.access), CALLS)
      } finally {
        await app.database.query(restore)
      }
      await untilKept(femi.access)
    })
})

suite('the cost of the heartbeat', () => {
  const idNow = async (): Promise<unknown> => (await app.database.query('select id from stoa.heartbeat'))[0]?.id
  const written = async (): Promise<{ updates: number; in_place: number }> => {
    const [row] = await app.database.query<{ updates: number; in_place: number }>(
      `select n_tup_upd::integer as updates, n_tup_hot_upd::integer as in_place
       from pg_stat_user_tables where schemaname = 'stoa' and relname = 'heartbeat'`,
    )
    return row ?? { updates: 0, in_place: 0 }
  }

  test('one row is updated in place, in a table that is not logged', async () => {
    const { access } = await connect(app, 'dev', { metadata: { client_name: 'cost' } })
    const before = (await written()).updates
    await until(async () => {
      await call(access)
      return (await written()).updates >= before + 10
    }, 'the heartbeat is written while tokens are used')
    const { updates, in_place } = await written()
    assert.equal(in_place, updates)
    const [table] = await app.database.query<{ rows: number; persistence: string; pages: number }>(
      `select (select count(*) from stoa.heartbeat)::integer as rows, relpersistence as persistence,
         (pg_relation_size(oid) / 8192)::integer as pages from pg_class where oid = 'stoa.heartbeat'::regclass`,
    )
    assert.deepEqual([table?.rows, table?.persistence], [1, 'u'])
    assert.ok((table?.pages ?? 0) <= 4, `${table?.pages} pages`)
  })

  test('nothing is written while there are no calls with a token', async () => {
    await until(async () => {
      const before = await idNow()
      await pause(2 * SECOND)
      return (await idNow()) === before
    }, 'the heartbeat rests')
  })

  test('the row is written again after a crash removed it', async () => {
    const { access } = await connect(app, 'dev', { metadata: { client_name: 'crash' } })
    await app.database.query('truncate stoa.heartbeat')
    await untilKept(access)
  })
})

test('no map of the process has a token as a key, or a part of one that opens anything', async () => {
  const { access } = await connect(app, 'dev')
  const keys: string[] = []
  const { set } = Map.prototype
  // Whatever a cache is called and wherever it is.
  Map.prototype.set = function (this: Map<unknown, unknown>, key: unknown, value: unknown) {
    if (typeof key === 'string') keys.push(key)
    return set.call(this, key, value)
  }
  try {
    for (let times = 0; times < 3; times++) assert.equal(await callAt(app.port, app.a, access), 200)
  } finally {
    Map.prototype.set = set
  }
  const hash = createHash('sha256').update(access).digest()
  assert.ok(
    keys.some(key =>
      ['hex', 'base64', 'base64url', 'latin1'].some(form => key.includes(hash.toString(form as BufferEncoding))),
    ),
    'the decision is kept under the hash of the token',
  )
  assert.deepEqual(
    keys.filter(key => key.includes(access) || key.includes(access.slice(-32))),
    [],
  )
})
