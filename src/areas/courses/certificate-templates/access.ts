import { findLecturerByMember } from '#src/areas/courses/lecturers/index.ts'
import { isStaff } from '#src/contract/caller.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { guardPassed } from '#src/contract/guard.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { type FieldError, Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { isTaughtWith } from './hooks.ts'
import { findTemplate, shareLockTemplate, type TemplateRow } from './queries.ts'

/** The errors of the template of a course; the template is locked until the transaction ends. */
export const errorsOfCourseTemplate = async (
  { db, school }: SchoolContext,
  id: string | null,
): Promise<FieldError[]> =>
  id === null || (await shareLockTemplate(db, school.id, id))
    ? []
    : [{ pointer: '/certificate_template_id', code: 'unknown', message: 'is not a certificate template' }]

/** The refusal of a template that does not exist for the caller. */
export const noTemplate = (): Refusal => new Refusal(notFound, 'There is no such certificate template.')

/** The template in a path, for staff and for the lecturers of a course that uses it. */
export const getReadableTemplate = async ({ db, school, caller }: AsCaller, id: string): Promise<TemplateRow> => {
  const row = await findTemplate(db, school.id, id)
  if (row === undefined) throw noTemplate()
  if (!isStaff(caller)) {
    const profile = await findLecturerByMember(db, school.id, caller.member.id)
    if (profile === undefined) throw noTemplate()
    const teaches = await isTaughtWith.call({ templateId: row.id, lecturerId: profile.id }, { db, school })
    if (!teaches.includes(true)) throw noTemplate()
  }
  guardPassed(db)
  return row
}
