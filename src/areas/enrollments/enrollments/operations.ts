import { CourseRef, checkManagesCourse, getCourse } from '#src/areas/courses/index.ts'
import { lockNamedMember } from '#src/areas/members/index.ts'
import { isStaff } from '#src/contract/caller.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { type AsCaller, type Cell, csvRows, operation } from '#src/contract/operation.ts'
import { buildPage, type PageRequest, parsePage } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { changesPage } from '#src/db/commit-order.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { scopeOf } from '../access.ts'
import {
  countEnrollmentRows,
  type EnrollmentFilter,
  type EnrollmentLine,
  type EnrollmentRow,
  enrollmentLines,
  findEnrollmentIn,
  listChangedEnrollments,
  listEnrollmentRows,
  lockEnrollmentIn,
} from './queries.ts'
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
export const expand = {
  member: { scope: 'students:read', who: 'lecturer_of', summary: 'the name and address of the student' },
  course: { scope: 'courses:read', who: 'anyone', summary: 'the course; a draft is shown to those who run it' },
} as const

/** An enrollment of the named world, for the examples. */
export const enrollmentExample = { enrollment_id: exampleFrom('enr', 'listCourseEnrollments') }

const filterOf = (scope: Pick<EnrollmentFilter, 'taughtBy'>, query: ListEnrollmentsParams): EnrollmentFilter => ({
  ...scope,
  // An id of another kind is none.
  courseId: query.course_id === undefined ? undefined : (fromId('crs', query.course_id) ?? ''),
  memberId: query.member_id === undefined ? undefined : (fromId('mem', query.member_id) ?? ''),
  state: query.state,
  isCompleted: query.completed,
  createdFrom: query['created_at[gte]'],
  updatedFrom: query['updated_at[gte]'],
})

const isDescending = ({ sort }: { readonly sort?: string | undefined }): boolean => sort?.startsWith('-') ?? false

/** Where a caller who is signed in reads a list. */
type Reading = AsCaller & {
  readonly operationId: string
  readonly query: PageRequest & Pick<ListEnrollmentsParams, 'sort'>
  keyFor(purpose: string): Buffer
  expands(relation: string): boolean
}

const viewsOf = async (...asked: Parameters<typeof enrollmentViews>) => {
  const views = await enrollmentViews(...asked)
  const byId = new Map(views.map(view => [view.id, view]))
  return ({ id }: EnrollmentRow) => {
    const view = byId.get(toId('enr', id))
    if (view === undefined) throw new Error('a row has a view')
    return view
  }
}

/** One page of the enrollments of a filter. */
export const pageOf = async (reading: Reading, filter: EnrollmentFilter, audience?: Audience) => {
  const { db, school, query } = reading
  const found = await listEnrollmentRows(db, school.id, filter, isDescending(query), parsePage(reading))
  return buildPage(reading, found, {
    positionOf: row => [row.id],
    itemOf: await viewsOf(reading, found, audience),
    total: () => countEnrollmentRows(db, school.id, filter),
  })
}

const changedPage = async (reading: Reading, filter: EnrollmentFilter, after: string) => {
  const { db, school } = reading
  let itemOf: Awaited<ReturnType<typeof viewsOf>> | undefined
  return changesPage(db, reading, after, {
    read: async (rows, position) => {
      const found = await listChangedEnrollments(db, school.id, filter, rows, position)
      itemOf = await viewsOf(reading, found)
      return found
    },
    itemOf: row => {
      if (itemOf === undefined) throw new Error('rows are read before they are shown')
      return itemOf(row)
    },
  })
}

const COLUMNS = ['id', 'member_id', 'member_name', 'member_email', 'course_id', 'course_name', 'source', 'state']
const MORE_COLUMNS = ['percent_complete', 'completed_at', 'last_activity_at', 'created_at', 'updated_at']

const cellsOf = (row: EnrollmentLine): Cell[] => [
  ...[toId('enr', row.id), toId('mem', row.member_id), row.member_name, row.member_email],
  ...[toId('crs', row.course_id), row.course_name, row.source, row.state, row.percent_complete],
  ...[row.completed_at, row.last_activity_at].map(at => at?.toISOString() ?? null),
  ...[row.created_at.toISOString(), row.updated_at.toISOString()],
]

