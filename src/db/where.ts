import type { Statement } from '#src/contract/db.ts'
import { sql } from './sql.ts'

/** Conditions joined by `and`; undefined ones are left out, so that the planner sees only those that apply. */
export const joinConditions = (...conditions: readonly (Statement | undefined)[]): Statement =>
  conditions.filter(condition => condition !== undefined).reduce((left, right) => sql`${left} and ${right}`)

/** A condition that is there only when a value is. */
export const when = <Value>(value: Value | undefined, condition: (value: Value) => Statement): Statement | undefined =>
  value === undefined ? undefined : condition(value)

/** Conditions joined by `and`; undefined where all of them are. */
export const allOrNone = (...conditions: readonly (Statement | undefined)[]): Statement | undefined =>
  conditions.some(condition => condition !== undefined) ? joinConditions(...conditions) : undefined
