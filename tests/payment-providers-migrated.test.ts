import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { sha256 } from '#src/kit/crypto.ts'
import { createInstallation } from '#testing/backup.ts'
import { createTestDatabase } from '#testing/database.ts'

const MIGRATIONS = new URL('../migrations/', import.meta.url)
const FIRST_WITH_OPEN_NAMES = '0087'
const [SCHOOL, MEMBER, PAID, ASKED] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
// Schools that were paid by transfer without having set it, that told buyers nothing and something, and that sold nothing.
const [UNSET, UNTOLD, TOLD, NEW] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]

let database: Awaited<ReturnType<typeof createTestDatabase>>

const migrateToBefore = async (): Promise<void> => {
  const names = (await readdir(MIGRATIONS)).filter(name => /^\d{4}_/.test(name) && name < FIRST_WITH_OPEN_NAMES).sort()
  await database.query('create schema stoa')
  await database.query(
    'create table stoa.migrations (name text primary key, hash text not null, applied_at timestamptz not null)',
  )
  for (const name of names) {
    const text = await readFile(new URL(name, MIGRATIONS), 'utf8')
    await database.query(text)
    await database.query('insert into stoa.migrations values ($1, $2, clock_timestamp())', [
      name,
      sha256(text).toString('hex'),
    ])
  }
}

const fill = async (): Promise<void> => {
  const { query } = database
  await query(
    `insert into schools (id, base_url, name, created_at, updated_at) values ($1, 'https://learn.example.org', 'Crumb', now(), now())`,
    [SCHOOL],
  )
  await query(
    `insert into members (school_id, id, email, email_folded, name, name_folded, role, created_at, updated_at)
     values ($1, $2, 'dev@crumb.example', 'dev@crumb.example', 'Dev', 'dev', 'member', now(), now())`,
    [SCHOOL, MEMBER],
  )
  for (const [id, reference] of [
    [PAID, 'cs_paid'],
    [ASKED, null],
  ])
    await query(
      `insert into payments (school_id, id, order_id, member_id, provider, amount, currency, state, reference, created_at, updated_at)
       values ($1, $2, gen_random_uuid(), $3, 'stripe', 4900, 'EUR', 'open', $4, now(), now())`,
      [SCHOOL, id, MEMBER, reference],
    )
  for (const name of ['stripe', 'test'])
    await query(
      `insert into payment_providers (school_id, name, mode, created_at, updated_at) values ($1, $2, 'live', now(), now())`,
      [SCHOOL, name],
    )
  await query(
    `insert into payment_events (school_id, provider, event_id, type, received_at)
     values ($1, 'stripe', 'evt_1', '', '2026-11-01'), ($1, 'stripe', 'evt_2', '', '2026-11-02')`,
    [SCHOOL],
  )
}

const fillTransfers = async (): Promise<void> => {
  const { query } = database
  for (const [id, host] of Object.entries({ [UNSET]: 'unset', [UNTOLD]: 'untold', [TOLD]: 'told', [NEW]: 'new' }))
    await query(
      `insert into schools (id, base_url, name, created_at, updated_at) values ($1, $2, 'Crumb', now(), now())`,
      [id, `https://${host}.example.org`],
    )
  await query(
    `insert into guide_steps (school_id, step, state, recorded_at)
     select $1, step, 'done', now() from unnest(array['name', 'appearance', 'course', 'invitation']) as step`,
    [TOLD],
  )
  const member = randomUUID()
  await query(
    `insert into members (school_id, id, email, email_folded, name, name_folded, role, created_at, updated_at)
     values ($1, $2, 'eli@crumb.example', 'eli@crumb.example', 'Eli', 'eli', 'member', now(), now())`,
    [UNSET, member],
  )
  await query(
    `insert into payments (school_id, id, order_id, member_id, provider, amount, currency, state, created_at, updated_at)
     values ($1, gen_random_uuid(), gen_random_uuid(), $2, 'manual', 4900, 'EUR', 'open', now(), now())`,
    [UNSET, member],
  )
  for (const [id, text] of [
    [UNTOLD, ' '],
    [TOLD, 'At the counter.'],
  ])
    await query(
      `insert into payment_providers (school_id, name, instructions, created_at, updated_at)
       values ($1, 'manual', jsonb_build_object('account_holder', 'Crumb', 'iban', null, 'text', $2::text), now(), now())`,
      [id, text],
    )
}

