import { type CourseRow, checkManagesCourse, getCourse, isCourseLecturer } from '#src/areas/courses/index.ts'
import { isStaff } from '#src/contract/caller.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import { guardPassed } from '#src/contract/guard.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, refuseInvalid } from '#src/contract/problems.ts'
import { dayAt } from '#src/kit/local-time.ts'
import { cleanLine } from '#src/kit/text.ts'
import { type CertificateRow, findCertificate, lockCertificate, schoolNow } from './queries.ts'

/** The refusal of a certificate that does not exist. */
export const noCertificate = (): Refusal => new Refusal(notFound, 'There is no such certificate.')

/** The course that a path names, for those who manage it. */
export const getManagedCourse = async (as: AsCaller, ref: string): Promise<CourseRow> => {
  const course = await getCourse(as, ref)
  checkManagesCourse(as.caller, course)
  guardPassed(as.db)
  return course
}

/** A certificate of a course that the caller manages; refuses with 404 otherwise. */
export const getManagedCertificate = async (as: AsCaller, ref: string): Promise<CertificateRow> => {
  const { db, school, caller } = as
  const row = await findCertificate(db, school.id, ref)
  if (row === undefined) throw noCertificate()
  if (!isStaff(caller) && !(await isCourseLecturer(db, school, caller.member.id, row.course_id))) throw noCertificate()
  guardPassed(db)
  return row
}

/** The certificate that a path names, locked until the transaction ends; for operations of staff. */
export const getLockedCertificate = async ({ db, school }: AsCaller, ref: string): Promise<CertificateRow> => {
  const row = await lockCertificate(db, school.id, ref)
  if (row === undefined) throw noCertificate()
  return row
}

type PrintedInput = { readonly name?: string; readonly awarded_on?: string; readonly hours?: number | null }

const FIRST_DAY = '1900-01-01'

/** Refuses input that cannot be printed: a day in the future, or a name without visible characters. */
export const checkPrintable = async (
  { db, school, now }: TransactionContext,
  { awarded_on: day, name }: PrintedInput,
): Promise<void> => {
  const today = dayAt(now, (await schoolNow(db, school.id)).time_zone)
  refuseInvalid([
    ...(name !== undefined && cleanLine(name, 120) === ''
      ? [{ pointer: '/name', code: 'empty', message: 'must contain a visible character' }]
      : []),
    ...(day !== undefined && (day > today || day < FIRST_DAY)
      ? [{ pointer: '/awarded_on', code: 'range', message: `is not a day from ${FIRST_DAY} to today` }]
      : []),
  ])
}
