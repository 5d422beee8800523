import { EnrollmentPage, PendingEnrollmentPage, Student, StudentPage } from '#src/areas/learning/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { doneOf, redirect } from '#src/web/page/index.ts'
import { exportList } from '../../csv.ts'
import type { StaffSection } from '../../section.ts'
import { addressWith } from '../../teaching/lists.ts'
import { type TeachingVisit, teachingForm, teachingPage } from '../../teaching/visit.ts'
import { perform } from '../../visit.ts'
import { type Filters, listPage } from './list-page.ts'
import { studentsText as text } from './text.ts'

const PATH = '/staff/students'

const filtersOf = ({ query }: TeachingVisit): Filters => {
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
const findPeople = (visit: TeachingVisit, { q, course_id, state, cursor }: Filters) =>
  perform(visit, {
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

const findEnrollments = (visit: TeachingVisit, filters: Filters) =>
  perform(visit, {
    operation: 'listEnrollments',
    query: enrollmentsQuery(filters),
    expand: ['member'],
    returns: EnrollmentPage,
  })

const findPending = async (visit: TeachingVisit, { course_id, member_id, state, completed, cursor }: Filters) => {
  if ([member_id, state, completed, cursor].some(value => value !== '')) return []
  const query = given([
    ['course_id', course_id],
    ['limit', '20'],
  ])
  return (await perform(visit, { operation: 'listPendingEnrollments', query, returns: PendingEnrollmentPage })).data
}

const show = async (visit: TeachingVisit): Promise<Reply> => {
  const filters = filtersOf(visit)
  const done = doneOf(visit.request)
  if (filters.q !== '') return listPage({ visit, filters, done, people: await findPeople(visit, filters) })
  const { member_id: id } = filters
  const [enrollments, pending, student] = await Promise.all([
    findEnrollments(visit, filters),
    findPending(visit, filters),
    id === '' ? undefined : perform(visit, { operation: 'getStudent', params: { student_id: id }, returns: Student }),
  ])
  return listPage({ visit, filters, done, enrollments, pending, student })
}

const submit = async (visit: TeachingVisit, form: Pairs): Promise<Reply> => {
  if (formField(form, 'act') !== 'take_back') throw new Refusal(formRefused, 'The form has no valid action.')
  const params = { enrollment_id: formField(form, 'enrollment') }
  await perform(visit, { operation: 'deletePendingEnrollment', params })
  return redirect(addressWith(PATH, { course_id: filtersOf(visit).course_id, done: 'taken_back' }))
}

const exportCsv = (visit: TeachingVisit): Promise<Reply> => {
  const query = enrollmentsQuery({ ...filtersOf(visit), cursor: '' })
  return exportList(visit, { operation: 'listEnrollments', query })
}

/** GET and POST /staff/students: enrollments in the courses of the person, and the same list as CSV. */
export const studentList: StaffSection = {
  entries: [{ path: PATH, name: text.title, about: text.about, least: 'lecturer' }],
  endpoints: parts => [
    teachingPage(`GET ${PATH}`, parts, show),
    teachingForm(`POST ${PATH}`, parts, submit),
    teachingPage(`GET ${PATH}/csv`, parts, exportCsv),
  ],
}
