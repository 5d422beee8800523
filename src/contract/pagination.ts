import Type, { type TSchema } from 'typebox'
import { readCursor, writeCursor } from '#src/kit/cursor.ts'
import { canonicalJson } from '#src/kit/json.ts'
import { Refusal } from './problem.ts'
import { invalidParameter } from './problems.ts'
import type { School } from './school.ts'

const LIMIT = 25

/** The query members every list has. */
export const PageQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: LIMIT, description: `How many at most; ${LIMIT} unless told` }),
  ),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 500, description: 'Where to go on: next_cursor of the page before' }),
  ),
  include_total: Type.Optional(Type.Boolean({ description: 'Count the whole list too, as total; it costs time' })),
}

/** The query member of a list that can be read on in commit order. */
export const AfterQuery = {
  after: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description:
        'Read on in the order of commits: 0 to begin, then next_after of the answer before; nothing is missed, and what changes comes again. Not with sort, cursor or q.',
    }),
  ),
}

/** The query member that sorts a list by one of these keys, backwards with a minus. */
export const SortQuery = <const Keys extends readonly string[]>(keys: Keys) => ({
  sort: Type.Optional(
    Type.Unsafe<Keys[number] | `-${Keys[number]}`>({
      type: 'string',
      enum: keys.flatMap(key => [key, `-${key}`]),
      description: 'What the list is sorted by; with a minus backwards',
    }),
  ),
})

/** The shape of one page of a list. */
export const PageOf = <Item extends TSchema>(item: Item, title: string) =>
  Type.Object(
    {
      data: Type.Array(item),
      has_more: Type.Boolean(),
      next_cursor: Type.Optional(Type.String()),
      next_after: Type.Optional(Type.String({ description: 'The position to read on from, when after was sent' })),
      total: Type.Optional(Type.Integer({ minimum: 0 })),
    },
    { additionalProperties: false, title },
  )

/** What a caller asked of a list. */
export type PageRequest = {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly include_total?: boolean | undefined
}

/** A list being answered: whose, which, and what was asked of it. */
export type Listing = { readonly school: School; readonly operationId: string; readonly query: PageRequest }

/** Which list a position belongs to: the school, the operation, and everything asked that decides what is in it. */
export const nameOfList = ({ school, operationId, query }: Listing): string => {
  const {
    limit: _limit,
    cursor: _cursor,
    include_total: _total,
    after: _after,
    ...filter
  } = query as PageRequest & {
    readonly after?: string
  }
  return `${school.id}\n${operationId}\n${canonicalJson(filter)}`
}

/** How many rows to read: one more than the page has. */
export const countRows = ({ query }: Listing): number => (query.limit ?? LIMIT) + 1

/** The number of rows to read, and the position to read on from. */
export const parsePage = (listing: Listing): { rows: number; after: readonly string[] | undefined } => {
  const rows = countRows(listing)
  const { cursor } = listing.query
  if (cursor === undefined) return { rows, after: undefined }
  const after = readCursor(nameOfList(listing), cursor)
  if (after === undefined) throw new Refusal(invalidParameter, 'The cursor is not one of this list, filter and sort.')
  return { rows, after }
}

type Closing<Row, Item> = {
  /** Where a row stands in the order. */
  readPosition(row: Row): readonly string[]
  /** The views of rows, in their order. */
  renderViews(rows: readonly Row[]): readonly Item[] | Promise<readonly Item[]>
  /** Counts the whole list. */
  total(): Promise<number>
  /** The last row that was looked at, where the page ends before it is full and the list goes on. */
  readonly stoppedAt?: Row | undefined
}

/** Cuts the rows read into a page, and counts the list where that was asked for. */
export const buildPage = async <Row, Item>(
  listing: Listing,
  rows: readonly Row[],
  { readPosition, renderViews, total, stoppedAt }: Closing<Row, Item>,
) => {
  const limit = countRows(listing) - 1
  const shown = rows.slice(0, limit)
  const last = stoppedAt ?? shown.at(-1)
  const counted = listing.query.include_total === true ? { total: await total() } : {}
  const page = { data: [...(await renderViews(shown))], ...counted }
  if ((rows.length <= limit && stoppedAt === undefined) || last === undefined) return { ...page, has_more: false }
  return { ...page, has_more: true, next_cursor: writeCursor(nameOfList(listing), readPosition(last)) }
}
