import { findLecturerOf } from '#src/areas/lecturers/index.ts'
import { isStaff } from '#src/contract/caller.ts'
import { guardPassed } from '#src/contract/guard.ts'
import type { HookPlace } from '#src/contract/hook.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { type FieldError, Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { fromId } from '#src/kit/ids.ts'
import { findTemplate, holdTemplate, isTaughtWith, type TemplateRow } from './queries.ts'

/** What is wrong with the template that a course is to use; it stays until the transaction ends. */
export const faultsOfCourseTemplate = async ({ db, school }: HookPlace, id: string | null): Promise<FieldError[]> =>
  id === null || (await holdTemplate(db, school.id, id))
    ? []
    : [{ pointer: '/certificate_template_id', code: 'unknown', message: 'is not a certificate template' }]

/** The refusal of a template that is not there for its caller. */
export const noTemplate = (): Refusal => new Refusal(notFound, 'There is no such certificate template.')

/** The template a path names, for staff and for the lecturers of a course that uses it. */
export const getReadableTemplate = async ({ db, school, caller }: AsCaller, id: string): Promise<TemplateRow> => {
  const row = await findTemplate(db, school.id, fromId('ctp', id))
  if (row === undefined) throw noTemplate()
  if (!isStaff(caller)) {
    const profile = await findLecturerOf(db, school.id, caller.member.id)
    if (profile === undefined || !(await isTaughtWith(db, school.id, row.id, [profile.id]))) throw noTemplate()
  }
  guardPassed(db)
  return row
}
