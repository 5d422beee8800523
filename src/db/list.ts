import type { Db, Statement } from '#src/contract/db.ts'
import { buildPage, type Listing, parsePage } from '#src/contract/pagination.ts'
import { type Change, changesPage, settledBehind } from './commit-order.ts'
import { byInstant, byInteger, byText, type Keyset, keyset, type SortKey } from './keyset.ts'
import { inAll, type Range } from './ranges.ts'
import { sql } from './sql.ts'
import { allOrNone, joinConditions, when } from './where.ts'

/** A column that `sort` can name, and its text in a row, which is the position of the row. */
type ListKey<Row> = SortKey & { readText(row: Row): string }

/** A text column as a sort key; `readText` reads it from a row. */
export const textKey = <Row>(column: Statement, readText: (row: Row) => string): ListKey<Row> => ({
  ...byText(column),
  readText,
})

/** A column of whole numbers as a sort key; `readNumber` reads it from a row. */
export const integerKey = <Row>(column: Statement, readNumber: (row: Row) => number): ListKey<Row> => ({
  ...byInteger(column),
  readText: row => String(readNumber(row)),
})

/** A column of instants, stored with milliseconds, as a sort key; `readInstant` reads it from a row. */
export const instantKey = <Row>(column: Statement, readInstant: (row: Row) => Date): ListKey<Row> => ({
  ...byInstant(column),
  readText: row => readInstant(row).toISOString(),
})

