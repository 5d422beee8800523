import { randomUUID } from 'node:crypto'
import { Student } from '#src/areas/learning/index.ts'
import { Member } from '#src/areas/people/index.ts'
import { School } from '#src/areas/school/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { cleanLine } from '#src/kit/text.ts'
import { form, formKeyIn, page, redirect, refusalFor } from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../../audience.ts'
import type { StaffSection } from '../../section.ts'
import { addressWith } from '../../teaching/lists.ts'
import { endOf } from './access-acts.ts'
import { type EnrollView, enrollPage } from './enroll-page.ts'

const PATH = '/staff/students/new'
// Longer than any field may be, so that a long value is refused and not truncated.
const LONGEST = 600

// Staff enroll every member by id, lecturers their students.
const personOfAddress = async (context: TeacherContext): Promise<EnrollView['person']> => {
  const id = context.query.get('member_id') ?? ''
  if (id === '') return undefined
  if (!context.isStaff) return context.call({ operation: 'getStudent', params: { student_id: id }, returns: Student })
  return context.call({ operation: 'getMember', params: { member_id: id }, returns: Member })
}

const pageOf = async (context: TeacherContext, refused?: EnrollView['refused']): Promise<Reply> => {
  const person = await personOfAddress(context)
  const courseId = refused === undefined ? (context.query.get('course_id') ?? '') : formField(refused.form, 'course_id')
  return enrollPage({ context, person, courseId, refused, formKey: randomUUID() })
}

const about = (form: Pairs, timeZone: string): Record<string, unknown> => {
  const note = cleanLine(formField(form, 'note'), LONGEST)
  return {
    ends_at: endOf(formField(form, 'ends_on').trim(), timeZone, '/ends_at'),
    notify: formField(form, 'notify') === 'yes',
    ...(note === '' ? {} : { note }),
  }
}

const enroll = async (context: TeacherContext, form: Pairs): Promise<void> => {
  const { time_zone: zone } = await context.call({ operation: 'getSchool', returns: School })
  const courseId = formField(form, 'course_id')
  const memberId = context.query.get('member_id') ?? ''
  const rest = about(form, zone)
  if (memberId !== '') {
    const body = { member_id: memberId, course_id: courseId, ...rest }
    return context.call({ operation: 'createEnrollment', body, ...formKeyIn(form) })
  }
  const name = cleanLine(formField(form, 'name'), LONGEST)
  const body = {
    email: cleanLine(formField(form, 'email'), LONGEST),
    ...(name === '' ? {} : { name }),
    course_ids: [courseId],
    send_invitation: formField(form, 'invites') === 'yes',
    ...rest,
  }
  return context.call({ operation: 'createStudent', body, ...formKeyIn(form) })
}

const submit = async (context: TeacherContext, form: Pairs): Promise<Reply> => {
  const refusal = await refusalFor(enroll(context, form))
  if (refusal !== undefined) return pageOf(context, { refusal, form })
  const member = context.query.get('member_id') ?? ''
  const shown = member === '' ? { course_id: formField(form, 'course_id') } : { member_id: member }
  return redirect(addressWith('/staff/students', { ...shown, done: 'enrolled' }))
}

/** GET and POST /staff/students/new; the address may name the person or the course. */
export const enrollSomebody: StaffSection = {
  // The list of students leads to it.
  entries: [],
  pages: [page(`GET ${PATH}`, teachers, context => pageOf(context)), form(`POST ${PATH}`, teachers, submit)],
}
