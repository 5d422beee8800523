import pg from 'pg'
import { community } from './fills/community.ts'
import { COURSE_TERMS, COURSE_WORDS, courses, learning, RATINGS } from './fills/learning.ts'
import { MEMBER_WORDS, people } from './fills/people.ts'
import { records } from './fills/records.ts'
import { ORDER_NUMBERS, ORDER_WORDS, sales } from './fills/sales.ts'
import { fillMetrics } from './metrics.ts'
import { type Fill, SPINES } from './spine.ts'

/** A school of the demo data, and the number of members, of enrollments and of orders that it gets. */
export type LargeSchool = { readonly schoolId: string; readonly rows: number }

/** Whether the triggers of the tables run, or what they would have written is filled in set by set. */
export type TriggerMode = 'triggers' | 'sets'

const FILLS: readonly Fill[] = [...courses, ...people, ...learning, ...sales, ...community, ...records]

/** What the triggers that stamp and count would have written. */
const DERIVED = [MEMBER_WORDS, COURSE_WORDS, COURSE_TERMS, ORDER_WORDS, RATINGS]

const TABLES = [...new Set([...FILLS.map(({ table }) => table), 'stoa.search_entries', 'stoa.search_terms'])]

const readColumns = async (client: pg.Client, table: string): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [table],
  )
  return rows.map(({ name }) => name)
}

const quoted = (name: string): string => pg.escapeIdentifier(name)

const buildStatement = ({ table, like, from, set }: Fill, columns: readonly string[]): string => {
  const names = Object.keys(set)
  const unknown = names.filter(name => !columns.includes(name))
  if (unknown.length > 0) throw new Error(`${table} has no column ${unknown.join(', ')}`)
  const copied = like === undefined ? [] : columns.filter(name => name !== 'school_id' && !names.includes(name))
  const values = [...names.map(name => set[name]), ...copied.map(name => `t.${quoted(name)}`)]
  const template =
    like === undefined ? '' : `(select t.* from ${table} t where t.school_id = $1 and (${like}) limit 1) as t,`
  return `insert into ${table} (school_id, ${[...names, ...copied].map(quoted).join(', ')})
    select $1::uuid, ${values.join(', ')} from ${template} ${from}`
}

type Say = (line: string) => void

const timed = async (say: Say, what: string, work: () => Promise<void>): Promise<void> => {
  const began = performance.now()
  await work()
  say(`${what}: ${Math.round(performance.now() - began)} ms`)
}

/** Runs work without the indexes that only slow down bulk inserts; they are created again afterwards. */
const withoutIndexes = async (client: pg.Client, say: Say, work: () => Promise<void>): Promise<void> => {
  const { rows } = await client.query<{ name: string; made: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as made from pg_index
     where indrelid = any ($1::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid)`,
    [TABLES],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  await work()
  await timed(say, 'indexes', async () => {
    for (const { made } of rows) await client.query(made)
  })
}

const run = async (client: pg.Client, text: string, { schoolId, rows }: LargeSchool): Promise<void> => {
  const values = [schoolId, rows].slice(0, text.includes('$2') ? 2 : 1)
  // A statement that creates a table takes no parameters.
  const literal = text.replaceAll('$1', `'${schoolId}'`).replaceAll('$2', String(rows))
  if (/^\s*create/.test(text)) await client.query(literal)
  else await client.query(text, text.includes('$1') ? values : [])
}

const fillTables = async (client: pg.Client, school: LargeSchool, fills: readonly Fill[], say: Say): Promise<void> => {
  for (const fill of fills) {
    const text = buildStatement(fill, await readColumns(client, fill.table))
    await timed(say, fill.table, () => run(client, text, school))
  }
}

/**
 * Fills a school of the demo data by SQL, statement by statement, with as many members, enrollments and orders as are asked for
 * and in proportion with what belongs to them, over ten years. With `sets` no trigger runs and foreign keys are not checked.
 */
export const loadSchool = async (
  ownerUrl: string,
  school: LargeSchool,
  mode: TriggerMode = 'sets',
  say: Say = () => undefined,
): Promise<void> => {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    await client.query("set work_mem = '256MB'; set maintenance_work_mem = '512MB'; set synchronous_commit = off")
    await client.query('set max_parallel_maintenance_workers = 0')
    await client.query(`set stoa.school_id = '${school.schoolId}'`)
    for (const text of SPINES) await run(client, text, school)
    if (mode === 'triggers')
      await fillTables(
        client,
        school,
        FILLS.filter(fill => fill.isKeptByTriggers !== true),
        say,
      )
    else
      await withoutIndexes(client, say, async () => {
        await client.query('set session_replication_role = replica')
        await fillTables(client, school, FILLS, say)
        for (const text of DERIVED) await timed(say, text.trim().slice(0, 40), () => run(client, text, school))
        await client.query('set session_replication_role = default')
      })
    await run(client, ORDER_NUMBERS, school)
    if (mode === 'sets') await timed(say, 'metrics', () => fillMetrics(client, school.schoolId))
    await timed(say, 'vacuum', async () => void (await client.query('vacuum (analyze)')))
  } finally {
    await client.end()
  }
}