/** The same for instants that may be missing, after all others: of a missing one the column has infinity. */
export const lastInstantKey = <Row>(column: Statement, readInstant: (row: Row) => Date | null): ListKey<Row> => ({
  ...byInstant(column),
  readText: row => readInstant(row)?.toISOString() ?? 'infinity',
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
  /** What is counted, where that takes less than the rows do; with all conditions except ranges. */
  readonly counted?: { readonly from?: Statement; readonly where: Statement }
  /** Conditions that no index answers in the order of the list, so that a page looks for its rows among a bounded number of them. */
  readonly checked?: Checked | undefined
}

/** What is checked row by row, and the table of the rows with its alias; `joins` are the other tables of `from`. */
type Checked = {
  readonly table: Statement
  readonly alias: Statement
  readonly joins?: Statement
  /** A condition that no index can answer. */
  readonly condition?: Statement | undefined
  /** Conditions that an index answers in another order than that of the list. */
  readonly ranges?: readonly Range[]
  readonly candidates?: Candidates | undefined
}

/** A column, and a statement of the ids that it has in every row that meets the condition; in a statement with the clock of the list. */
type Candidates = { readonly column: Statement; readonly ids: Statement }

type ListRequest = Listing & {
  readonly db: Db
  readonly query: Listing['query'] & { readonly sort?: string | undefined; readonly after?: string | undefined }
}

const clock = ({ hasClock = false }: Pick<List<never>, 'hasClock'>): Statement =>
  hasClock ? sql`with clock as materialized (select stoa.now() as now)` : sql``

const chooseOrder = <Row extends ListRow>(list: List<Row>, sort = list.sort ?? 'created_at') => {
  const name = sort.replace(/^-/, '')
  return { key: list.keys?.[name], isDescending: sort.startsWith('-') }
}

// Undefined where nothing is checked.
const isMet = (checked: Checked | undefined): Statement | undefined =>
  allOrNone(checked?.condition, inAll(checked?.ranges ?? []))

const isCandidate = (checked: Checked | undefined): Statement | undefined =>
  when(checked?.candidates, ({ column, ids }) => sql`${column} in (${ids})`)

/** The condition that a row is in a list. */
export const isListed = <Row extends ListRow>(list: List<Row>): Statement =>
  joinConditions(list.where, isCandidate(list.checked), isMet(list.checked))

/** The order of a list by `sort`. */
export const orderBy = <Row extends ListRow>(list: List<Row>, sort?: string): Statement =>
  keyset(list.id, chooseOrder(list, sort), undefined).order

const pageStatement = <Row extends ListRow>(
  list: List<Row>,
  { order, behind }: Pick<Keyset, 'order' | 'behind'>,
  rows: number | undefined,
): Statement<Row> => sql`
  ${clock(list)} select ${list.columns} from ${list.from} where ${joinConditions(isListed(list), behind)}
  order by ${order} ${rows === undefined ? sql`` : sql`limit ${rows}`}`

/** The rows of a list in the order that `sort` names, after a position, at most `rows`; all of them without `rows`. */
export const listStatement = <Row extends ListRow>(
  list: List<Row>,
  sort?: string,
  { rows, after }: { readonly rows?: number; readonly after?: readonly string[] | undefined } = {},
): Statement<Row> => pageStatement(list, keyset(list.id, chooseOrder(list, sort), after), rows)

/**
 * How many rows a page looks at for what is checked: those of a range, or those with candidates, if there are no more, or
 * else those that come next in the order.
 */
const MAX_CHECKED = 5000

type CheckedList<Row extends ListRow> = List<Row> & { readonly checked: Checked }

type PageRow<Row> = Row & { readonly is_met?: boolean }

/** The rows of a page that meet what is checked; and if it looked at as many as it may without filling the page, the last one of those. */
const lookStatement = <Row extends ListRow>(
  list: CheckedList<Row>,
  { order, reversed, behind }: Keyset,
  rows: number,
): Statement<PageRow<Row>> => {
  const { table, alias, joins = sql`` } = list.checked
  const start = list.hasClock === true ? sql`${clock(list)},` : sql`with`
  return sql`
    ${start} looked_at as materialized (
      select ${alias}.* from ${table} ${alias} where ${joinConditions(list.where, behind)} order by ${order} limit ${MAX_CHECKED}),
    met as materialized (
      select ${list.columns}, true as is_met from looked_at ${alias} ${joins}
      where ${joinConditions(isMet(list.checked))} order by ${order} limit ${rows})
    select * from met
    union all
    select ${list.columns}, false as is_met
    from (select * from looked_at ${alias} order by ${reversed} limit 1) as ${alias} ${joins}
    where (select count(*) from met) < ${rows} and (select count(*) from looked_at) = ${MAX_CHECKED}`
}

// A range that was counted may have grown since; rows that were added meanwhile must not displace others.
const MAX_COLLECTED = 2 * MAX_CHECKED

/** The rows of a page that are in a range of few rows, which are collected by its index. */
const collectStatement = <Row extends ListRow>(
  list: CheckedList<Row>,
  { school, column, condition }: Range,
  { order, behind }: Keyset,
  rows: number,
): Statement<Row> => {
  const { table, alias, joins = sql`` } = list.checked
  return sql`
    ${clock(list)} select ${list.columns}
    from (
      select ${alias}.* from ${table} ${alias} where ${joinConditions(school, condition)} order by ${column} limit ${MAX_COLLECTED}
    ) as ${alias} ${joins}
    where ${joinConditions(isListed(list), behind)} order by ${order} limit ${rows}`
}

const isFew = async (db: Db, rows: Statement, start: Statement): Promise<boolean> => {
  const { count } = await db.one(sql<{ count: number }>`
    ${start} select count(*)::integer as count from (${rows} limit ${MAX_CHECKED + 1}) as few`)
  return count <= MAX_CHECKED
}

const findCollectable = async (db: Db, { table, alias, ranges = [] }: Checked): Promise<Range | undefined> => {
  for (const range of ranges) {
    const { school, column, condition } = range
    const rows = sql`select from ${table} ${alias} where ${joinConditions(school, condition)} order by ${column}`
    if (await isFew(db, rows, sql``)) return range
  }
  return undefined
}

// A range on the column of the order is where the index of the order begins and ends.
const withoutRangesOfOrder = <Row extends ListRow>(list: List<Row>, sort: string | undefined): List<Row> => {
  const { checked, where } = list
  const column = chooseOrder(list, sort).key?.column
  if (checked?.ranges === undefined || column === undefined) return list
  const ranges = checked.ranges.filter(range => range.column !== column)
  const ofOrder = inAll(checked.ranges.filter(range => range.column === column))
  return { ...list, where: joinConditions(where, ofOrder), checked: { ...checked, ranges } }
}

const chooseStatement = async <Row extends ListRow>(
  db: Db,
  list: List<Row>,
  place: Keyset,
  rows: number,
): Promise<Statement<PageRow<Row>>> => {
  const { checked } = list
  if (checked === undefined || isMet(checked) === undefined) return pageStatement(list, place, rows)
  const whole = { ...list, checked }
  const range = await findCollectable(db, checked)
  if (range !== undefined) return collectStatement(whole, range, place, rows)
  const hasFew = checked.candidates !== undefined && (await isFew(db, checked.candidates.ids, clock(list)))
  return lookStatement(
    { ...whole, where: joinConditions(list.where, hasFew ? isCandidate(checked) : undefined) },
    place,
    rows,
  )
}

/** The statement that reads a page in the order that `sort` names, after a position; `is_met` is false of the row at which it stopped. */
export const choosePage = <Row extends ListRow>(
  db: Db,
  list: List<Row>,
  sort: string | undefined,
  { rows, after }: { readonly rows: number; readonly after: readonly string[] | undefined },
): Promise<Statement<PageRow<Row>>> =>
  chooseStatement(db, withoutRangesOfOrder(list, sort), keyset(list.id, chooseOrder(list, sort), after), rows)

/** The same in the order of commits. */
export const chooseChanges = <Row extends ListRow>(
  db: Db,
  list: List<Row> & { readonly changedIn: Statement },
  { rows, after }: { readonly rows: number; readonly after: Change },
): Promise<Statement<PageRow<Row>>> => {
  const { changedIn, id } = list
  const place = {
    order: sql`${changedIn}, ${id}`,
    reversed: sql`${changedIn} desc, ${id} desc`,
    behind: settledBehind(changedIn, id, after),
  }
  return chooseStatement(db, list, place, rows)
}

/** The number of rows of a list. */
export const countList = async <Row extends ListRow>(db: Db, list: List<Row>): Promise<number> => {
  const { counted, checked } = list
  const where =
    counted === undefined
      ? isListed(list)
      : joinConditions(counted.where, isCandidate(checked), inAll(checked?.ranges ?? []))
  const { count } = await db.one(sql<{ count: number }>`
    ${clock(list)} select count(*)::integer as count from ${counted?.from ?? list.from} where ${where}`)
  return count
}

/**
 * Answers a request for a page of a list: in the order of `sort`, after `cursor`, with `total` where it was asked for; or
 * with `after` in the order of commits. A page of a list with a checked condition may be short, or empty, while `has_more` says
 * that it goes on. `renderViews` returns a view for each row, in their order. Refuses a position that is
 * not of this list.
 */
export const readList = async <Row extends ListRow, View>(
  request: ListRequest,
  list: List<Row>,
  renderViews: (rows: readonly Row[]) => readonly View[] | Promise<readonly View[]>,
) => {
  const { db, query } = request
  const { changedIn } = list
  if (query.after !== undefined && changedIn !== undefined)
    return changesPage(db, request, query.after, {
      read: (rows, after) => readRows(db, chooseChanges(db, { ...list, changedIn }, { rows, after })),
      renderViews,
    })
  const { key } = chooseOrder(list, query.sort)
  const { rows, stoppedAt } = await readRows(db, choosePage(db, list, query.sort, parsePage(request)))
  return buildPage(request, rows, {
    readPosition: row => (key === undefined ? [row.id] : [key.readText(row), row.id]),
    renderViews,
    total: () => countList(db, list),
    stoppedAt,
  })
}

const readRows = async <Row extends ListRow>(db: Db, statement: Promise<Statement<PageRow<Row>>>) => {
  const found = await db.all(await statement)
  return { rows: found.filter(row => row.is_met !== false), stoppedAt: found.find(row => row.is_met === false) }
}