before(async () => {
  database = await createTestDatabase('template0')
  const { run } = await createInstallation(database, 'a secret of an installation from before, long enough')
  await migrateToBefore()
  await fill()
  await fillTransfers()
  const { code, err } = await run('migrate')
  assert.equal(code, 0, err)
})
after(() => database?.drop())

test('payments from before are found by their id, and providers keep when they were heard from', async () => {
  assert.deepEqual(await database.query('select provider, ref, payment_id from payment_references'), [
    { provider: 'stripe', ref: 'cs_paid', payment_id: PAID },
  ])
  assert.deepEqual(
    await database.query('select name, heard_at from payment_providers where school_id = $1 order by name', [SCHOOL]),
    [
      { name: 'stripe', heard_at: new Date('2026-11-02T00:00:00.000Z') },
      { name: 'test', heard_at: null },
    ],
  )
})

test('transfers from before are kept, for thirty days where buyers are told nothing, and no school gets a new way to be paid', async () => {
  const rows = await database.query<{ school_id: string; days: number | null }>(
    `select school_id, round(extract(epoch from offered_until - stoa.now()) / 86400)::integer as days
     from payment_providers where name = 'manual'`,
  )
  assert.deepEqual(Object.fromEntries(rows.map(({ school_id: id, days }) => [id, days])), {
    [UNSET]: 30,
    [UNTOLD]: 30,
    [TOLD]: null,
  })
  const steps = await database.query<{ school_id: string; steps: string[] }>(
    'select school_id, array_agg(step order by step) as steps from guide_steps group by school_id',
  )
  assert.deepEqual(
    Object.fromEntries(steps.map(({ school_id: id, steps: all }) => [id, all])),
    { [TOLD]: ['appearance', 'domain', 'mail', 'payments', 'price', 'publication', 'seller'] },
    'a guide that was over stays over, and every other one is read from how the school stands',
  )
})

test('every table takes a name that fits the pattern, and none that does not; free and manual keep their conditions', async () => {
  const isTaken = (statement: string): Promise<boolean> =>
    database.query(statement).then(
      () => true,
      (error: unknown) => {
        assert.match(String(error), /violates check constraint/, statement)
        return false
      },
    )
  const statements: Readonly<Record<string, (name: string) => string>> = {
    payments: name => `update payments set provider = '${name}' where id = '${ASKED}'`,
    saving: name => `update payments set provider = '${name}', saves = true where id = '${ASKED}'`,
    providers: name => `update payment_providers set name = '${name}' where name = 'test'`,
    events: name => `update payment_events set provider = '${name}' where event_id = 'evt_1'`,
    outages: name => `insert into payment_outages values ('${SCHOOL}', '${name}', 0)`,
    secrets: name =>
      `insert into payment_secrets values ('${SCHOOL}', 'stripe', '${name.replace('-', '_')}', 'x', '1234')`,
  }
  const refused: Readonly<Record<string, readonly string[]>> = {
    payments: ['free'],
    saving: ['free', 'manual'],
    providers: ['free'],
    events: ['free', 'manual'],
    outages: ['free', 'manual'],
    secrets: [],
  }
  for (const [table, change] of Object.entries(statements))
    for (const name of ['pay-2', 'manual', 'free', 'P', 'x', '2pay', 'pay pal', `p${'a'.repeat(40)}`]) {
      const isFit = ['pay-2', 'manual', 'free'].includes(name) && !refused[table]?.includes(name)
      await database.query('begin')
      assert.equal(await isTaken(change(name)), isFit, `${table} ${name}`)
      await database.query('rollback')
    }
})
