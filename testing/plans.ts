import pg from 'pg'
import type { Statement } from '#src/contract/db.ts'

/** A node of a plan as PostgreSQL tells it in JSON. */
export type PlanNode = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: readonly PlanNode[]
}

/** How a statement ran: its plan, the blocks it touched, and how long it took in milliseconds. */
export type Explained = {
  readonly nodes: readonly PlanNode[]
  readonly shape: string
  readonly blocks: number
  readonly ms: number
  readonly rows: number
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

// What differs from run to run and from school to school.
const normal = (line: string): string =>
  line
    .replace(/'[^']*'::(?:uuid|text|tsquery|bigint|timestamp with time zone)(?=\)|,| )/g, '?')
    .replace(/'\{[^']*\}'::uuid\[\]/g, '?')
    .replace(/\(never executed\)/, '')
    .trimEnd()

/** A connection that explains statements as the application's login would run them in a school. */
export const openExplainer = async (appUrl: string, schoolId: string) => {
  const client = new pg.Client({ connectionString: appUrl, statement_timeout: 20_000 })
  await client.connect()
  await client.query(`set stoa.school_id = '${schoolId}'`)
  const ask = async ({ text, values }: Statement): Promise<Explained> => {
    const asked = (options: string) => ({ text: `explain (${options}) ${text}`, values: [...values] })
    const told = await client.query(asked('analyze, buffers, format json'))
    const [{ Plan: plan, 'Execution Time': ms }] = told.rows[0]['QUERY PLAN']
    const { rows } = await client.query(asked('costs off'))
    const shape = rows.map(row => normal(row['QUERY PLAN'])).join('\n')
    const blocks = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    return { nodes: nodesOf(plan), shape, blocks, ms, rows: plan['Actual Rows'] }
  }
  return { client, ask, close: () => client.end() }
}

/** The statements that a function sends, which gets nothing back. */
export const statementOf = (work: (db: never) => Promise<unknown>): Statement => {
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
