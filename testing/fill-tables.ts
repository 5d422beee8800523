import type { TestDatabase } from './database.ts'

type Query = TestDatabase['query']

type Column = {
  readonly name: string
  readonly type: string
  readonly required: boolean
  /** The conditions of the table that name the column. */
  readonly checks: readonly string[]
}

type Reference = { readonly columns: readonly string[]; readonly table: string; readonly to: readonly string[] }

type Table = { readonly name: string; readonly columns: readonly Column[]; readonly references: readonly Reference[] }

const TABLES = `
  select n.nspname || '.' || c.relname as name, (
      select jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, null),
        'required', a.attnotnull and not a.atthasdef, 'checks', (
          select coalesce(jsonb_agg(pg_get_constraintdef(k.oid)), '[]') from pg_constraint k
          where k.conrelid = c.oid and k.contype = 'c' and a.attnum = any (k.conkey))))
      from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns, (
      select coalesce(jsonb_agg(jsonb_build_object('table', fn.nspname || '.' || f.relname,
        'columns', (select jsonb_agg(a.attname order by o.place) from unnest(k.conkey) with ordinality o (num, place)
          join pg_attribute a on a.attrelid = k.conrelid and a.attnum = o.num),
        'to', (select jsonb_agg(a.attname order by o.place) from unnest(k.confkey) with ordinality o (num, place)
          join pg_attribute a on a.attrelid = k.confrelid and a.attnum = o.num))), '[]')
      from pg_constraint k join pg_class f on f.oid = k.confrelid join pg_namespace fn on fn.oid = f.relnamespace
      where k.conrelid = c.oid and k.contype = 'f' and not k.condeferrable) as references
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname in ('public', 'stoa') order by 1`

const VALUES: Readonly<Record<string, string>> = {
  uuid: 'gen_random_uuid()',
  'timestamp with time zone': 'stoa.now()',
  date: 'current_date',
  integer: '1',
  bigint: '1',
  smallint: '1',
  numeric: '1',
  boolean: 'false',
  jsonb: `'{}'`,
  bytea: `decode(repeat('0a', 32), 'hex')`,
  'text[]': `'{a}'`,
  'uuid[]': `'{}'`,
}

// One of the values that a condition lists.
const listedIn = (checks: readonly string[], name: string): string | undefined => {
  for (const check of checks) {
    const [, value] = new RegExp(`\\(?${name} = (?:ANY \\(\\(?ARRAY\\[)?('[^']*')::text`).exec(check) ?? []
    if (value !== undefined) return value
  }
  return undefined
}

const valueFor = ({ name, type, checks }: Column): string =>
  type === 'text' ? (listedIn(checks, name) ?? `'x'`) : (VALUES[type] ?? `'x'`)

const isEmpty = async (query: Query, name: string, where = 'true'): Promise<boolean> =>
  (await query(`select from ${name} t0 where ${where} limit 1`)).length === 0

const MEMBERS = 'public.members'
const MAX_DEPTH = 3

/** The columns of a table that name a member. */
const memberColumns = ({ columns, references }: Table): readonly string[] =>
  [
    ...new Set([
      ...references.flatMap(({ table, columns: names }) => (table === MEMBERS ? names : [])),
      ...columns.flatMap(({ name, type }) => (type === 'uuid' && /(^|_)member_id$/.test(name) ? [name] : [])),
    ]),
  ].filter(name => name !== 'school_id')

// That a row of a table belongs to a member, itself or as a part of what does; undefined where none can. What somebody wrote for the
// school has parts that are not theirs.
const buildCondition = (tables: readonly Table[], name: string, memberId: string, depth = 0): string | undefined => {
  const table = tables.find(one => one.name === name)
  if (table === undefined || depth > MAX_DEPTH) return undefined
  const own = memberColumns(table)
  if (own.includes('member_id')) return `t${depth}.member_id = '${memberId}'`
  if (own.length > 0) return undefined
  const conditions = table.references.flatMap(({ columns, table: parent, to }) => {
    const condition = buildCondition(tables, parent, memberId, depth + 1)
    if (condition === undefined) return []
    const same = columns.map((column, place) => `t${depth + 1}.${to[place]} = t${depth}.${column}`)
    return [`exists (select from ${parent} t${depth + 1} where ${[...same, condition].join(' and ')})`]
  })
  return conditions.length === 0 ? undefined : `(${conditions.join(' or ')})`
}

/** The rows `t0` of a table that a reference prefers. */
type Preferred = (table: string) => string | undefined

// A row that refers to some row of each table that it has to refer to, of one school.
const insert = async (
  query: Query,
  schoolId: string,
  table: Table,
  given: Readonly<Record<string, string>>,
  preferred: Preferred = () => undefined,
) => {
  const values = new Map<string, string>()
  const required = new Set(table.columns.filter(column => column.required).map(({ name }) => name))
  const places: string[] = []
  for (const [at, reference] of table.references.entries()) {
    const isNeeded = reference.columns.every(name => required.has(name) || name in given)
    if (!isNeeded || reference.columns.some(name => name !== 'school_id' && (values.has(name) || name in given)))
      continue
    const ofSchool = reference.to.includes('school_id') ? `where school_id = '${schoolId}'` : ''
    const where = reference.table === 'public.schools' ? `where id = '${schoolId}'` : ofSchool
    const condition = preferred(reference.table)
    const order = condition === undefined ? '' : `order by ${condition} desc`
    places.push(`(select * from ${reference.table} t0 ${where} ${order} limit 1) r${at}`)
    for (const [place, name] of reference.columns.entries()) values.set(name, `r${at}.${reference.to[place]}`)
  }
  for (const column of table.columns)
    if (column.required && !values.has(column.name)) values.set(column.name, valueFor(column))
  if (values.has('school_id')) values.set('school_id', `'${schoolId}'::uuid`)
  for (const [name, value] of Object.entries(given)) values.set(name, value)
  const from = places.length === 0 ? '' : `from ${places.join(', ')}`
  await query(
    `insert into ${table.name} (${[...values.keys()].join(', ')}) select ${[...values.values()].join(', ')} ${from}`,
  )
}

