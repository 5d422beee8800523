import type { Statement } from '#src/contract/db.ts'
import { firstUuidAt } from '#src/kit/ids.ts'
import { sql } from './sql.ts'

// The transaction that made a row began no longer before.
const SLACK = 24 * 3600_000

const idAt = (at: Date, slack: number): string => firstUuidAt(at.getTime() + slack)

/** The column of the time at which rows were made, and of their ids, which come in the same order. */
type Created = { readonly at: Statement; readonly id: Statement }

/** The condition that a row was made at an instant or later; as a place among the ids too, since lists are in their order. */
export const createdFrom = ({ at, id }: Created, from: Date): Statement =>
  sql`${at} >= ${from} and ${id} >= ${idAt(from, -SLACK)}::uuid`

/** The condition that a row was made before an instant, also as a place among the ids. */
export const createdBefore = ({ at, id }: Created, before: Date): Statement =>
  sql`${at} < ${before} and ${id} < ${idAt(before, SLACK)}::uuid`
