import { withSubcategories } from '#src/areas/courses/categories/index.ts'
import { buildProfiles, profileSeenBy } from '#src/areas/courses/lecturers/index.ts'
import type { Db, Recorded, Statement } from '#src/contract/db.ts'
import { allWords, type ListingValues, nameWords } from '#src/contract/listing.ts'
import { buildAssignments, buildColumns, buildValues, columnNames } from '#src/db/columns.ts'
import { putLinks } from '#src/db/links.ts'
import { type List, textKey } from '#src/db/list.ts'
import { isAddressed } from '#src/db/slugs.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import { fold } from '#src/kit/text.ts'
import { courseCategories, courseSlugs, courseTags } from './conditions.ts'
import { type CourseInput, storedColumns } from './schema.ts'

type Settings = Omit<CourseInput, 'seo' | keyof ListingValues>

/** What is stored of a course as its settings say. */
export type CourseValues = ListingValues & Readonly<Settings>

/** A course as a viewer sees it. */
export type CourseRow = Recorded<CourseValues> & {
  readonly id: string
  readonly name_folded: string
  readonly status: 'draft' | 'scheduled' | 'published' | 'archived'
  readonly primary_price_id: string | null
  readonly publish_at: Date | null
  readonly published_at: Date | null
  readonly lecturer_ids: readonly string[]
  /** Whether a profile on the course is linked to the viewer. */
  readonly is_lecturer: boolean
  readonly changed_in: string
}

/** The viewer of courses: staff see every course, others see public courses and those that they teach. */
export type Viewer = { readonly memberId: string | undefined; readonly isStaff: boolean }

const taughtBy = (schoolId: string, { memberId }: Viewer): Statement =>
  memberId === undefined
    ? sql`false`
    : sql`exists (
        select from course_lecturers cl
        where cl.school_id = ${schoolId} and cl.course_id = c.id and cl.lecturer_id in (${buildProfiles(schoolId, memberId)}))`

const lecturersSeen = (schoolId: string, viewer: Viewer): Statement => sql`
  select l.id from course_lecturers cl cross join lateral (${profileSeenBy(schoolId, viewer)}) l
  where cl.school_id = ${schoolId} and cl.course_id = c.id`

// The columns of a course `c` as a viewer sees it.
const columnsFor = (
  schoolId: string,
  viewer: Viewer,
): Statement => sql`c.id, ${buildColumns('c', storedColumns)}, c.name_folded, c.status, c.publish_at, c.published_at,
  c.revision, c.changed_in, c.created_at, c.updated_at,
  array(select t.tag from course_tags t where t.school_id = ${schoolId} and t.course_id = c.id order by t.tag) as tags,
  array(select k.category_id from course_categories k
    where k.school_id = ${schoolId} and k.course_id = c.id order by k.category_id) as category_ids,
  array(${lecturersSeen(schoolId, viewer)} order by l.position, l.id) as lecturer_ids,
  (select p.id from course_prices p
    where p.school_id = ${schoolId} and p.course_id = c.id and p.is_primary) as primary_price_id,
  ${taughtBy(schoolId, viewer)} as is_lecturer`

/** The condition that a viewer finds the course `c` by its address; in lists only with `isListed`. */
export const seenBy = (schoolId: string, viewer: Viewer, isListed = false): Statement => {
  if (viewer.isStaff) return sql`c.deleted_at is null`
  const open = isListed ? sql`c.status = 'published' and c.visibility = 'listed'` : sql`c.status = 'published'`
  const seen = viewer.memberId === undefined ? open : sql`(${open} or ${taughtBy(schoolId, viewer)})`
  return sql`c.deleted_at is null and ${seen}`
}

/** The condition that the course `c` is in lists for a viewer. */
export const listedFor = (schoolId: string, viewer: Viewer): Statement => seenBy(schoolId, viewer, true)

/** Which courses are meant; what is undefined does not matter. */
export type CourseFilter = {
  readonly viewer: Viewer
  readonly q?: string | undefined
  readonly status?: CourseRow['status'] | undefined
  readonly visibility?: CourseRow['visibility'] | undefined
  readonly categoryId?: string | undefined
  readonly tag?: string | undefined
  readonly lecturerId?: string | undefined
  /** Whether the viewer manages them. */
  readonly isManaged?: boolean | undefined
  readonly ids?: readonly string[] | undefined
  readonly createdFrom?: Date | undefined
  readonly createdBefore?: Date | undefined
  readonly updatedFrom?: Date | undefined
}

const managedBy = (schoolId: string, viewer: Viewer): Statement =>
  viewer.isStaff ? sql`true` : taughtBy(schoolId, viewer)

