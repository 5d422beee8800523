import { profileSeenBy, profilesOf } from '#src/areas/lecturers/index.ts'
import type { Db, Statement } from '#src/contract/db.ts'
import { type Change, settledBehind } from '#src/db/commit-order.ts'
import { byText, keyset, type SortKey } from '#src/db/keyset.ts'
import { isNamed } from '#src/db/ref.ts'
import { sql } from '#src/db/sql.ts'
import { allOf, when } from '#src/db/where.ts'
import { fold } from '#src/kit/text.ts'

/** A course as a viewer sees it. */
export type CourseRow = {
  readonly id: string
  readonly name: string
  readonly name_folded: string
  readonly slug: string
  readonly subtitle: string
  readonly description: string
  readonly status: 'draft' | 'scheduled' | 'published' | 'archived'
  readonly visibility: 'listed' | 'unlisted'
  readonly image_file_id: string | null
  readonly seo_title: string | null
  readonly seo_description: string | null
  readonly external_id: string | null
  readonly certificate_template_id: string | null
  readonly primary_price_id: string | null
  readonly publish_at: Date | null
  readonly published_at: Date | null
  readonly tags: readonly string[]
  readonly category_ids: readonly string[]
  readonly lecturer_ids: readonly string[]
  /** Whether a profile on the course is linked to the viewer. */
  readonly is_lecturer: boolean
  readonly revision: number
  readonly changed_in: string
  readonly created_at: Date
  readonly updated_at: Date
}

/** Who looks: staff see every course, others what is public and what they teach. */
export type Viewer = { readonly memberId: string | undefined; readonly isStaff: boolean }

const taughtBy = (schoolId: string, { memberId }: Viewer): Statement =>
  memberId === undefined
    ? sql`false`
    : sql`exists (
        select from course_lecturers cl
        where cl.school_id = ${schoolId} and cl.course_id = c.id and cl.lecturer_id in (${profilesOf(schoolId, memberId)}))`

const lecturersSeen = (schoolId: string, viewer: Viewer): Statement => sql`
  select l.id from course_lecturers cl cross join lateral (${profileSeenBy(schoolId, viewer)}) l
  where cl.school_id = ${schoolId} and cl.course_id = c.id`

/** The columns of a course `c` as a viewer sees it. */
export const columnsFor = (
  schoolId: string,
  viewer: Viewer,
): Statement => sql`c.id, c.name, c.name_folded, c.slug, c.subtitle, c.description, c.status,
  c.visibility, c.image_file_id, c.seo_title, c.seo_description, c.external_id, c.certificate_template_id, c.publish_at,
  c.published_at, c.revision, c.changed_in, c.created_at, c.updated_at,
  array(select t.tag from course_tags t where t.school_id = ${schoolId} and t.course_id = c.id order by t.tag) as tags,
  array(select k.category_id from course_categories k
    where k.school_id = ${schoolId} and k.course_id = c.id order by k.category_id) as category_ids,
  array(${lecturersSeen(schoolId, viewer)} order by l.position, l.id) as lecturer_ids,
  (select p.id from course_prices p
    where p.school_id = ${schoolId} and p.course_id = c.id and p.is_primary) as primary_price_id,
  ${taughtBy(schoolId, viewer)} as is_lecturer`

/** The condition that a viewer finds the course `c` by its address; in lists only with `isListed`. */
const seenBy = (schoolId: string, viewer: Viewer, isListed = false): Statement => {
  if (viewer.isStaff) return sql`c.deleted_at is null`
  const open = isListed ? sql`c.status = 'published' and c.visibility = 'listed'` : sql`c.status = 'published'`
  const seen = viewer.memberId === undefined ? open : sql`(${open} or ${taughtBy(schoolId, viewer)})`
  return sql`c.deleted_at is null and ${seen}`
}

/** The condition that a viewer is shown the course `c` in lists. */
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
  readonly ids?: readonly string[] | undefined
  readonly createdFrom?: string | undefined
  readonly createdBefore?: string | undefined
  readonly updatedFrom?: string | undefined
}

// A category has the courses of those below it too.
const inCategory = (schoolId: string, categoryId: string): Statement => sql`c.id in (
  with recursive below as (
    select id from categories where school_id = ${schoolId} and id = ${categoryId}
    union
    select k.id from categories k join below b on k.parent_id = b.id where k.school_id = ${schoolId}
  )
  select k.course_id from course_categories k join below b on b.id = k.category_id where k.school_id = ${schoolId})`

