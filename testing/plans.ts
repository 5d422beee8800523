import pg from 'pg'
import type { Statement } from '#src/contract/db.ts'

/** A node of a plan in PostgreSQL's JSON format. */
type PlanNode = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly 'Actual Rows': number
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: readonly PlanNode[]
}

/** The result of `explain analyze`: the plan, the blocks read, and the duration in milliseconds. */
export type Explained = {
  readonly nodes: readonly PlanNode[]
  readonly shape: string
  readonly blocks: number
  readonly ms: number
  readonly rows: number
}

const listNodes = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(listNodes)]

// Parts that differ between runs and schools.
const normal = (line: string): string =>
  line
    .replace(/'[^']*'::(?:uuid|text|tsquery|bigint|timestamp with time zone)(?=\)|,| )/g, '?')
    .replace(/'\{[^']*\}'::uuid\[\]/g, '?')
    .replace(/\(never executed\)/, '')
    .trimEnd()

/** Opens a connection that explains statements as the application's login runs them in a school. */
export const openExplainer = async (appUrl: string, schoolId: string) => {
  const client = new pg.Client({ connectionString: appUrl, statement_timeout: 20_000 })
  await client.connect()
  await client.query(`set stoa.school_id = '${schoolId}'`)
  const ask = async ({ text, values }: Statement): Promise<Explained> => {
    const explainWith = (options: string) => ({ text: `explain (${options}) ${text}`, values: [...values] })
    const result = await client.query(explainWith('analyze, buffers, format json'))
    const [{ Plan: plan, 'Execution Time': ms }] = result.rows[0]['QUERY PLAN']
    const { rows } = await client.query(explainWith('costs off'))
    const shape = rows.map(row => normal(row['QUERY PLAN'])).join('\n')
    const blocks = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    return { nodes: listNodes(plan), shape, blocks, ms, rows: plan['Actual Rows'] }
  }
  return { client, ask, close: () => client.end() }
}

/** Returns the statements that a function sends; each returns no rows. */
export const captureStatement = (work: (db: never) => Promise<unknown>): Statement => {
  const sent: Statement[] = []
  const take = (statement: Statement) => {
    sent.push(statement)
    return new Promise(() => undefined)
  }
  void work({ all: take, first: take, one: take, run: take } as never)
  const [first] = sent
  if (first === undefined) throw new Error('no statement was sent')
  return first
}

/** How a plan is made: for the given values, or once for all values. */
export const planModes = ['force_custom_plan', 'force_generic_plan'] as const

const formatList = (values: readonly unknown[]): string =>
  `{${values.map(value => `"${String(value).replace(/["\\]/g, '\\$&')}"`).join(',')}}`

const readText = (value: unknown): string => {
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) ? formatList(value) : String(value)
}

const literal = (value: unknown): string =>
  value === null || value === undefined ? 'null' : pg.escapeLiteral(readText(value))

const listColumns = (condition: string): string =>
  [...new Set([...condition.matchAll(/\((\w+) (?:=|<|>|<=|>=) /g)].map(([, column = '']) => column))].join(', ')

// An index scan, an index-only scan and a bitmap scan differ in cost only: the index and its columns are compared.
const listAccesses = (node: PlanNode, relation = node['Relation Name'] ?? ''): string[] => {
  const index = node['Index Name']
  const below = (node.Plans ?? []).flatMap(child => listAccesses(child, child['Relation Name'] ?? relation))
  if (index !== undefined) return [`${relation} by ${index} (${listColumns(node['Index Cond'] ?? '')})`, ...below]
  return node['Node Type'] === 'Seq Scan' ? [`${relation} from end to end`, ...below] : below
}

/** Opens a connection that lists how the application's login accesses the rows of a statement, sorted, without duplicates. */
export const openAccess = async (appUrl: string, schoolId: string) => {
  const client = new pg.Client({ connectionString: appUrl, statement_timeout: 20_000 })
  await client.connect()
  await client.query(`set stoa.school_id = '${schoolId}'`)
  const ask = async ({ text, values }: Statement, mode: (typeof planModes)[number]): Promise<string[]> => {
    await client.query(`set plan_cache_mode = ${mode}`)
    await client.query(`prepare asked as ${text}`)
    const argumentList = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`
    const { rows } = await client.query(`explain (format json) execute asked${argumentList}`)
    await client.query('deallocate asked')
    return [...new Set(listAccesses(rows[0]['QUERY PLAN'][0].Plan))].sort()
  }
  return { client, ask, close: () => client.end() }
}
