import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { erasePerson } from '#src/areas/people/index.ts'
import type { Db } from '#src/contract/db.ts'
import { personalData } from '#src/contract/personal-data.ts'
import { openDatabase } from '#src/db/database.ts'
import { people } from '#src/demo/index.ts'
import { testApp } from '#testing/app.ts'
import { addRow, fillTables, fillTablesFor } from '#testing/fill-tables.ts'
import { readMemberId } from '#testing/learning.ts'

const app = testApp({ hasSubscriptions: true })

const EMAIL = people.dev.email
const ANSWER = `'[{"field_id": "email", "label": "E-mail", "type": "email", "value": "${EMAIL}"}]'`

const ORDER = `(select o.id from orders o join members m on m.id = o.member_id where m.email = '${EMAIL}' order by o.id limit 1)`

/** Values of columns whose conditions cannot be guessed from the catalog, and of those that hold an address or an object. */
const GIVEN = {
  'public.checkouts': {
    ...{
      currency: `'EUR'`,
      items: `'[]'`,
      provider: `'outside'`,
      billing: `'{"name": "Dev"}'`,
      email: `'${EMAIL}'`,
      email_folded: `'${EMAIL}'`,
    },
    ...{
      used_at: 'stoa.now()',
      order_id: '(select id from orders limit 1)',
      member_id: `(select id from members where email = '${EMAIL}' limit 1)`,
    },
  },
  'public.event_mailings': { subject: `'Moved'`, message: `'To the garden'` },
  'public.form_submissions': { answers: ANSWER },
  'public.orders': { billing: `'{"name": "Dev"}'` },
  'public.payments': { method: `'{"brand": "visa"}'`, page: `'{"buyer": {"email": "${EMAIL}"}}'` },
  'public.payment_events': { provider: `'outside'` },
  'public.payment_outages': { provider: `'outside'` },
  'public.payment_references': { ref: 'gen_random_uuid()::text' },
  'public.page_paths': { path: `'/earlier'` },
  'public.webhook_deliveries': { next_attempt_at: 'stoa.now()', sequence: '0', fact_id: 'null' },
  'public.payment_secrets': { last4: `'4444'` },
  'public.refunds': { order_id: ORDER },
  'public.refund_notes': { order_id: ORDER, refund_id: `(select id from refunds where order_id = ${ORDER} limit 1)` },
  'public.reviews': { reply_body: `'Thank you'`, replied_at: 'stoa.now()' },
}

/** Rows that hold the address of the person and belong to nobody, or to another member. */
const ADDRESSED = [
  ['public.form_submissions', { answers: ANSWER, member_id: 'null' }],
  ['public.mails', { recipient: `'${EMAIL}'` }],
  ['public.address_codes', { email: `'${EMAIL}'`, bound_to: `decode(repeat('0b', 32), 'hex')` }],
  ['public.registrations', { attendee_email: `'${EMAIL}'`, attendee_name: `'Dev'`, code: `'y'` }],
] as const

type Column = { readonly name: string; readonly type: string; readonly is_link: boolean }
type Table = { readonly name: string; readonly key: readonly string[]; readonly columns: readonly Column[] }
/** A row with the place where it is stored. */
type Row = { readonly ctid: string; readonly row: Readonly<Record<string, unknown>> }

const TABLES = `
  select c.relname as name, array(
      select k.attname::text from pg_index i join pg_attribute k on k.attrelid = c.oid and k.attnum = any (i.indkey)
      where i.indrelid = c.oid and i.indisprimary) as key, jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, null),
    'is_link', a.attname ~ '(^|_)member_id$' or exists (
      select from pg_constraint k where k.conrelid = c.oid and k.confrelid = 'members'::regclass and a.attnum = any (k.conkey)
        and a.attname <> 'school_id'))) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by c.oid, c.relname order by 1`

/** What is derived from another column, counts the changes of a row, or is one of few words. */
const DERIVED = /_folded$|_words$|_html$|^(id|revision|changed_in)$/

// Another value of a column that holds what somebody typed.
const otherValue = ({ name, type, is_link: isLink }: Column): string | undefined => {
  if (isLink || DERIVED.test(name)) return undefined
  if (type === 'text') return `'zanzibar'`
  if (type === 'text[]') return `'{zanzibar}'`
  if (/^jsonb?$/.test(type)) return `regexp_replace(${name}::text, '"[^"]*"(?=[],}])', '"zanzibar"')::${type}`
  return undefined
}

class Undo extends Error {}

const undone = (work: (db: Db, now: Date) => Promise<void>): Promise<void> => {
  const owner = openDatabase(app.database.ownerUrl, { wait: 10_000, max: 1 })
  return owner
    .transaction(app.a.id, async (db, now) => {
      await work(db, now)
      throw new Undo()
    })
    .catch(error => {
      if (!(error instanceof Undo)) throw error
    })
    .finally(() => owner.close())
}

