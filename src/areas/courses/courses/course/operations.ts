import { type Caller, isStaff } from '#src/contract/caller.ts'
import { changeRow } from '#src/contract/change.ts'
import { inUseOf } from '#src/contract/items.ts'
import { type Cells, declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { slugTaken } from '#src/contract/problems.ts'
import { offeredBy } from '#src/contract/status.ts'
import { listStatement, readList } from '#src/db/list.ts'
import { moveSlug } from '#src/db/slugs.ts'
import { toId } from '#src/kit/ids.ts'
import { cleanTags } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import { copyOperations } from '../copies/operations.ts'
import { teachingOperations } from '../lecturers/operations.ts'
import { insertTeaching } from '../lecturers/queries.ts'
import { priceOperations } from '../prices/operations.ts'
import { courseStatus } from '../status/queries.ts'
import { tagOperations } from '../tags/operations.ts'
import { buildViewer, canManageCourse, checkMayCreateCourse, getCourse, lockCourse, lockOwnCourse } from './access.ts'
import { courseBin } from './bin.operations.ts'
import { binCourse } from './bin.writes.ts'
import { courseSlugs } from './conditions.ts'
import { type CourseFilter, type CourseRow, type CourseValues, courseList, storeCourse } from './queries.ts'
import { courseExternalIdTaken, courseInUse, inUse, mergeInput, profileRequired, whyInUse } from './rules.ts'
import {
  Course,
  CourseChanges,
  CoursePage,
  CourseRef,
  CoursesQuery,
  type ListCoursesParams,
  NewCourse,
} from './schema.ts'
import { courseView, courseViews } from './views.ts'
import { addCourse, checkValues } from './writes.ts'

const sourdough = { course_id: 'slug:sourdough-from-scratch' }

const anyone = { scope: 'courses:read', who: 'anyone' } as const

const expand = {
  lecturers: { scope: 'lecturers:read', who: 'anyone', summary: 'who teaches it' },
  categories: { ...anyone, summary: 'its categories' },
  prices: { ...anyone, summary: 'every price it can be had for' },
} as const

const readFilter = (caller: Caller, query: ListCoursesParams): CourseFilter => ({
  viewer: buildViewer(caller),
  q: query.q,
  status: query.status,
  visibility: query.visibility,
  categoryId: query.category_id,
  tag: query.tag === undefined ? undefined : (cleanTags([query.tag])[0] ?? ''),
  lecturerId: query.lecturer_id,
  isManaged: query.managed,
  ids: query['id[in]'],
  createdFrom: query['created_at[gte]'],
  createdBefore: query['created_at[lt]'],
  updatedFrom: query['updated_at[gte]'],
})

const CELLS: Cells<CourseRow> = {
  id: row => row.id,
  name: row => row.name,
  slug: row => row.slug,
  subtitle: row => row.subtitle,
  status: row => row.status,
  visibility: row => row.visibility,
  tags: row => row.tags.join(' '),
  external_id: row => row.external_id,
  publish_at: row => row.publish_at,
  published_at: row => row.published_at,
  created_at: row => row.created_at,
  updated_at: row => row.updated_at,
}

const listCourses = declareFor('anyone', 'courses', {
  id: 'listCourses',
  route: 'GET /courses',
  summary: 'List courses',
  description:
    'Lists courses. Everybody sees published and listed courses, lecturers also those they teach, staff all of them. Filtering by a category includes its subcategories.',
  query: CoursesQuery,
  returns: CoursePage,
  expand,
  csv: {
    cells: CELLS,
    statement: ({ school, caller, query }) =>
      listStatement(courseList(school.id, readFilter(caller, query)), query.sort),
  },
  handle(context) {
    const { school, caller, query } = context
    return readList(context, courseList(school.id, readFilter(caller, query)), rows => courseViews(context, rows))
  },
})

// The actions that status, role and scopes allow; dry_run reports what other rows forbid.
const listActions = (caller: Caller, row: CourseRow): string[] => {
  const reads = ['getCourse', 'listCoursePrices']
  if (!canManageCourse(caller, row)) return reads
  const manages = [...reads, 'updateCourse', 'copyCourse']
  if (!isStaff(caller)) return manages
  return [
    ...manages,
    ...offeredBy(courseStatus, row.status),
    ...['createCoursePrice', 'setPrimaryPrice', 'createCourseCompletions'],
    'addCourseLecturer',
    'deleteCourse',
  ]
}

const getOneCourse = declareFor('anyone', 'courses', {
  id: 'getCourse',
  route: 'GET /courses/:course_id',
  summary: 'Get a course',
  description:
    'Returns one course. Anyone who has its address can read an unlisted course; drafts and archived courses are visible to those who manage them. An earlier slug still works; the response has the current one.',
  params: CourseRef,
  returns: Course,
  expand,
  example: { params: sourdough },
  async handle(context) {
    const { caller, params, allowedActions } = context
    const row = await getCourse(context, params.course_id)
    const view = await courseView(context, row)
    return caller.member === undefined ? view : { ...view, allowed_actions: allowedActions(listActions(caller, row)) }
  },
})

const createCourse = declareFor('lecturer_of', 'courses', {
  id: 'createCourse',
  route: 'POST /courses',
  summary: 'Create a course',
  description: 'Creates a course as a draft. A lecturer who creates a course teaches it; staff publish it.',
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
    const row = await getCourse(context, rowId)
    changed({ ids: [id], fields: Object.keys(body), revision: row.revision })
    record({ type: 'course.created', payload: { course_id: id } })
    return courseView(context, row)
  },
})