/** Values of columns, by table, as SQL. */
type Given = Readonly<Record<string, Readonly<Record<string, string>>>>

/** A row that a table lacks: any at all, or one of which `where` is true. */
type Wanted = {
  readonly table: Table
  readonly label: string
  readonly where?: string
  /** The statement that gives a row of somebody else to the member. */
  readonly claim?: string
  readonly given: Readonly<Record<string, string>>
}

// Whether a statement changed a row.
const isDone = (query: Query, statement: string): Promise<boolean> =>
  query(`${statement} returning true`).then(
    rows => rows.length > 0,
    () => false,
  )

const insertAll = async (query: Query, schoolId: string, wanted: readonly Wanted[], preferred?: Preferred) => {
  let waiting = wanted
  for (;;) {
    const failed: Record<string, string> = {}
    for (const { table, label, where, given, claim } of waiting) {
      try {
        if (!(await isEmpty(query, table.name, where))) continue
        if (claim !== undefined && (await isDone(query, claim))) continue
        await insert(query, schoolId, table, given, preferred)
        if (await isEmpty(query, table.name, where)) failed[label] = 'it refers to a table without rows'
      } catch (error) {
        failed[label] = error instanceof Error ? error.message : String(error)
      }
    }
    if (Object.keys(failed).length === waiting.length) return failed
    waiting = waiting.filter(({ label }) => label in failed)
    if (waiting.length === 0) return {}
  }
}

/**
 * Adds a row to every table that has none, derived from the catalog, with `given` values for columns whose conditions cannot be
 * guessed. Returns the tables that are still empty, each with the reason.
 */
export const fillTables = async (
  { query }: Pick<TestDatabase, 'query'>,
  schoolId: string,
  given: Given,
): Promise<Readonly<Record<string, string>>> => {
  const waiting: Wanted[] = []
  for (const table of await query<Table>(TABLES))
    if (await isEmpty(query, table.name)) waiting.push({ table, label: table.name, given: given[table.name] ?? {} })
  return insertAll(query, schoolId, waiting)
}

/** What a member has in a table: rows that name them, by each of the columns that do, or parts of such rows. */
const listWanted = (
  tables: readonly Table[],
  table: Table,
  { schoolId, memberId, given }: { readonly schoolId: string; readonly memberId: string; readonly given: Given },
): readonly Wanted[] => {
  const values = given[table.name] ?? {}
  const named = memberColumns(table).map(name => {
    const first = `(select ctid from ${table.name} where school_id = '${schoolId}' limit 1)`
    return {
      ...{ table, label: `${table.name}.${name}`, where: `t0.${name} = '${memberId}'` },
      given: { ...values, [name]: `'${memberId}'` },
      claim: `update ${table.name} set ${name} = '${memberId}' where ctid = ${first}`,
    }
  })
  if (named.length > 0) return named
  const where = buildCondition(tables, table.name, memberId)
  return where === undefined ? [] : [{ table, label: table.name, where, given: values }]
}

// Sets each column with a text that is null in all of these rows, where its conditions allow it.
const fillColumns = async (query: Query, { table, where = 'true', given }: Wanted): Promise<void> => {
  for (const column of table.columns) {
    if (column.required || !/^(text|json)/.test(column.type)) continue
    const value = given[column.name] ?? valueFor(column)
    const row = `(select ctid from ${table.name} t0 where ${where} and ${column.name} is null limit 1)`
    await isDone(query, `update ${table.name} set ${column.name} = ${value} where ctid = ${row}`)
  }
}

/**
 * Adds a row that belongs to a member to every table that can have one, and one for each column that names a member, with text
 * in the columns that allow any; returns what could not be added, each with the reason.
 */
export const fillTablesFor = async (
  { query }: Pick<TestDatabase, 'query'>,
  schoolId: string,
  memberId: string,
  given: Given,
): Promise<Readonly<Record<string, string>>> => {
  const tables = await query<Table>(TABLES)
  const preferred: Preferred = name =>
    name === MEMBERS ? `t0.id <> '${memberId}'` : buildCondition(tables, name, memberId)
  const wanted = tables.flatMap(table => listWanted(tables, table, { schoolId, memberId, given }))
  const failed = await insertAll(query, schoolId, wanted, preferred)
  for (const one of wanted) await fillColumns(query, one)
  return failed
}

/** Adds a row with these values, and with what it has to have besides. */
export const addRow = async (
  { query }: Pick<TestDatabase, 'query'>,
  schoolId: string,
  name: string,
  given: Readonly<Record<string, string>>,
): Promise<void> => {
  const table = (await query<Table>(TABLES)).find(one => one.name === name)
  if (table === undefined) throw new Error(`there is no table ${name}`)
  await insert(query, schoolId, table, given)
}
