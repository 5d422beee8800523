import { randomUUID } from 'node:crypto'
import { Student } from '#src/areas/learning/index.ts'
import { Member } from '#src/areas/people/index.ts'
import { School } from '#src/areas/school/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { cleanLine } from '#src/kit/text.ts'
import { redirect } from '#src/web/page/index.ts'
import { formKeyIn } from '../../form-fields.ts'
import type { StaffSection } from '../../section.ts'
import { addressWith } from '../../teaching/lists.ts'
import { type TeachingVisit, teachingForm, teachingPage } from '../../teaching/visit.ts'
import { perform, refusalFor } from '../../visit.ts'
import { endOf } from './access-acts.ts'
import { type EnrollView, enrollPage } from './enroll-page.ts'

const PATH = '/staff/students/new'
// Longer than any field may be, so that a long value is refused and not truncated.
const LONGEST = 600

// Staff enroll every member by id, lecturers their students.
const personOfAddress = async (visit: TeachingVisit): Promise<EnrollView['person']> => {
  const id = visit.query.get('member_id') ?? ''
  if (id === '') return undefined
  if (!visit.isStaff) return perform(visit, { operation: 'getStudent', params: { student_id: id }, returns: Student })
  return perform(visit, { operation: 'getMember', params: { member_id: id }, returns: Member })
}

const pageOf = async (visit: TeachingVisit, refused?: EnrollView['refused']): Promise<Reply> => {
  const person = await personOfAddress(visit)
  const courseId = refused === undefined ? (visit.query.get('course_id') ?? '') : formField(refused.form, 'course_id')
  return enrollPage({ visit, person, courseId, refused, formKey: randomUUID() })
}

const about = (form: Pairs, timeZone: string): Record<string, unknown> => {
  const note = cleanLine(formField(form, 'note'), LONGEST)
  return {
    ends_at: endOf(formField(form, 'ends_on').trim(), timeZone, '/ends_at'),
    notify: formField(form, 'notify') === 'yes',
    ...(note === '' ? {} : { note }),
  }
}

const enroll = async (visit: TeachingVisit, form: Pairs): Promise<void> => {
  const { time_zone: zone } = await perform(visit, { operation: 'getSchool', returns: School })
  const courseId = formField(form, 'course_id')
  const memberId = visit.query.get('member_id') ?? ''
  const rest = about(form, zone)
  if (memberId !== '') {
    const body = { member_id: memberId, course_id: courseId, ...rest }
    return perform(visit, { operation: 'createEnrollment', body, ...formKeyIn(form) })
  }
  const name = cleanLine(formField(form, 'name'), LONGEST)
  const body = {
    email: cleanLine(formField(form, 'email'), LONGEST),
    ...(name === '' ? {} : { name }),
    course_ids: [courseId],
    send_invitation: formField(form, 'invites') === 'yes',
    ...rest,
  }
  return perform(visit, { operation: 'createStudent', body, ...formKeyIn(form) })
}

const submit = async (visit: TeachingVisit, form: Pairs): Promise<Reply> => {
  const refusal = await refusalFor(enroll(visit, form))
  if (refusal !== undefined) return pageOf(visit, { refusal, form })
  const member = visit.query.get('member_id') ?? ''
  const shown = member === '' ? { course_id: formField(form, 'course_id') } : { member_id: member }
  return redirect(addressWith('/staff/students', { ...shown, done: 'enrolled' }))
}

/** GET and POST /staff/students/new; the address may name the person or the course. */
export const enrollSomebody: StaffSection = {
  // The list of students leads to it.
  entries: [],
  endpoints: parts => [
    teachingPage(`GET ${PATH}`, parts, visit => pageOf(visit)),
    teachingForm(`POST ${PATH}`, parts, submit),
  ],
}