const matching = (schoolId: string, filter: CourseFilter): Statement =>
  allOf(
    sql`c.school_id = ${schoolId}`,
    seenBy(schoolId, filter.viewer, true),
    when(filter.q, q => sql`c.id in (select stoa.search('course', ${fold(q)}, null, null))`),
    when(filter.status, status => sql`c.status = ${status}`),
    when(filter.visibility, visibility => sql`c.visibility = ${visibility}`),
    when(filter.categoryId, id => inCategory(schoolId, id)),
    when(
      filter.tag,
      tag => sql`c.id in (select t.course_id from course_tags t where t.school_id = ${schoolId} and t.tag = ${tag})`,
    ),
    when(filter.lecturerId, id => sql`exists (${lecturersSeen(schoolId, filter.viewer)} and l.id = ${id})`),
    when(filter.ids, ids => sql`c.id = any (${ids}::uuid[])`),
    when(filter.createdFrom, at => sql`c.created_at >= ${at}`),
    when(filter.createdBefore, at => sql`c.created_at < ${at}`),
    when(filter.updatedFrom, at => sql`c.updated_at >= ${at}`),
  )

/** How a list of courses is ordered; ids come in the order in which courses were created. */
export type CourseOrder = { readonly key: 'created_at' | 'name'; readonly isDescending: boolean }

const keys: Readonly<Record<CourseOrder['key'], SortKey | undefined>> = {
  created_at: undefined,
  name: byText(sql`c.name_folded`),
}

/** Where a course stands in an order. */
export const positionOf = (row: CourseRow, { key }: CourseOrder): readonly string[] =>
  key === 'name' ? [row.name_folded, row.id] : [row.id]

/** The courses of a filter in an order, behind `after`, at most `rows`; all of them without `rows`. */
export const coursesStatement = (
  schoolId: string,
  filter: CourseFilter,
  { key, isDescending }: CourseOrder,
  { rows, after }: { readonly rows?: number; readonly after?: readonly string[] | undefined } = {},
): Statement<CourseRow> => {
  const { order, behind } = keyset(sql`c.id`, { key: keys[key], isDescending }, after)
  return sql`
    select ${columnsFor(schoolId, filter.viewer)} from courses c
    where ${allOf(matching(schoolId, filter), behind)}
    order by ${order} ${rows === undefined ? sql`` : sql`limit ${rows}`}`
}

/** The courses of a filter in the order of commits, behind a position. */
export const listChangedCourses = (
  db: Db,
  schoolId: string,
  filter: CourseFilter,
  rows: number,
  after: Change,
): Promise<CourseRow[]> =>
  db.all(sql<CourseRow>`
    select ${columnsFor(schoolId, filter.viewer)} from courses c
    where ${allOf(matching(schoolId, filter), settledBehind(after))}
    order by c.changed_in, c.id limit ${rows}`)

/** How many courses a filter has. */
export const countCourses = async (db: Db, schoolId: string, filter: CourseFilter): Promise<number> =>
  (
    await db.one(
      sql<{ count: number }>`select count(*)::integer as count from courses c where ${matching(schoolId, filter)}`,
    )
  ).count

// A slug is looked for among those in use before those that were.
const named = (schoolId: string, ref: string): Statement => {
  if (!ref.startsWith('slug:'))
    return sql`c.school_id = ${schoolId} and ${isNamed('crs', ref, { id: sql`c.id`, external: sql`c.external_id` })}`
  const slug = ref.slice('slug:'.length)
  return sql`c.school_id = ${schoolId} and c.id = coalesce(
    (select n.id from courses n where n.school_id = ${schoolId} and n.slug = ${slug} and n.deleted_at is null),
    (select o.course_id from course_slugs o where o.school_id = ${schoolId} and o.slug = ${slug}))`
}

/** The course a path names, if the viewer may find it. */
export const findCourseRow = (db: Db, schoolId: string, viewer: Viewer, ref: string): Promise<CourseRow | undefined> =>
  db.first(sql<CourseRow>`
    select ${columnsFor(schoolId, viewer)} from courses c where ${named(schoolId, ref)} and ${seenBy(schoolId, viewer)}`)

/** Holds the course a path names until the transaction ends; gives its row's id. What it has is read after that. */
export const lockCourseRow = async (db: Db, schoolId: string, ref: string): Promise<string | undefined> =>
  (
    await db.first(sql<{ id: string }>`
      select c.id from courses c where ${named(schoolId, ref)} and c.deleted_at is null for no key update of c`)
  )?.id

/** Some courses by their ids for a viewer who may know of each: those they find, and archived ones. */
export const listCoursesIn = (db: Db, schoolId: string, viewer: Viewer, ids: readonly string[]): Promise<CourseRow[]> =>
  db.all(sql<CourseRow>`
    select ${columnsFor(schoolId, viewer)} from courses c
    where c.school_id = ${schoolId} and c.id = any (${ids}::uuid[]) and c.deleted_at is null
      and (c.status = 'archived' or ${seenBy(schoolId, viewer)})`)

