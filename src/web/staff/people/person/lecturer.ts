import { Student } from '#src/areas/learning/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { html } from '#src/kit/html.ts'
import type { StaffContext } from '../../audience.ts'
import { personName } from '../../teaching/names.ts'
import { accessCard, coursesCard, readEnrollments } from './courses.ts'
import { statusPill } from './frame.ts'

/** A student as a lecturer may know them: name, address, and what they learn in the courses of the lecturer. */
export const showStudent = async (context: StaffContext): Promise<Reply> => {
  const params = { student_id: context.params.id ?? '' }
  const student = await context.call({ operation: 'getStudent', params, returns: Student })
  const { data } = await readEnrollments(context, student.id, 50)
  return context.frame({
    title: personName(student, context),
    badge: statusPill(student.status, context),
    lead: student.email,
    isWide: true,
    hasCards: true,
    body: html`<div class="stack">${coursesCard(data, student, context)}${await accessCard(data, student, context)}</div>`,
  })
}