const listEnrollments = operation({
  id: 'listEnrollments',
  route: 'GET /enrollments',
  summary: 'List enrollments',
  description:
    'Lists enrollments with progress and access; lecturers see those in the courses they teach. With `after`, every change of progress or of a reason for access is returned again. Access that ends by time is not repeated: `access.until` says when it ends.',
  scope: 'students:read',
  who: 'lecturer_of',
  mode: 'read',
  query: EnrollmentsQuery,
  returns: EnrollmentPage,
  expand,
  csv: {
    columns: [...COLUMNS, ...MORE_COLUMNS],
    rows: async context => {
      const filter = filterOf(await scopeOf(context), context.query)
      return csvRows(enrollmentLines(context.school.id, filter, isDescending(context.query)), cellsOf)
    },
  },
  async handle(context) {
    const { query } = context
    const filter = filterOf(await scopeOf(context), query)
    return query.after === undefined ? pageOf(context, filter) : changedPage(context, filter, query.after)
  },
})

const listCourseEnrollments = operation({
  id: 'listCourseEnrollments',
  route: 'GET /courses/:course_id/enrollments',
  summary: "List a course's enrollments",
  description:
    'Lists who is or was enrolled in a course, with progress and access. Names and addresses can be embedded with the scope `students:read`.',
  scope: 'courses:read',
  section: 'students',
  who: 'lecturer_of',
  mode: 'read',
  params: CourseRef,
  query: CourseEnrollmentsQuery,
  returns: EnrollmentPage,
  expand,
  example: { params: { course_id: 'slug:first-loaf' } },
  async handle(context) {
    const { caller, params, query } = context
    const course = await getCourse(context, params.course_id)
    checkManagesCourse(caller, course)
    const isDisclosed = isStaff(caller) ? undefined : true
    return pageOf(context, { courseId: course.id, isDisclosed, state: query.state, isCompleted: query.completed })
  },
})

const nothing = (): Refusal => new Refusal(notFound, 'There is no such enrollment.')

/** The enrollment a path names, found or held; refuses with 404 what the caller does not look after. */
export const getEnrollment = async (
  find: typeof findEnrollmentIn,
  looking: AsCaller,
  ref: string,
): Promise<EnrollmentRow> => {
  const { db, school } = looking
  const scope = await scopeOf(looking)
  const row = await find(db, school.id, fromId('enr', ref) ?? '', scope)
  if (row === undefined) throw nothing()
  return row
}

/** The same, held until the transaction ends; behind the member, as whoever enrolls many does. */
export const holdEnrollment = async (looking: AsCaller, ref: string): Promise<EnrollmentRow> => {
  const found = await getEnrollment(findEnrollmentIn, looking, ref)
  await lockNamedMember(looking.db, looking.school.id, toId('mem', found.member_id))
  return getEnrollment(lockEnrollmentIn, looking, ref)
}

const ACTIONS = [
  'getEnrollment',
  'updateEnrollment',
  'revokeEnrollment',
  'explainStudentAccess',
  'placeCourseHold',
  'liftCourseHold',
]

const getOneEnrollment = operation({
  id: 'getEnrollment',
  route: 'GET /enrollments/:enrollment_id',
  summary: 'Get an enrollment',
  description: 'Returns one enrollment with its progress and access.',
  scope: 'students:read',
  who: 'lecturer_of',
  mode: 'read',
  params: EnrollmentRef,
  returns: Enrollment,
  expand,
  example: { params: enrollmentExample },
  async handle(context) {
    const row = await getEnrollment(findEnrollmentIn, context, context.params.enrollment_id)
    return { ...(await enrollmentView(context, row)), allowed_actions: context.allowedActions(ACTIONS) }
  },
})

/** Reading enrollments, in the order of the documentation. */
export const readingOperations = [listEnrollments, getOneEnrollment, listCourseEnrollments]
