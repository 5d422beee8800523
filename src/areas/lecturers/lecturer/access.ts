import { type Caller, isStaff, type SignedIn } from '#src/contract/caller.ts'
import { guardPassed } from '#src/contract/guard.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, roleRequired } from '#src/contract/problems.ts'
import type { LecturerViewer } from './conditions.ts'
import { type LecturerRow, lockLecturer } from './queries.ts'
import { checkOwnChange } from './rules.ts'

/** Who looks at profiles, of a caller. */
export const viewerOf = (caller: Caller): LecturerViewer => ({
  memberId: caller.member?.id,
  isStaff: isStaff(caller),
})

/** The profile a path names, locked until the transaction ends; refuses when the caller sees none. */
export const holdLecturer = async ({ db, school, caller }: AsCaller<Caller>, ref: string): Promise<LecturerRow> => {
  const row = await lockLecturer(db, school.id, viewerOf(caller), ref)
  if (row === undefined) throw new Refusal(notFound, 'There is no such lecturer.')
  return row
}

/** The profile a path names, held, for staff and for the person whose it is; refuses fields that are for staff alone. */
export const lockOwnLecturer = async (
  context: AsCaller<SignedIn>,
  ref: string,
  fields: readonly string[],
): Promise<LecturerRow> => {
  const { db, caller } = context
  const row = await holdLecturer(context, ref)
  if (!isStaff(caller)) {
    if (row.member_id !== caller.member.id)
      throw new Refusal(roleRequired, 'A profile is changed by staff and by the lecturer whose it is.')
    checkOwnChange(fields)
  }
  guardPassed(db)
  return row
}
