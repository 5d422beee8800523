import type { Db, Statement } from '#src/contract/db.ts'
import { countRows, type Listing, nameOfList } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidParameter } from '#src/contract/problems.ts'
import { readCursor, writeCursor } from '#src/kit/cursor.ts'
import { sql } from './sql.ts'

/** The position of a reader in commit order: after the row `id` as written by the transaction `changedIn`. */
export type Change = { readonly changedIn: string; readonly id: string }

/** The columns of rows that can be read in commit order. */
type Stamped = { readonly id: string; readonly changed_in?: string }

/** The condition that rows are settled and come after a position, by the columns of their transaction and id. */
export const settledBehind = (changedIn: Statement, id: Statement, after: Change): Statement => sql`
  ${changedIn} < stoa.horizon() and (${changedIn}, ${id}) > (${after.changedIn}::bigint, ${after.id}::uuid)`

const START = { changedIn: '0', id: '00000000-0000-0000-0000-000000000000' }

const positionIn = (name: string, era: string, after: string): Change => {
  if (after === '0') return START
  const [of, changedIn, id] = readCursor(name, after) ?? []
  if (changedIn === undefined || id === undefined)
    throw new Refusal(invalidParameter, 'The position in after does not belong to this list and filter.')
  if (of !== era)
    throw new Refusal(invalidParameter, 'The position in after is from before a restore; start again with after=0.')
  return { changedIn, id }
}

type ChangesQuery = Listing['query'] & {
  readonly after?: string | undefined
  readonly sort?: string | undefined
  readonly q?: string | undefined
}

const refuseOrdered = ({ sort, cursor, q, include_total: total }: ChangesQuery): void => {
  if (sort === undefined && cursor === undefined && q === undefined && total !== true) return
  throw new Refusal(
    invalidParameter,
    'With after a list has its own order: leave out sort, cursor, q and include_total.',
  )
}

/**
 * A page in the order of commits. Rows of open transactions, and rows of newer ones than those, are not returned yet,
 * so a reader that continues after next_after misses nothing, and gets a row again when it has changed.
 */
export const changesPage = async <Row extends Stamped, Item>(
  db: Db,
  listing: Listing & { readonly query: ChangesQuery },
  after: string,
  {
    read,
    renderViews,
  }: {
    /** Reads rows; where a page ends before it is full and the list goes on, with the last row that was looked at. */
    read(rows: number, after: Change): Promise<{ readonly rows: readonly Row[]; readonly stoppedAt?: Row | undefined }>
    renderViews(rows: readonly Row[]): readonly Item[] | Promise<readonly Item[]>
  },
) => {
  refuseOrdered(listing.query)
  const { id: era } = await db.one(sql<{ id: string }>`select id from stoa.era`)
  const name = `${nameOfList(listing)}\nafter`
  const { rows, stoppedAt } = await read(countRows(listing), positionIn(name, era, after))
  const page = rows.slice(0, countRows(listing) - 1)
  const last = stoppedAt ?? page.at(-1)
  const position = last?.changed_in === undefined ? undefined : [era, last.changed_in, last.id]
  return {
    data: [...(await renderViews(page))],
    has_more: rows.length > page.length || stoppedAt !== undefined,
    next_after: position === undefined ? after : writeCursor(name, position),
  }
}
