import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { people } from '#src/demo/index.ts'
import { hashPassword } from '#src/identity/index.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { PASSWORD } from '#testing/app.ts'
import { buildSettings, emptyInstallation, type TestInstallation, testFolder } from '#testing/backup.ts'
import { approve, CALLBACK, tokenRequest } from '#testing/oauth.ts'
import { startProcess } from '#testing/process.ts'
import { startStoa } from '#testing/stoa.ts'

const USUAL_LIFETIMES = { code: 120, access: 3600, idle: 30 * 86_400, family: 365 * 86_400 }

const SECRET = 'a secret of an older installation, long enough'
const MIGRATIONS = new URL('../../migrations/', import.meta.url)
const school = { id: randomUUID(), baseUrl: 'https://old.example', siteOrigin: 'https://old.example' }
const AT = `'2026-01-02T03:04:05.678901Z'`
const names: string[] = []

let file: string
before(async () => {
  const older = await emptyInstallation(SECRET)
  names.push(...(await readdir(MIGRATIONS)).filter(name => /^\d{4}_/.test(name)).sort())
  await migrateTo(older, names.slice(0, 5))
  await fill(older)
  file = join(await testFolder(), 'older.stoa')
  const { code, err } = await older.run('backup', file)
  assert.equal(code, 0, err)
})

const migrateTo = async ({ database }: TestInstallation, names: readonly string[]): Promise<void> => {
  await database.query(`create schema stoa`)
  await database.query(
    `create table stoa.migrations (name text primary key, hash text not null, applied_at timestamptz not null)`,
  )
  for (const name of names) {
    const text = await readFile(new URL(name, MIGRATIONS), 'utf8')
    await database.query(text)
    await database.query(`insert into stoa.migrations values ($1, $2, clock_timestamp())`, [
      name,
      sha256(text).toString('hex'),
    ])
  }
}

const fill = async ({ database: { query } }: TestInstallation): Promise<void> => {
  const member = randomUUID()
  await query(`insert into schools (id, base_url, name, created_at, updated_at) values ($1, $2, $3, ${AT}, ${AT})`, [
    school.id,
    school.baseUrl,
    'Krümel\t\\N\n& Co.',
  ])
  await query(`insert into hosts values ('old.example', $1)`, [school.id])
  await query(
    `insert into members (school_id, id, email, email_folded, name, role, created_at, updated_at)
     values ($1, $2, $3, $3, 'Ada', 'owner', ${AT}, ${AT})`,
    [school.id, member, people.ada.email],
  )
  await query(`insert into credentials values ($1, $2, 'password', $3, ${AT}, ${AT})`, [
    school.id,
    member,
    await hashPassword(PASSWORD),
  ])
  await query(
    `insert into clients (school_id, id, name, redirect_uris, auth_method, secret_hash, grant_types, application_type,
       id_token_alg, created_at, last_seen_at)
     values ($1, 'c2_old', 'Old app', $2, 'client_secret_post', '\\x0a0b5c', '{authorization_code}', 'native', 'RS256', ${AT}, ${AT})`,
    [school.id, [CALLBACK, 'http://127.0.0.1/a,"b\\']],
  )
  await query(
    `insert into facts (school_id, id, kind, about, recorded_at) values ($1, $2, 'old', '{"a": "ü\\n"}', ${AT})`,
    [school.id, randomUUID()],
  )
}

const isAsBefore = async ({ database: { query } }: TestInstallation): Promise<void> => {
  const [row] = await query(
    `select s.name, s.created_at::text as at, c.redirect_uris, k.secret_hash, f.payload
     from schools s, clients c join client_secrets k on k.client_id = c.id, facts f`,
  )
  assert.equal(row?.name, 'Krümel\t\\N\n& Co.')
  assert.match(String(row?.at), /^2026-01-02 .*:04:05\.678901/)
  assert.deepEqual(row?.redirect_uris, [CALLBACK, 'http://127.0.0.1/a,"b\\'])
  assert.deepEqual(row?.secret_hash, Buffer.from('0a0b5c', 'hex'))
  assert.deepEqual(row?.payload, { a: 'ü\n' })
  const applied = await query<{ name: string }>('select name from stoa.migrations order by name')
  assert.deepEqual(
    applied.map(({ name }) => name),
    [...names, 'step_email_domains', 'step_search_terms', 'step_search_words'],
  )
}

test('S-16 an old backup is restored and migrated, and the school works', async () => {
  for (const template of ['template0', 'stoa'] as const) {
    const target = await emptyInstallation(SECRET, template)
    const { code, err } = await target.run('restore', file, '--json')
    assert.equal(code, 0, err)
    await isAsBefore(target)
    const server = await startProcess({ databaseUrl: target.database.appUrl, secret: SECRET })
    const at = {
      ...school,
      name: '',
      locale: 'en',
      timeZone: 'UTC',
      currency: 'EUR',
      signupMode: 'open',
      isTest: false,
      lifetimes: USUAL_LIFETIMES,
    } as const
    const { exchange } = await approve({ port: server.port, school: at, email: people.ada.email, password: PASSWORD })
    const answer = await tokenRequest(server.port, at, exchange)
    await server.stop()
    assert.equal(answer.status, 200, answer.text)
  }
})

test('facts get a transaction of the database they are in now', async () => {
  const target = await emptyInstallation(SECRET)
  await target.run('restore', file)
  // Before whatever began since; what began before and is open elsewhere in the cluster may well be older.
  const [row] = await target.database.query<{ is_past: boolean }>(
    `select transaction_id < pg_snapshot_xmax(pg_current_snapshot()) and transaction_id::text::numeric > 3 as is_past
     from facts`,
  )
  assert.equal(row?.is_past, true)
})

const untilBlocked = async (target: TestInstallation): Promise<void> => {
  const end = performance.now() + 30_000
  for (;;) {
    const waiting = await target.database.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
       and query like '%create table jobs%' and pid <> pg_backend_pid()`,
    )
    if (waiting.length > 0) return
    if (performance.now() > end) throw new Error('the restore did not come that far')
    await pause(10)
  }
}

test('S-01 a restore killed after its rows were loaded leaves nothing, serve refuses, and a second one succeeds', async () => {
  const target = await emptyInstallation(SECRET)
  const blocker = new pg.Client({ connectionString: target.database.ownerUrl })
  await blocker.connect()
  // Whatever creates the same table waits for this transaction: the rows are loaded by then, and a later migration waits.
  await blocker.query('begin; create table public.jobs (id int)')
  const child = startStoa(['restore', file], buildSettings(target))
  await untilBlocked(target)
  await child.kill()
  await blocker.query('rollback')
  await blocker.end()
  const [there] = await target.database.query(`select to_regclass('public.schools') as schools`)
  assert.deepEqual(there, { schools: null })
  const served = await target.run('serve')
  assert.equal(served.code, 1)
  assert.match(served.err, /migrations are waiting; run: stoa migrate/)
  const again = await target.run('restore', file, '--json')
  assert.equal(again.code, 0, again.err)
  await isAsBefore(target)
})
