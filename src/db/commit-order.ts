import type { Db } from '#src/contract/db.ts'
import { type Listing, nameOfList, rowsOf } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidParameter } from '#src/contract/problems.ts'
import { readCursor, writeCursor } from '#src/kit/cursor.ts'
import { sql } from './sql.ts'

/** Where a reader in commit order stands: behind the row `id` as it was written by the transaction `changedIn`. */
export type Change = { readonly changedIn: string; readonly id: string }

/** What every row has that can be read in commit order. */
export type Stamped = { readonly id: string; readonly changed_in: string }

/** The condition that rows of a table (as `alias`) are settled and stand behind a position. */
export const settledBehind = (after: Change) => sql`
  changed_in < stoa.horizon() and (changed_in, id) > (${after.changedIn}::bigint, ${after.id}::uuid)`

const START = { changedIn: '0', id: '00000000-0000-0000-0000-000000000000' }

const positionIn = (name: string, era: string, after: string): Change => {
  if (after === '0') return START
  const [of, changedIn, id] = readCursor(name, after) ?? []
  if (changedIn === undefined || id === undefined)
    throw new Refusal(invalidParameter, 'The position in after is not one of this list and filter.')
  if (of !== era)
    throw new Refusal(invalidParameter, 'The position in after is from before a restore; begin again with after=0.')
  return { changedIn, id }
}

type AskedChanges = Listing['query'] & {
  readonly after?: string | undefined
  readonly sort?: string | undefined
  readonly q?: string | undefined
}

const refuseOrdered = ({ sort, cursor, q, include_total: total }: AskedChanges): void => {
  if (sort === undefined && cursor === undefined && q === undefined && total !== true) return
  throw new Refusal(
    invalidParameter,
    'A list read with after has an order of its own: leave out sort, cursor, q and include_total.',
  )
}

/**
 * A page in the order of commits. Rows of a transaction that is still open, or older than one that is, wait; so a
 * reader that goes on behind next_after misses nothing, and sees a row again when it has changed.
 */
export const changesPage = async <Row extends Stamped, Item>(
  db: Db,
  listing: Listing & { readonly query: AskedChanges },
  after: string,
  how: { read(rows: number, after: Change): Promise<readonly Row[]>; itemOf(row: Row): Item },
) => {
  refuseOrdered(listing.query)
  const { id: era } = await db.one(sql<{ id: string }>`select id from stoa.era`)
  const name = `${nameOfList(listing)}\nafter`
  const rows = await how.read(rowsOf(listing), positionIn(name, era, after))
  const shown = rows.slice(0, rowsOf(listing) - 1)
  const last = shown.at(-1)
  return {
    data: shown.map(how.itemOf),
    has_more: rows.length > shown.length,
    next_after: last === undefined ? after : writeCursor(name, [era, last.changed_in, last.id]),
  }
}