/** What is stored of a course. */
export type CourseValues = Pick<
  CourseRow,
  | 'name'
  | 'slug'
  | 'subtitle'
  | 'description'
  | 'visibility'
  | 'image_file_id'
  | 'seo_title'
  | 'seo_description'
  | 'external_id'
  | 'certificate_template_id'
  | 'tags'
  | 'category_ids'
>

// The words a course is found by.
const wordsOf = ({ name, subtitle, tags }: Pick<CourseValues, 'name' | 'subtitle' | 'tags'>): string =>
  fold([name, subtitle, ...tags].join(' '))

/** Those of some categories that the school has, held so that they stay. */
export const lockCategories = async (db: Db, schoolId: string, ids: readonly string[]): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select id from categories where school_id = ${schoolId} and id = any (${ids}::uuid[]) order by id for key share`)
  ).map(({ id }) => id)

const putTags = (db: Db, schoolId: string, id: string, tags: readonly string[]): Promise<number> =>
  db.run(sql`
    with gone as (
      delete from course_tags where school_id = ${schoolId} and course_id = ${id} and tag <> all (${tags}::text[])
    )
    insert into course_tags (school_id, course_id, tag)
    select ${schoolId}::uuid, ${id}::uuid, tag from unnest(${tags}::text[]) as tag
    on conflict (school_id, course_id, tag) do nothing`)

const putCategories = (db: Db, schoolId: string, id: string, ids: readonly string[]): Promise<number> =>
  db.run(sql`
    with gone as (
      delete from course_categories
      where school_id = ${schoolId} and course_id = ${id} and category_id <> all (${ids}::uuid[])
    )
    insert into course_categories (school_id, course_id, category_id)
    select ${schoolId}::uuid, ${id}::uuid, category_id from unnest(${ids}::uuid[]) as category_id
    on conflict (school_id, course_id, category_id) do nothing`)

const putRelations = async (db: Db, schoolId: string, id: string, course: CourseValues): Promise<void> => {
  await Promise.all([putTags(db, schoolId, id, course.tags), putCategories(db, schoolId, id, course.category_ids)])
}

/** Stores a new draft. */
export const insertCourse = async (db: Db, schoolId: string, id: string, course: CourseValues): Promise<void> => {
  await db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into courses (school_id, id, name, name_folded, words_folded, slug, subtitle, description, status, visibility,
      image_file_id, seo_title, seo_description, external_id, certificate_template_id, created_at, updated_at)
    select ${schoolId}, ${id}, ${course.name}, ${fold(course.name)}, ${wordsOf(course)}, ${course.slug},
      ${course.subtitle}, ${course.description}, 'draft', ${course.visibility}, ${course.image_file_id}::uuid,
      ${course.seo_title}, ${course.seo_description}, ${course.external_id}, ${course.certificate_template_id}::uuid, now, now
    from clock`)
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
    update courses c set name = ${course.name}, name_folded = ${fold(course.name)}, words_folded = ${wordsOf(course)},
      slug = ${course.slug}, subtitle = ${course.subtitle}, description = ${course.description},
      visibility = ${course.visibility}, image_file_id = ${course.image_file_id}, seo_title = ${course.seo_title},
      seo_description = ${course.seo_description}, external_id = ${course.external_id},
      certificate_template_id = ${course.certificate_template_id}, revision = revision + 1, updated_at = (select stoa.now())
    where c.school_id = ${schoolId} and c.id = ${id}
    returning ${columnsFor(schoolId, viewer)}`)
}

/** Raises the revision of a course after something that is shown with it was changed. */
export const touchCourse = (db: Db, schoolId: string, viewer: Viewer, id: string): Promise<CourseRow> =>
  db.one(sql<CourseRow>`
    update courses c set revision = revision + 1, updated_at = (select stoa.now())
    where c.school_id = ${schoolId} and c.id = ${id}
    returning ${columnsFor(schoolId, viewer)}`)

/** Raises the revisions of some courses after something that is shown with them was changed. */
export const touchCourses = (db: Db, schoolId: string, ids: readonly string[]): Promise<number> =>
  db.run(sql`
    update courses set revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = any (${ids}::uuid[])`)

/** Marks a course as deleted; its slug and external id are free again. */
export const markDeleted = (db: Db, schoolId: string, id: string): Promise<number> =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update courses set status = 'draft', publish_at = null, deleted_at = (select now from clock), revision = revision + 1,
      updated_at = (select now from clock)
    where school_id = ${schoolId} and id = ${id} and deleted_at is null`)
