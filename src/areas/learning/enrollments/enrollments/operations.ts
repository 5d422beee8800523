import type { Static } from 'typebox'
import { CourseRef } from '#src/areas/courses/index.ts'
import { isStaff } from '#src/contract/caller.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { type Cells, declareFor, type ReadContext } from '#src/contract/operation.ts'
import type { PageRequest } from '#src/contract/pagination.ts'
import { listStatement, readList } from '#src/db/list.ts'
import { getManagedCourse, readScope, type Scope } from '../access.ts'
import { getEnrollment } from './access.ts'
import type { EnrollmentFilter } from './conditions.ts'
import { type EnrollmentLine, enrollmentLines, enrollmentList } from './queries.ts'
import {
  CourseEnrollmentsQuery,
  Enrollment,
  EnrollmentPage,
  EnrollmentRef,
  EnrollmentsQuery,
  type ListEnrollmentsParams,
} from './schema.ts'
import { type Audience, enrollmentView, enrollmentViews } from './views.ts'

/** What can be embedded in an enrollment. */
const expand = {
  member: { scope: 'students:read', who: 'lecturer_of', summary: 'the name and address of the student' },
  course: { scope: 'courses:read', who: 'anyone', summary: 'the course; a draft is shown to those who manage it' },
} as const

/** An enrollment of the demo data, for the examples. */
export const enrollmentExample = { enrollment_id: exampleFrom('enr', 'listCourseEnrollments') }

const readLearning = (query: Static<typeof CourseEnrollmentsQuery>): EnrollmentFilter => ({
  state: query.state,
  isCompleted: query.completed,
  percentFrom: query['percent_complete[gte]'],
  percentBelow: query['percent_complete[lt]'],
})

const readFilter = (scope: Scope, query: ListEnrollmentsParams): EnrollmentFilter => ({
  ...scope,
  // An id of another type matches nothing.
  courseId: query.course_id === undefined ? undefined : query.course_id,
  memberId: query.member_id === undefined ? undefined : query.member_id,
  ...readLearning(query),
  createdFrom: query['created_at[gte]'],
  updatedFrom: query['updated_at[gte]'],
})

type ListContext = Pick<ReadContext, 'db' | 'school' | 'caller' | 'operationId' | 'keyFor' | 'expands'> & {
  readonly query: PageRequest & Pick<ListEnrollmentsParams, 'sort'>
}

/** One page of the enrollments of a filter. */
export const readPage = (context: ListContext, filter: EnrollmentFilter, audience?: Audience) =>
  readList(context, enrollmentList(context.school.id, filter), rows => enrollmentViews(context, rows, audience))

const CELLS: Cells<EnrollmentLine> = {
  id: row => row.id,
  member_id: row => row.member_id,
  member_name: row => row.member_name,
  member_email: row => row.member_email,
  course_id: row => row.course_id,
  course_name: row => row.course_name,
  source: row => row.source,
  state: row => row.state,
  percent_complete: row => row.percent_complete,
  completed_at: row => row.completed_at,
  last_activity_at: row => row.last_activity_at,
  created_at: row => row.created_at,
  updated_at: row => row.updated_at,
}

const listEnrollments = declareFor('lecturer_of', 'students', {
  id: 'listEnrollments',
  route: 'GET /enrollments',
  summary: 'List enrollments',
  description:
    'Lists enrollments with progress and access; lecturers see those in the courses they teach. With `after`, every change of progress or of a reason for access is returned again. Access that ends by time is not repeated: `access.until` says when it ends.',
  query: EnrollmentsQuery,
  returns: EnrollmentPage,
  expand,
  csv: {
    cells: CELLS,
    statement: async context => {
      const filter = readFilter(await readScope(context), context.query)
      return listStatement(enrollmentLines(context.school.id, filter), context.query.sort)
    },
  },
  async handle(context) {
    const { query } = context
    const filter = readFilter(await readScope(context), query)
    return readPage(context, filter)
  },
})

const listCourseEnrollments = declareFor('lecturer_of', 'courses', {
  id: 'listCourseEnrollments',
  route: 'GET /courses/:course_id/enrollments',
  summary: "List a course's enrollments",
  description:
    'Lists who is or was enrolled in a course, with progress and access. Names and addresses can be embedded with the scope `students:read`.',
  section: 'students',
  params: CourseRef,
  query: CourseEnrollmentsQuery,
  returns: EnrollmentPage,
  expand,
  example: { params: { course_id: 'slug:first-loaf' } },
  async handle(context) {
    const { caller, params, query } = context
    const course = await getManagedCourse(context, params.course_id)
    const isDisclosed = isStaff(caller) ? undefined : true
    return readPage(context, { courseId: course.id, isDisclosed, ...readLearning(query) })
  },
})

const ACTIONS = [
  'getEnrollment',
  'updateEnrollment',
  'revokeEnrollment',
  'explainStudentAccess',
  'placeCourseHold',
  'liftCourseHold',
]

const getOneEnrollment = declareFor('lecturer_of', 'students', {
  id: 'getEnrollment',
  route: 'GET /enrollments/:enrollment_id',
  summary: 'Get an enrollment',
  description: 'Returns one enrollment with its progress and access.',
  params: EnrollmentRef,
  returns: Enrollment,
  expand,
  example: { params: enrollmentExample },
  async handle(context) {
    const row = await getEnrollment(context, context.params.enrollment_id)
    return { ...(await enrollmentView(context, row)), allowed_actions: context.allowedActions(ACTIONS) }
  },
})

/** The operations that read enrollments, in the order of the documentation. */
export const readingOperations = [listEnrollments, getOneEnrollment, listCourseEnrollments]