// The rows of the first school, by the tables that have a school.
const readRows = async (db: Db, tables: readonly Table[]): Promise<ReadonlyMap<string, readonly Row[]>> => {
  const all = new Map<string, readonly Row[]>()
  for (const { name } of tables) {
    const text = `select ctid::text as ctid, to_jsonb(t) as row from ${name} t where to_jsonb(t)->>'school_id' = $1`
    all.set(name, await db.all<Row>({ text, values: [app.a.id] }))
  }
  return all
}

/** A row that an erasure deletes or that names the person, or a column that it clears or changes. */
type Place = { readonly table: Table; readonly before: Row; readonly column?: Column }

const buildKey = ({ key }: Table, { row }: Row): string => JSON.stringify(key.map(name => row[name]))

const isFilled = ({ row }: Row, { name }: Column): boolean => (row[name] ?? null) !== null

const listPlaces = (
  table: Table,
  before: readonly Row[],
  after: readonly Row[],
  memberId: string,
): readonly Place[] => {
  const left = new Map(after.map(row => [buildKey(table, row), row]))
  return before.flatMap(row => {
    const now = left.get(buildKey(table, row))
    const columns = table.columns.filter(
      column => isFilled(row, column) && JSON.stringify(row.row[column.name]) !== JSON.stringify(now?.row[column.name]),
    )
    const isNamed = table.columns.some(({ name, is_link: isLink }) => isLink && row.row[name] === memberId)
    const whole = now === undefined || isNamed ? [{ table, before: row }] : []
    return [...whole, ...columns.map(column => ({ table, before: row, column }))]
  })
}

const run = (db: Db, text: string): Promise<number> => db.run({ text, values: [] })

/** Whether the export is another one when a row is gone or a value is another one; undefined where no other value is possible. */
const isShown = async (
  db: Db,
  { exported, whole }: { readonly exported: () => Promise<string>; readonly whole: string },
  { table, before, column }: Place,
): Promise<boolean | undefined> => {
  const value = column === undefined ? undefined : otherValue(column)
  if (column !== undefined && value === undefined) return undefined
  const change =
    column === undefined ? `delete from ${table.name}` : `update ${table.name} set ${column.name} = ${value}`
  await run(db, 'savepoint change')
  try {
    assert.equal(await run(db, `${change} where ctid = '${before.ctid}'::tid`), 1)
    return (await exported()) !== whole
  } catch (error) {
    // A condition allows listed values alone.
    if (error instanceof Error && /violates/.test(error.message)) return undefined
    // The export reads the value, which is no time or zone any more.
    if (error instanceof RangeError) return true
    throw error
  } finally {
    await run(db, 'rollback to savepoint change')
  }
}

const documented = async (): Promise<readonly string[]> => {
  const text = await readFile(new URL('../docs/operations.md', import.meta.url), 'utf8')
  const part = /\*\*Erasure\.\*\*.*?\n## /s.exec(text)?.[0] ?? ''
  return [...part.matchAll(/^\| `(.+)` \| .+ \|$/gm)].flatMap(([, names = '']) => names.split('`, `')).sort()
}

test('what an erasure removes and what names a person is in their export, except for what the documentation lists', async () => {
  await app.actor('dev')
  const memberId = await readMemberId(app, 'dev')
  // Whoever typed an address may be somebody else, so it has to be proven before what it names is shown.
  await app.database.query('update members set email_verified = true where id = $1', [memberId])
  await fillTables(app.database, app.a.id, GIVEN)
  assert.deepEqual(
    await fillTablesFor(app.database, app.a.id, memberId, GIVEN),
    {},
    'every table has rows of the person',
  )
  // What is in the ledger is what the subscription says that it has.
  await app.database.query(`update subscriptions s set credit = (
    select coalesce(sum(c.amount), 0) from subscription_credits c where c.subscription_id = s.id)`)
  for (const [name, given] of ADDRESSED) await addRow(app.database, app.a.id, name, given)
  const tables = await app.database.query<Table>(TABLES)
  const hidden = new Set<string>()
  const kept: string[] = []
  await undone(async (db, now) => {
    const before = await readRows(db, tables)
    await run(db, 'savepoint erasure')
    await erasePerson({ db, school: app.a, now }, { id: memberId, email: EMAIL })
    const after = await readRows(db, tables)
    await run(db, 'rollback to savepoint erasure')
    for (const [name, rows] of after) if (JSON.stringify(rows).toLowerCase().includes(EMAIL)) kept.push(name)
    // The rows are changed one by one, whatever refers to them.
    await run(db, `set local session_replication_role = 'replica'`)
    const exported = async () => JSON.stringify(await personalData.call({ memberId }, { school: app.a, db }))
    const whole = await exported()
    for (const table of tables)
      for (const place of listPlaces(table, before.get(table.name) ?? [], after.get(table.name) ?? [], memberId))
        if ((await isShown(db, { exported, whole }, place)) === false)
          hidden.add(place.column === undefined ? table.name : `${table.name}.${place.column.name}`)
    // A table of which the export shows no row need not name its columns.
    for (const name of hidden) if (hidden.has(name.replace(/\..*/, '')) && name.includes('.')) hidden.delete(name)
  })
  assert.deepEqual(kept, [], 'the address is nowhere after the erasure')
  assert.deepEqual([...hidden].sort(), await documented())
})
