import { listTaught, shareCourses } from '#src/areas/courses/index.ts'
import { lockNamedMember, type MemberRow } from '#src/areas/people/index.ts'
import { isStaff } from '#src/contract/caller.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { readScope, type Scope } from '../access.ts'
import { type EnrollmentRow, findEnrollmentIn, isStudent, lockEnrollmentIn } from './queries.ts'

const getWith = async (
  find: typeof findEnrollmentIn,
  { db, school }: AsCaller,
  ref: string,
  scope: Scope,
): Promise<EnrollmentRow> => {
  const row = await find(db, school.id, ref, scope)
  if (row === undefined) throw new Refusal(notFound, 'There is no such enrollment.')
  return row
}

/** The enrollment in a path; refuses with 404 one of a course that the caller does not teach. */
export const getEnrollment = async (context: AsCaller, ref: string): Promise<EnrollmentRow> =>
  getWith(findEnrollmentIn, context, ref, await readScope(context))

/** The same, locked until the transaction ends; after the member, as every enrollment of many does. */
export const lockEnrollment = async (context: AsCaller, ref: string): Promise<EnrollmentRow> => {
  const scope = await readScope(context)
  const found = await getWith(findEnrollmentIn, context, ref, scope)
  await lockNamedMember(context.db, context.school.id, found.member_id)
  return getWith(lockEnrollmentIn, context, ref, scope)
}

/** Those of some courses in which a caller may enroll people, locked so that they stay. */
export const coursesFor = async ({ db, school, caller }: AsCaller, ids: readonly string[]): Promise<string[]> => {
  const locked = await shareCourses(db, school.id, ids)
  return isStaff(caller) ? locked : listTaught(db, school.id, caller.member.id, locked)
}

/** The member whom a caller enrolls by id: a lecturer only their students; others by address, with POST /students. */
export const memberToEnroll = async (context: AsCaller, id: string): Promise<MemberRow | undefined> => {
  const { db, school, caller } = context
  const scope = await readScope(context)
  const row = await lockNamedMember(db, school.id, id)
  if (row === undefined || row.status === 'deleted') return undefined
  return isStaff(caller) || (await isStudent(db, school.id, row.id, scope)) ? row : undefined
}
