import type { Operation } from '#src/contract/operation.ts'
import { nameOfList } from '#src/contract/pagination.ts'
import { readCursor, writeCursor } from '#src/kit/cursor.ts'
import { firstUuidAt, isUuid } from '#src/kit/ids.ts'
import { YEARS } from './spine.ts'

type Query = Readonly<Record<string, string>>

/** Requests a page of the list that is measured. */
type Ask = (query: Query) => Promise<{ readonly next_cursor?: string; readonly data?: readonly { id?: string }[] }>

const YEAR = 365 * 86_400_000

const formatName = (schoolId: string, operation: Operation, query: Query): string =>
  nameOfList({ school: { id: schoolId } as never, operationId: operation.id, query })

const backwards = (sort: string): string => (sort.startsWith('-') ? sort.slice(1) : `-${sort}`)

/** The position in the order of `sort` that has one page behind it: the end of the first page of the opposite order. */
const deepBySort = async (schoolId: string, operation: Operation, sort: string, ask: Ask) => {
  const opposite = { sort: backwards(sort) }
  const { next_cursor: next } = await ask({ ...opposite, limit: '100' })
  const position = next === undefined ? undefined : readCursor(formatName(schoolId, operation, opposite), next)
  return position && { sort, cursor: writeCursor(formatName(schoolId, operation, { sort }), position) }
}

/** The same for a list without a choice of orders: in its own position, the id is replaced by one from the other end. */
const deepById = async (schoolId: string, operation: Operation, ask: Ask) => {
  const { next_cursor: next } = await ask({ limit: '1' })
  const name = formatName(schoolId, operation, {})
  const position = next === undefined ? undefined : readCursor(name, next)
  const [id] = position ?? []
  if (position?.length !== 1 || id === undefined || !isUuid(id)) return undefined
  const [early, late] = [firstUuidAt(Date.now() - YEARS * 0.99 * YEAR), firstUuidAt(Date.now() - YEARS * 0.01 * YEAR)]
  return { cursor: writeCursor(name, [id < firstUuidAt(Date.now() - (YEARS / 2) * YEAR) ? late : early]) }
}

/** The query of the deepest page of a list in an order; undefined where the list ends with its first page. */
export const deepPage = (
  schoolId: string,
  operation: Operation,
  { sort }: Query,
  ask: Ask,
): Promise<Query | undefined> =>
  sort === undefined ? deepById(schoolId, operation, ask) : deepBySort(schoolId, operation, sort, ask)

/** The query that reads on in the order of commits from a transaction; undefined where the list has no changes. */
export const deepChanges = async (
  { schoolId, changedIn }: { readonly schoolId: string; readonly changedIn: number },
  operation: Operation,
  ask: (query: Query) => Promise<{ readonly next_after?: string }>,
): Promise<Query | undefined> => {
  const { next_after: next = '0' } = await ask({ after: '0', limit: '1' })
  const name = `${formatName(schoolId, operation, {})}\nafter`
  const [era, , id] = readCursor(name, next) ?? []
  return era === undefined || id === undefined ? undefined : { after: writeCursor(name, [era, String(changedIn), id]) }
}
