import { EnrollmentPage, PendingEnrollmentPage, Student, StudentPage } from '#src/areas/learning/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { doneOf, form, page, redirect } from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../../audience.ts'
import { exportList } from '../../csv.ts'
import type { StaffSection } from '../../section.ts'
import { addressWith } from '../../teaching/lists.ts'
import { type Filters, listPage } from './list-page.ts'
import { studentsText as text } from './text.ts'

const PATH = '/staff/students'

const filtersOf = ({ query }: TeacherContext): Filters => {
  const part = (name: string): string => (query.get(name) ?? '').trim()
  return {
    q: part('q'),
    course_id: part('course_id'),
    member_id: part('member_id'),
    state: part('state'),
    completed: part('completed'),
    cursor: part('cursor'),
  }
}

const given = (values: Pairs): Pairs => values.filter(([, value]) => value !== '')

// The list of enrollments has no search, so words find people first.
const findPeople = (context: TeacherContext, { q, course_id, state, cursor }: Filters) =>
  context.call({
    operation: 'listStudents',
    query: given([
      ['q', q],
      ['course_id', course_id],
      ['state', state],
      ['cursor', cursor],
    ]),
    returns: StudentPage,
  })

const enrollmentsQuery = ({ course_id, member_id, state, completed, cursor }: Filters): Pairs =>
  given([
    ['sort', '-created_at'],
    ['course_id', course_id],
    ['member_id', member_id],
    ['state', state],
    // Nothing is missing where all that is required is done.
    ['completed', completed === 'ready' ? 'false' : completed],
    ['percent_complete[gte]', completed === 'ready' ? '100' : ''],
    ['cursor', cursor],
  ])

const findEnrollments = (context: TeacherContext, filters: Filters) =>
  context.call({
    operation: 'listEnrollments',
    query: enrollmentsQuery(filters),
    expand: ['member'],
    returns: EnrollmentPage,
  })

const findPending = async (context: TeacherContext, { course_id, member_id, state, completed, cursor }: Filters) => {
  if ([member_id, state, completed, cursor].some(value => value !== '')) return []
  const query = given([
    ['course_id', course_id],
    ['limit', '20'],
  ])
  return (await context.call({ operation: 'listPendingEnrollments', query, returns: PendingEnrollmentPage })).data
}

const show = async (context: TeacherContext): Promise<Reply> => {
  const filters = filtersOf(context)
  const done = doneOf(context.request)
  if (filters.q !== '') return listPage({ context, filters, done, people: await findPeople(context, filters) })
  const { member_id: id } = filters
  const [enrollments, pending, student] = await Promise.all([
    findEnrollments(context, filters),
    findPending(context, filters),
    id === '' ? undefined : context.call({ operation: 'getStudent', params: { student_id: id }, returns: Student }),
  ])
  return listPage({ context, filters, done, enrollments, pending, student })
}

const submit = async (context: TeacherContext, form: Pairs): Promise<Reply> => {
  if (formField(form, 'act') !== 'take_back') throw new Refusal(formRefused, 'The form has no valid action.')
  const params = { enrollment_id: formField(form, 'enrollment') }
  await context.call({ operation: 'deletePendingEnrollment', params })
  return redirect(addressWith(PATH, { course_id: filtersOf(context).course_id, done: 'taken_back' }))
}

const exportCsv = (context: TeacherContext): Promise<Reply> => {
  const query = enrollmentsQuery({ ...filtersOf(context), cursor: '' })
  return exportList(context, { operation: 'listEnrollments', query })
}

/** GET and POST /staff/students: enrollments in the courses of the person, and the same list as CSV. */
export const studentList: StaffSection = {
  entries: [{ path: PATH, name: text.title, about: text.about, least: 'lecturer' }],
  pages: [
    page(`GET ${PATH}`, teachers, show),
    form(`POST ${PATH}`, teachers, submit),
    page(`GET ${PATH}/csv`, teachers, exportCsv),
  ],
}
