import { type Caller, isStaff } from '#src/contract/caller.ts'
import { type Cell, csvRows, operation } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { slugTaken } from '#src/contract/problems.ts'
import { changesPage } from '#src/db/commit-order.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { changedFields } from '#src/kit/patch.ts'
import { teachingOperations } from '../lecturers/operations.ts'
import { insertTeaching } from '../lecturers/queries.ts'
import { priceOperations } from '../prices/operations.ts'
import { publicationOperations } from '../publication/operations.ts'
import { tagOperations } from '../tags/operations.ts'
import { canManageCourse, checkMayCreateCourse, getCourse, lockOwnCourse, viewerOf } from './access.ts'
import { copyOperations } from './copies.operations.ts'
import { deleteCourse } from './deletion.operations.ts'
import {
  type CourseFilter,
  type CourseOrder,
  type CourseRow,
  type CourseValues,
  countCourses,
  coursesStatement,
  listChangedCourses,
  positionOf,
  storeCourse,
} from './queries.ts'
import { cleanTags, courseExternalIdTaken, mayMove, mergeInput, profileRequired } from './rules.ts'
import {
  Course,
  CourseChanges,
  CoursePage,
  CourseRef,
  CoursesQuery,
  type ListCoursesParams,
  NewCourse,
} from './schema.ts'
import { moveCourseSlug } from './slugs.queries.ts'
import { courseView, courseViews, type Showing } from './views.ts'
import { addCourse, checkValues } from './writes.ts'

const sourdough = { course_id: 'slug:sourdough-from-scratch' }

const anyone = { scope: 'courses:read', who: 'anyone' } as const

const expand = {
  lecturers: { scope: 'lecturers:read', who: 'anyone', summary: 'who teaches it' },
  categories: { ...anyone, summary: 'its categories' },
  prices: { ...anyone, summary: 'every price it can be had for' },
} as const

const filterOf = (caller: Caller, query: ListCoursesParams): CourseFilter => ({
  viewer: viewerOf(caller),
  q: query.q,
  status: query.status,
  visibility: query.visibility,
  categoryId: query.category_id === undefined ? undefined : fromId('cat', query.category_id),
  tag: query.tag === undefined ? undefined : (cleanTags([query.tag])[0] ?? ''),
  lecturerId: query.lecturer_id === undefined ? undefined : fromId('lec', query.lecturer_id),
  ids: query['id[in]']?.map(id => fromId('crs', id) ?? ''),
  createdFrom: query['created_at[gte]'],
  createdBefore: query['created_at[lt]'],
  updatedFrom: query['updated_at[gte]'],
})

const orderOf = ({ sort = 'created_at' }: ListCoursesParams): CourseOrder => ({
  key: (sort.startsWith('-') ? sort.slice(1) : sort) as CourseOrder['key'],
  isDescending: sort.startsWith('-'),
})

const CELLS: Readonly<Record<string, (row: CourseRow) => Cell>> = {
  id: row => toId('crs', row.id),
  name: row => row.name,
  slug: row => row.slug,
  subtitle: row => row.subtitle,
  status: row => row.status,
  visibility: row => row.visibility,
  tags: row => row.tags.join(' '),
  external_id: row => row.external_id,
  publish_at: row => row.publish_at?.toISOString() ?? null,
  published_at: row => row.published_at?.toISOString() ?? null,
  created_at: row => row.created_at.toISOString(),
  updated_at: row => row.updated_at.toISOString(),
}

const cellsOf = (row: CourseRow): Cell[] => Object.values(CELLS).map(cellOf => cellOf(row))

const viewsOf = async (context: Showing, rows: readonly CourseRow[]) => {
  const views = await courseViews(context, rows)
  return ({ id }: CourseRow) => {
    const view = views.find(one => one.id === toId('crs', id))
    if (view === undefined) throw new Error('a row has a view')
    return view
  }
}

const listCourses = operation({
  id: 'listCourses',
  route: 'GET /courses',
  summary: 'List courses',
  description:
    'Lists courses. Everybody sees published and listed courses, lecturers also those they teach, staff all of them. Filtering by a category includes its subcategories.',
  scope: 'courses:read',
  who: 'anyone',
  mode: 'read',
  query: CoursesQuery,
  returns: CoursePage,
  expand,
  csv: {
    columns: Object.keys(CELLS),
    rows: ({ school, caller, query }) =>
      csvRows(coursesStatement(school.id, filterOf(caller, query), orderOf(query)), cellsOf),
  },
  async handle(context) {
    const { db, school, caller, query } = context
    const filter = filterOf(caller, query)
    if (query.after !== undefined) {
      let itemOf: Awaited<ReturnType<typeof viewsOf>> | undefined
      return changesPage(db, context, query.after, {
        read: async (rows, after) => {
          const found = await listChangedCourses(db, school.id, filter, rows, after)
          itemOf = await viewsOf(context, found)
          return found
        },
        itemOf: row => {
          if (itemOf === undefined) throw new Error('rows are read before they are shown')
          return itemOf(row)
        },
      })
    }
    const order = orderOf(query)
    const found = await db.all(coursesStatement(school.id, filter, order, parsePage(context)))
    return buildPage(context, found, {
      positionOf: row => positionOf(row, order),
      itemOf: await viewsOf(context, found),
      total: () => countCourses(db, school.id, filter),
    })
  },
})