const updateCourse = declareFor('lecturer_of', 'courses', {
  id: 'updateCourse',
  route: 'PATCH /courses/:course_id',
  summary: 'Update a course',
  description:
    'Changes the fields of a course that the request names. An earlier slug keeps leading to the course. The status is changed under `publication` and `archive`.',
  ifMatch: 'honoured',
  params: CourseRef,
  body: CourseChanges,
  returns: Course,
  fails: [slugTaken, courseExternalIdTaken],
  example: { params: sourdough, body: { subtitle: 'From flour and water to a loaf' } },
  async handle(context) {
    const { db, school, caller, params, body } = context
    const row = await lockOwnCourse(context, params.course_id)
    return changeRow(context, row, {
      id: toId('crs', row.id),
      fact: 'course.updated',
      values: (): CourseValues => mergeInput(row, body),
      check: values => checkValues(context, values, row),
      store: async (values, fields) => {
        const stored = await storeCourse(db, school.id, buildViewer(caller), row.id, values)
        if (fields.includes('slug'))
          await moveSlug(db, school.id, courseSlugs, row.id, { from: row.slug, to: values.slug })
        return stored
      },
      view: stored => courseView(context, stored),
    })
  },
})

const deleteCourse = declareFor('staff', 'courses', {
  id: 'deleteCourse',
  route: 'DELETE /courses/:course_id',
  summary: 'Delete a course',
  description:
    'Deletes a course that nobody has access to and no membership plan contains. For 30 days it is in the bin, from which it can be restored with everything that belongs to it. Sales records stay. Archive a course that is still in use.',
  confirm: 'person',
  ifMatch: 'honoured',
  params: CourseRef,
  returns: undefined,
  fails: [courseInUse],
  example: { params: { course_id: 'slug:rye-for-the-patient' } },
  async handle(context) {
    const { db, school, params, requireMatch, changed, record } = context
    const row = await lockCourse(context, params.course_id)
    await requireMatch(row.revision, () => courseView(context, row))
    const uses = (await inUseOf.call({ type: 'course', id: row.id }, { school, db })).flat()
    if (uses.length > 0) throw new Refusal(courseInUse, whyInUse(uses), { members: inUse(uses) })
    await binCourse(context, row, context.caller.member.id)
    const id = toId('crs', row.id)
    changed({ ids: [id], fields: [] })
    record({
      type: 'course.deleted',
      payload: { course_id: id },
      effects: texts.courses.course.operations.deleteCourse.effects,
    })
  },
})

/** The operations of courses, in the order of the documentation. */
export const operations = [
  listCourses,
  getOneCourse,
  createCourse,
  updateCourse,
  ...copyOperations,
  ...teachingOperations,
  ...priceOperations,
  deleteCourse,
  courseBin.restore,
  courseBin.purge,
  ...tagOperations,
]
