import { teaches } from '#src/areas/courses/index.ts'
import { findMember, lockNamedMember, type MemberRow } from '#src/areas/members/index.ts'
import { isStaff } from '#src/contract/caller.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, roleRequired } from '#src/contract/problems.ts'
import { isStudent } from './enrollments/queries.ts'

/**
 * Whose students a caller may see: of staff everybody's, of a lecturer those of the courses they teach. Refuses with 403
 * who teaches nothing.
 */
export const scopeOf = async ({ db, school, caller }: AsCaller): Promise<{ readonly taughtBy?: string }> => {
  if (isStaff(caller)) return {}
  if (await teaches(db, school.id, caller.member.id)) return { taughtBy: caller.member.id }
  throw new Refusal(roleRequired, 'This is for staff and for those who teach a course.')
}

const nobody = (): Refusal => new Refusal(notFound, 'There is no such student.')

const checked = async (
  { db, school }: AsCaller,
  scope: { readonly taughtBy?: string },
  row: MemberRow | undefined,
): Promise<MemberRow> => {
  if (row === undefined || row.status === 'deleted') throw nobody()
  if (!(await isStudent(db, school.id, row.id, scope))) throw nobody()
  return row
}

/** The student a path names, as a caller may know of them; refuses with 404 otherwise. */
export const getStudent = async (looking: AsCaller, ref: string): Promise<MemberRow> => {
  const scope = await scopeOf(looking)
  return checked(looking, scope, await findMember(looking.db, looking.school.id, ref))
}

/** The same, held until the transaction ends. */
export const holdStudent = async (looking: AsCaller, ref: string): Promise<MemberRow> => {
  const scope = await scopeOf(looking)
  return checked(looking, scope, await lockNamedMember(looking.db, looking.school.id, ref))
}
