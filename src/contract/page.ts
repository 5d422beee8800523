import Type, { type TSchema } from 'typebox'
import { readCursor, writeCursor } from '#src/kit/cursor.ts'
import { canonicalJson } from '#src/kit/json.ts'
import { Refusal } from './problem.ts'
import { invalidParameter } from './problems.ts'
import type { School } from './school.ts'

/** The query members every list has. */
export const PageQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'How many at most; 25 unless told' }),
  ),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 500, description: 'Where to go on: next_cursor of the page before' }),
  ),
}

/** The shape of one page of a list. */
export const PageOf = <Item extends TSchema>(item: Item, title: string) =>
  Type.Object(
    { data: Type.Array(item), has_more: Type.Boolean(), next_cursor: Type.Optional(Type.String()) },
    { additionalProperties: false, title },
  )

/** What a caller asked of a list. */
export type PageAsked = { readonly limit?: number | undefined; readonly cursor?: string | undefined }

/** Which list a cursor belongs to: the school, the operation, and everything asked but limit and cursor. */
const nameOf = (school: School, operation: string, asked: PageAsked): string => {
  const { limit: _limit, cursor: _cursor, ...filter } = asked
  return `${school.id}\n${operation}\n${canonicalJson(filter)}`
}

/** The number of rows to read, one more than the page has, and the position to read on from. */
export const openPage = (
  school: School,
  operation: string,
  asked: PageAsked,
): { rows: number; after: readonly string[] | undefined } => {
  const rows = (asked.limit ?? 25) + 1
  if (asked.cursor === undefined) return { rows, after: undefined }
  const after = readCursor(nameOf(school, operation, asked), asked.cursor)
  if (after === undefined) throw new Refusal(invalidParameter, 'The cursor is not one of this list, filter and sort.')
  return { rows, after }
}

/** Cuts the rows read into a page; `positionOf` gives where a row stands in the order. */
export const closePage = <Row, Item>(
  school: School,
  operation: string,
  asked: PageAsked,
  rows: readonly Row[],
  { positionOf, itemOf }: { positionOf: (row: Row) => readonly string[]; itemOf: (row: Row) => Item },
) => {
  const limit = asked.limit ?? 25
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const data = shown.map(itemOf)
  if (rows.length <= limit || last === undefined) return { data, has_more: false }
  return { data, has_more: true, next_cursor: writeCursor(nameOf(school, operation, asked), positionOf(last)) }
}