// What status, role and scopes allow; dry_run tells what other rows forbid.
const actionsOf = (caller: Caller, row: CourseRow): string[] => {
  const reads = ['getCourse', 'listCoursePrices']
  if (!canManageCourse(caller, row)) return reads
  const manages = [...reads, 'updateCourse', 'copyCourse']
  if (!isStaff(caller)) return manages
  return [
    ...manages,
    ...(mayMove(row.status, 'published') ? ['publishCourse'] : []),
    ...(row.status === 'published' || row.status === 'scheduled' ? ['unpublishCourse'] : []),
    ...(mayMove(row.status, 'archived') ? ['archiveCourse'] : []),
    ...(row.status === 'archived' ? ['unarchiveCourse'] : []),
    'createCoursePrice',
    'addCourseLecturer',
    'deleteCourse',
  ]
}

const getOneCourse = operation({
  id: 'getCourse',
  route: 'GET /courses/:course_id',
  summary: 'Get a course',
  description:
    'Returns one course. Anyone who has its address can read an unlisted course; drafts and archived courses are visible to those who manage them. An earlier slug still works; the response has the current one.',
  scope: 'courses:read',
  who: 'anyone',
  mode: 'read',
  params: CourseRef,
  returns: Course,
  expand,
  example: { params: sourdough },
  async handle(context) {
    const { caller, params, allowedActions } = context
    const row = await getCourse(context, params.course_id)
    const view = await courseView(context, row)
    return caller.member === undefined ? view : { ...view, allowed_actions: allowedActions(actionsOf(caller, row)) }
  },
})

const createCourse = operation({
  id: 'createCourse',
  route: 'POST /courses',
  summary: 'Create a course',
  description: 'Creates a course as a draft. A lecturer who creates a course teaches it; staff publish it.',
  scope: 'courses:write',
  who: 'lecturer_of',
  mode: 'write',
  body: NewCourse,
  returns: Course,
  status: 201,
  fails: [slugTaken, courseExternalIdTaken, profileRequired],
  example: { body: { name: 'Focaccia by hand', subtitle: 'Oil, salt, patience', tags: ['italy'] } },
  async handle(context) {
    const { db, school, caller, body, now, changed, record } = context
    const lecturerId = await checkMayCreateCourse(context)
    const rowId = await addCourse({ db, school, caller, now }, body)
    if (lecturerId !== undefined) await insertTeaching(db, school.id, rowId, lecturerId)
    const id = toId('crs', rowId)
    const row = await getCourse(context, id)
    changed({ ids: [id], fields: Object.keys(body), revision: row.revision })
    record({ type: 'course.created', payload: { course: id } })
    return courseView(context, row)
  },
})

const updateCourse = operation({
  id: 'updateCourse',
  route: 'PATCH /courses/:course_id',
  summary: 'Update a course',
  description:
    'Changes the fields of a course that the request names. An earlier slug keeps leading to the course. The status is changed under `publication` and `archive`.',
  scope: 'courses:write',
  who: 'lecturer_of',
  mode: 'write',
  ifMatch: 'honoured',
  params: CourseRef,
  body: CourseChanges,
  returns: Course,
  fails: [slugTaken, courseExternalIdTaken],
  example: { params: sourdough, body: { subtitle: 'From flour and water to a loaf' } },
  async handle(context) {
    const { db, school, caller, params, body, requireMatch, changed, record } = context
    const row = await lockOwnCourse(context, params.course_id)
    await requireMatch(row.revision, () => courseView(context, row))
    const values = mergeInput(row, body)
    const fields = changedFields<CourseValues>(row, values)
    if (fields.length === 0) return courseView(context, row)
    await checkValues(context, values, row)
    const stored = await storeCourse(db, school.id, viewerOf(caller), row.id, values)
    if (fields.includes('slug')) await moveCourseSlug(db, school.id, row.id, { from: row.slug, to: values.slug })
    const id = toId('crs', row.id)
    changed({ ids: [id], fields, revision: stored.revision })
    record({ type: 'course.updated', payload: { course: id, fields } })
    return courseView(context, stored)
  },
})

/** The operations of courses, in the order of the documentation. */
export const operations = [
  listCourses,
  getOneCourse,
  createCourse,
  updateCourse,
  ...publicationOperations,
  ...copyOperations,
  ...teachingOperations,
  ...priceOperations,
  deleteCourse,
  ...tagOperations,
]
