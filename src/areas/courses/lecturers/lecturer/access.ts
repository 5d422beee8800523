import { type Caller, isStaff, type SignedIn } from '#src/contract/caller.ts'
import { guardPassed } from '#src/contract/guard.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, roleRequired } from '#src/contract/problems.ts'
import type { LecturerViewer } from './conditions.ts'
import { type LecturerRow, lockLecturer } from './queries.ts'
import { checkOwnChange } from './rules.ts'

/** The viewer of profiles for a caller. */
export const buildViewer = (caller: Caller): LecturerViewer => ({
  memberId: caller.member?.id,
  isStaff: isStaff(caller),
})

/** The profile in a path, locked until the transaction ends; refuses when the caller sees none. */
export const lockLecturerByRef = async (
  { db, school, caller }: AsCaller<Caller>,
  ref: string,
): Promise<LecturerRow> => {
  const row = await lockLecturer(db, school.id, buildViewer(caller), ref)
  if (row === undefined) throw new Refusal(notFound, 'There is no such lecturer.')
  return row
}

/** The profile in a path, locked, for staff and its own lecturer; refuses fields that only staff may change. */
export const lockOwnLecturer = async (
  context: AsCaller<SignedIn>,
  ref: string,
  fields: readonly string[],
): Promise<LecturerRow> => {
  const { db, caller } = context
  const row = await lockLecturerByRef(context, ref)
  if (!isStaff(caller)) {
    if (row.member_id !== caller.member.id)
      throw new Refusal(roleRequired, 'Only staff and the lecturer can change a profile.')
    checkOwnChange(fields)
  }
  guardPassed(db)
  return row
}
