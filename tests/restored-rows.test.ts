import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { differences, stampedColumns } from '#src/db/backup/tables.ts'
import { testApp } from '#testing/app.ts'
import {
  createInstallation,
  emptyInstallation,
  makeBackup,
  restoreInto,
  type TestInstallation,
  testFolder,
} from '#testing/backup.ts'
import { fillTables } from '#testing/fill-tables.ts'
import '#testing/outside-provider.ts'
import { setProvider } from '#testing/payments.ts'

const app = testApp({ hasSubscriptions: true })

/** Values of columns whose conditions cannot be guessed from the catalog. */
const GIVEN = {
  'public.checkouts': { currency: `'EUR'`, items: `'[]'`, provider: `'outside'` },
  'public.event_mailings': { subject: `'Moved'`, message: `'To the garden'` },
  'public.page_paths': { path: `'/earlier'` },
  'public.payment_events': { provider: `'outside'` },
  'public.payment_outages': { provider: `'outside'` },
  'public.webhook_deliveries': { sequence: '0', next_attempt_at: 'stoa.now()' },
  // The secret of one that is sent nothing is not in use, and need not be one.
  'public.webhooks': { status: `'disabled'`, disabled_reason: `'by_person'` },
}

type Rows = ReadonlyMap<string, readonly string[]>

const readRows = async ({ database: { query } }: Pick<TestInstallation, 'database'>): Promise<Rows> => {
  const tables = await query<{ name: string }>(
    `select schemaname || '.' || tablename as name from pg_tables where schemaname in ('public', 'stoa') order by 1`,
  )
  const rows = new Map<string, string[]>()
  for (const { name } of tables) {
    const columns = [...stampedColumns, ...(differences[name]?.columns ?? [])]
    const found = await query<{ row: string }>(`select (to_jsonb(t) - $1::text[])::text as row from ${name} t`, [
      columns,
    ])
    rows.set(name, found.map(({ row }) => row).sort())
  }
  return rows
}

test('S-16 every table is equal after a restore, row by row, except for those that the documentation names', async () => {
  // Signing in mails the person, and nothing sends mails here.
  await app.actor('ada')
  // What is sealed with the secret is checked before a backup.
  await setProvider(app, 'outside', {
    secrets: { secret_key: `sk_test_${'4'.repeat(24)}`, webhook_secret: `whsec_${'4'.repeat(24)}` },
  })
  const credential = await app.send({ path: '/certificates/BAKED-WARM0-BREAD-DEM00/credential' })
  assert.equal(credential.status, 200, credential.text)
  assert.deepEqual(await fillTables(app.database, app.a.id, GIVEN), {}, 'every table has rows')
  const from = await createInstallation(app.database, app.secret)
  const source = await readRows(from)
  const file = join(await testFolder(), 'filled.stoa')
  await makeBackup(from, file)
  const target = await emptyInstallation(app.secret)
  await restoreInto(target, file)
  const restored = await readRows(target)
  assert.deepEqual([...restored.keys()], [...source.keys()])
  for (const [name, rows] of source) {
    const after = restored.get(name) ?? []
    assert.ok(rows.length > 0, `${name} has no rows to compare`)
    const kind = differences[name]?.rows
    const [gone, added] = [rows.filter(row => !after.includes(row)), after.filter(row => !rows.includes(row))]
    if (kind === 'left_out') continue
    if (kind !== 'fewer') assert.deepEqual(gone, [], `${name} lost rows`)
    if (kind !== 'more') assert.deepEqual(added, [], `${name} gained rows`)
    if (kind === undefined) assert.equal(after.length, rows.length, name)
    if (name in differences && differences[name]?.columns === undefined)
      assert.ok(gone.length + added.length > 0, `${name} is documented and does not differ`)
  }
})

const WORDS = { left_out: 'not in the backup', fewer: 'fewer rows', more: 'more rows' }

test('S-16 the documentation names every table that differs after a restore, with the reason', async () => {
  const text = await readFile(new URL('../docs/operations.md', import.meta.url), 'utf8')
  const documented = [...text.matchAll(/^\| `((?:public|stoa)\.\w+)` \| (.+?) \| (.+) \|$/gm)].map(row => row.slice(1))
  const declared = Object.entries(differences).map(([name, { rows, columns = [], why }]) => [
    name,
    rows === undefined ? `other values of ${columns.map(column => `\`${column}\``).join(', ')}` : WORDS[rows],
    why,
  ])
  assert.deepEqual(documented, declared)
})

test('S-16 no trigger fires while rows are loaded, which the login of the application cannot say', async () => {
  const unconditional = await app.database.query<{ name: string }>(
    `select t.tgname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and c.relnamespace in ('public'::regnamespace, 'stoa'::regnamespace)
       and pg_get_triggerdef(t.oid) not like '%NOT stoa.is_loading()%'`,
  )
  assert.deepEqual(unconditional, [])
  const isLoading = async (url: string): Promise<boolean> => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`set stoa.loading = 'on'`)
    const { rows } = await client.query('select stoa.is_loading() as it').finally(() => client.end())
    return rows[0].it
  }
  assert.deepEqual(await Promise.all([app.database.ownerUrl, app.database.appUrl].map(isLoading)), [true, false])
})
