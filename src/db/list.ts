import type { Db, Statement } from '#src/contract/db.ts'
import { buildPage, type Listing, parsePage } from '#src/contract/pagination.ts'
import { type Change, changesPage, settledBehind } from './commit-order.ts'
import { byInstant, byInteger, byText, keyset, type SortKey } from './keyset.ts'
import { sql } from './sql.ts'
import { allOf } from './where.ts'

/** A column that `sort` can name, and its text in a row, which is the position of the row. */
type ListKey<Row> = SortKey & { textOf(row: Row): string }

/** A text column as a sort key; `textOf` reads it from a row. */
export const textKey = <Row>(column: Statement, textOf: (row: Row) => string): ListKey<Row> => ({
  ...byText(column),
  textOf,
})

/** A column of whole numbers as a sort key; `numberOf` reads it from a row. */
export const integerKey = <Row>(column: Statement, numberOf: (row: Row) => number): ListKey<Row> => ({
  ...byInteger(column),
  textOf: row => String(numberOf(row)),
})

/** A column of instants, stored with milliseconds, as a sort key; `instantOf` reads it from a row. */
export const instantKey = <Row>(column: Statement, instantOf: (row: Row) => Date): ListKey<Row> => ({
  ...byInstant(column),
  textOf: row => instantOf(row).toISOString(),
})

/** What every row of a list has; `changed_in` in a list that can be read in the order of commits. */
type ListRow = { readonly id: string; readonly changed_in?: string }

/** A list: which rows it has, what is read of each, and in which orders. */
export type List<Row extends ListRow> = {
  /** The columns of a row, with `id`. */
  readonly columns: Statement
  /** The tables, with aliases. */
  readonly from: Statement
  readonly where: Statement
  /** The column of the id, which orders rows that are equal otherwise; ids follow the order of creation. */
  readonly id: Statement
  /** The columns that `sort` can name beside `created_at`, which is the order of the ids. */
  readonly keys?: Readonly<Record<string, ListKey<Row>>>
  /** The order without `sort`; `created_at` if it is left out. */
  readonly sort?: string
  /** The column of the transaction that last changed a row; a list that has it can be read in the order of commits. */
  readonly changedIn?: Statement
  /** Whether the statement begins with the clock: `(select now from clock)`. */
  readonly hasClock?: boolean
  /** What is counted, where that takes less than the rows do; with all conditions. */
  readonly counted?: { readonly from?: Statement; readonly where: Statement }
  /** A condition that no index can answer, so that a page looks for its rows among a bounded number of them. */
  readonly checked?: Checked
}

/** A condition that is checked row by row, and the table of the rows with its alias; `joins` are the other tables of `from`. */
type Checked = {
  readonly table: Statement
  readonly alias: Statement
  readonly joins?: Statement
  readonly condition: Statement
}

type ListRequest = Listing & {
  readonly db: Db
  readonly query: Listing['query'] & { readonly sort?: string | undefined; readonly after?: string | undefined }
}

const clock = ({ hasClock = false }: Pick<List<never>, 'hasClock'>): Statement =>
  hasClock ? sql`with clock as materialized (select stoa.now() as now)` : sql``

const orderOf = <Row extends ListRow>(list: List<Row>, sort = list.sort ?? 'created_at') => {
  const name = sort.replace(/^-/, '')
  return { key: list.keys?.[name], isDescending: sort.startsWith('-') }
}

/** The rows of a list in the order that `sort` names, after a position, at most `rows`; all of them without `rows`. */
export const listStatement = <Row extends ListRow>(
  list: List<Row>,
  sort?: string,
  { rows, after }: { readonly rows?: number; readonly after?: readonly string[] | undefined } = {},
): Statement<Row> => {
  const { order, behind } = keyset(list.id, orderOf(list, sort), after)
  return sql`
    ${clock(list)} select ${list.columns} from ${list.from}
    where ${allOf(list.where, list.checked?.condition, behind)}
    order by ${order} ${rows === undefined ? sql`` : sql`limit ${rows}`}`
}