const matching = (schoolId: string, filter: CourseFilter): Statement =>
  joinConditions(
    sql`c.school_id = ${schoolId}`,
    seenBy(schoolId, filter.viewer, true),
    when(filter.q, q => sql`c.id in (select stoa.search('course', ${fold(q)}, null, null))`),
    when(filter.status, status => sql`c.status = ${status}`),
    when(filter.visibility, visibility => sql`c.visibility = ${visibility}`),
    when(
      filter.categoryId,
      id => sql`c.id in (
        select k.course_id from course_categories k
        where k.school_id = ${schoolId} and k.category_id in (${withSubcategories(schoolId, id)}))`,
    ),
    when(
      filter.tag,
      tag => sql`c.id in (select t.course_id from course_tags t where t.school_id = ${schoolId} and t.tag = ${tag})`,
    ),
    when(filter.lecturerId, id => sql`exists (${lecturersSeen(schoolId, filter.viewer)} and l.id = ${id})`),
    when(filter.isManaged, is => sql`(${managedBy(schoolId, filter.viewer)}) = ${is}`),
    when(filter.ids, ids => sql`c.id = any (${ids}::uuid[])`),
    when(filter.createdFrom, at => sql`c.created_at >= ${at}`),
    when(filter.createdBefore, at => sql`c.created_at < ${at}`),
    when(filter.updatedFrom, at => sql`c.updated_at >= ${at}`),
  )

/** The courses of a filter. */
export const courseList = (schoolId: string, filter: CourseFilter): List<CourseRow> => ({
  columns: columnsFor(schoolId, filter.viewer),
  from: sql`courses c`,
  where: matching(schoolId, filter),
  id: sql`c.id`,
  keys: { name: textKey(sql`c.name_folded`, row => row.name_folded) },
  changedIn: sql`c.changed_in`,
})

const ANYBODY: Viewer = { memberId: undefined, isStaff: false }

/** Where a part of a list begins, and how many rows it has. */
type Part = { readonly from: number; readonly rows: number }

/** The slugs of the courses that anybody finds in the list, the oldest first. */
export const listPublicSlugs = (
  db: Db,
  schoolId: string,
  { from, rows }: Part,
): Promise<{ slug: string; updated_at: Date }[]> =>
  db.all(sql<{ slug: string; updated_at: Date }>`
    select c.slug, c.updated_at from courses c where ${matching(schoolId, { viewer: ANYBODY })}
    order by c.id limit ${rows} offset ${from}`)

/** How many courses anybody finds in the list. */
export const countPublic = async (db: Db, schoolId: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from courses c where ${matching(schoolId, { viewer: ANYBODY })}`)
  ).count

const named = (schoolId: string, ref: string): Statement => isAddressed(schoolId, ref, courseSlugs, sql`c`)

/** The course in a path, if the viewer may see it. */
export const findCourseRow = (db: Db, schoolId: string, viewer: Viewer, ref: string) =>
  db.first(sql<CourseRow>`
    select ${columnsFor(schoolId, viewer)} from courses c where ${named(schoolId, ref)} and ${seenBy(schoolId, viewer)}`)

/** Locks the course in a path until the transaction ends and returns its UUID; its values are read afterwards. */
export const lockCourseRow = async (db: Db, schoolId: string, ref: string): Promise<string | undefined> =>
  (
    await db.first(sql<{ id: string }>`
      select c.id from courses c where ${named(schoolId, ref)} and c.deleted_at is null for no key update of c`)
  )?.id

/** Some courses by their ids for a viewer who may know of them: those that they see, and archived ones. */
export const listCoursesIn = (db: Db, schoolId: string, viewer: Viewer, ids: readonly string[]) =>
  db.all(sql<CourseRow>`
    select ${columnsFor(schoolId, viewer)} from courses c
    where c.school_id = ${schoolId} and c.id = any (${ids}::uuid[]) and c.deleted_at is null
      and (c.status = 'archived' or ${seenBy(schoolId, viewer)})`)

const putRelations = async (db: Db, schoolId: string, id: string, course: CourseValues): Promise<void> => {
  await Promise.all([
    putLinks(db, schoolId, courseTags, id, course.tags),
    putLinks(db, schoolId, courseCategories, id, course.category_ids),
  ])
}

/** Stores a new draft. */
export const insertCourse = async (db: Db, schoolId: string, id: string, course: CourseValues): Promise<void> => {
  await db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into courses (school_id, id, ${columnNames(storedColumns)}, name_folded, words_folded, body_words, status,
      created_at, updated_at)
    values (${schoolId}, ${id}, ${buildValues(course, storedColumns)}, ${fold(course.name)}, ${nameWords(course)}, ${allWords(course)},
      'draft', (select now from clock), (select now from clock))`)
  await putRelations(db, schoolId, id, course)
}

/** Stores a changed course as its next revision. */
export const storeCourse = async (
  db: Db,
  schoolId: string,
  viewer: Viewer,
  id: string,
  course: CourseValues,
): Promise<CourseRow> => {
  await putRelations(db, schoolId, id, course)
  return db.one(sql<CourseRow>`
    update courses c set ${buildAssignments(course, storedColumns)}, name_folded = ${fold(course.name)},
      words_folded = ${nameWords(course)}, body_words = ${allWords(course)}, revision = revision + 1, updated_at = (select stoa.now())
    where c.school_id = ${schoolId} and c.id = ${id}
    returning ${columnsFor(schoolId, viewer)}`)
}

/** Raises the revision of a course after a change of something that is shown with it. */
export const touchCourse = (db: Db, schoolId: string, viewer: Viewer, id: string) =>
  db.one(sql<CourseRow>`
    update courses c set revision = revision + 1, updated_at = (select stoa.now())
    where c.school_id = ${schoolId} and c.id = ${id}
    returning ${columnsFor(schoolId, viewer)}`)
