import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** A lesson that a person completed. */
export type OwnCompletion = {
  readonly lesson_id: string
  readonly completed_at: Date
  readonly completed_by: string
  readonly undone_at: Date | null
}

/** Every lesson that a member completed, in the order in which they did. */
export const listCompletionsOf = (db: Db, schoolId: string, memberId: string): Promise<OwnCompletion[]> =>
  db.all(sql<OwnCompletion>`
    select lesson_id, completed_at, completed_by, undone_at from lesson_completions
    where school_id = ${schoolId} and member_id = ${memberId} order by completed_at, id`)

/** How far a person has watched or heard a lesson. */
export type OwnPosition = { readonly lesson_id: string; readonly seconds: number; readonly noted_at: Date }

/** How far a member has watched or heard each lesson. */
export const listPositionsOf = (db: Db, schoolId: string, memberId: string): Promise<OwnPosition[]> =>
  db.all(sql<OwnPosition>`
    select lesson_id, seconds, noted_at from lesson_positions
    where school_id = ${schoolId} and member_id = ${memberId} order by lesson_id`)