/** How many rows a page looks at for a condition that no index can answer. */
const MAX_CHECKED = 5000

type CheckedRow<Row> = Row & { readonly is_met: boolean }

/** The rows of a page that meet the checked condition of a list; and if it looked at as many as it may without filling the page, the last one of those. */
export const checkedStatement = <Row extends ListRow>(
  list: List<Row> & { readonly checked: Checked },
  sort: string | undefined,
  { rows, after }: { readonly rows: number; readonly after: readonly string[] | undefined },
): Statement<CheckedRow<Row>> => {
  const { table, alias, joins = sql``, condition } = list.checked
  const { order, reversed, behind } = keyset(list.id, orderOf(list, sort), after)
  const start = list.hasClock === true ? sql`${clock(list)},` : sql`with`
  return sql`
    ${start} looked_at as materialized (
      select ${alias}.* from ${table} ${alias} where ${allOf(list.where, behind)} order by ${order} limit ${MAX_CHECKED}),
    met as materialized (
      select ${list.columns}, true as is_met from looked_at ${alias} ${joins} where ${condition} order by ${order} limit ${rows})
    select * from met
    union all
    select ${list.columns}, false as is_met
    from (select * from looked_at ${alias} order by ${reversed} limit 1) as ${alias} ${joins}
    where (select count(*) from met) < ${rows} and (select count(*) from looked_at) = ${MAX_CHECKED}`
}

/** The rows of a list in the order of commits, after a position. */
export const changesStatement = <Row extends ListRow>(
  list: List<Row> & { readonly changedIn: Statement },
  rows: number,
  after: Change,
): Statement<Row> => sql`
  ${clock(list)} select ${list.columns} from ${list.from}
  where ${allOf(list.where, list.checked?.condition, settledBehind(list.changedIn, list.id, after))}
  order by ${list.changedIn}, ${list.id} limit ${rows}`

/** The number of rows of a list. */
export const countList = async <Row extends ListRow>(db: Db, list: List<Row>): Promise<number> => {
  const { from = list.from, where } = list.counted ?? { where: allOf(list.where, list.checked?.condition) }
  const { count } = await db.one(sql<{ count: number }>`
    ${clock(list)} select count(*)::integer as count from ${from} where ${where}`)
  return count
}

/**
 * Answers a request for a page of a list: in the order of `sort`, after `cursor`, with `total` where it was asked for; or
 * with `after` in the order of commits. A page of a list with a checked condition may be short, or empty, while `has_more` says
 * that it goes on. `viewsOf` returns a view for each row, in their order. Refuses a position that is
 * not of this list.
 */
export const readList = async <Row extends ListRow, View>(
  request: ListRequest,
  list: List<Row>,
  viewsOf: (rows: readonly Row[]) => readonly View[] | Promise<readonly View[]>,
) => {
  const { db, query } = request
  const { changedIn } = list
  if (query.after !== undefined && changedIn !== undefined)
    return changesPage(db, request, query.after, {
      read: (rows, after) => db.all(changesStatement({ ...list, changedIn }, rows, after)),
      viewsOf,
    })
  const { key } = orderOf(list, query.sort)
  const { rows, stoppedAt } = await readRows(request, list)
  return buildPage(request, rows, {
    positionOf: row => (key === undefined ? [row.id] : [key.textOf(row), row.id]),
    viewsOf,
    total: () => countList(db, list),
    stoppedAt,
  })
}

const readRows = async <Row extends ListRow>(
  request: ListRequest,
  list: List<Row>,
): Promise<{ readonly rows: readonly Row[]; readonly stoppedAt?: Row | undefined }> => {
  const { db, query } = request
  const { checked } = list
  if (checked === undefined) return { rows: await db.all(listStatement(list, query.sort, parsePage(request))) }
  const found = await db.all(checkedStatement({ ...list, checked }, query.sort, parsePage(request)))
  return { rows: found.filter(row => row.is_met), stoppedAt: found.find(row => !row.is_met) }
}
