import type { Statement } from '#src/contract/db.ts'
import { sql } from './sql.ts'
import { allOrNone, joinConditions, when } from './where.ts'

/** A condition on a column that has an index of its own, which begins with the school. */
export type Range = { readonly column: Statement; readonly school: Statement; readonly condition: Statement }

type Bound = Date | string | number | undefined

/** A column and what a filter has as its bounds; `before` itself is not in the range, `to` is. */
type Bounds = { readonly column: Statement; readonly from?: Bound; readonly before?: Bound; readonly to?: Bound }

const buildCondition = ({ column, from, before, to }: Bounds): Statement =>
  joinConditions(
    when(from, value => sql`${column} >= ${value}`),
    when(before, value => sql`${column} < ${value}`),
    when(to, value => sql`${column} <= ${value}`),
  )

const hasBounds = ({ from, before, to }: Bounds): boolean => [from, before, to].some(bound => bound !== undefined)

/** The ranges of a filter among the rows of a school; a column without bounds has none. */
export const listRanges = (school: Statement, columns: readonly Bounds[]): readonly Range[] =>
  columns.filter(hasBounds).map(bounds => ({ column: bounds.column, school, condition: buildCondition(bounds) }))

/** The condition that a row is in all of some ranges; undefined where there are none. */
export const inAll = (ranges: readonly Range[]): Statement | undefined =>
  allOrNone(...ranges.map(({ condition }) => condition))
