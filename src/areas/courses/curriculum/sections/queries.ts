import type { Db, Recorded, Statement } from '#src/contract/db.ts'
import { byInteger, keyset } from '#src/db/keyset.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions } from '#src/db/where.ts'

/** A stored section. */
export type SectionRow = Recorded & {
  readonly id: string
  readonly course_id: string
  readonly name: string
  readonly archived_at: Date | null
}

/** The columns of a section `s`. */
const sectionColumns = sql`s.id, s.course_id, s.name, s.archived_at, s.revision, s.created_at, s.updated_at`

/** The sections of a course in their order, archived ones too. */
export const listSections = (db: Db, schoolId: string, courseId: string) =>
  db.all(sql<SectionRow>`
    select ${sectionColumns} from sections s
    where s.school_id = ${schoolId} and s.course_id = ${courseId} order by s.position, s.id`)

/** The id of the course of a section, which never changes. */
export const findCourseId = async (
  db: Db,
  schoolId: string,
  sectionId: string | undefined,
): Promise<string | undefined> =>
  (
    await db.first(sql<{ course_id: string }>`
      select course_id from sections where school_id = ${schoolId} and id = ${sectionId}::uuid`)
  )?.course_id

/** One section, archived or not. */
export const findSection = (db: Db, schoolId: string, id: string | undefined) =>
  db.first(sql<SectionRow>`
    select ${sectionColumns} from sections s where s.school_id = ${schoolId} and s.id = ${id}::uuid`)

/** Whether a section has a lesson that is published. */
export const showsLessons = async (db: Db, schoolId: string, id: string): Promise<boolean> =>
  (
    await db.one(sql<{ found: boolean }>`
      select exists (
        select from lessons where school_id = ${schoolId} and section_id = ${id} and status = 'published' and archived_at is null
      ) as found`)
  ).found

/** A section with its position. */
type PlacedSection = SectionRow & { readonly position: number }

/** A filter of sections; with `isAll` also those without a published lesson. */
type SectionFilter = { readonly courseId: string; readonly isAll: boolean; readonly isArchived: boolean }

const matching = (schoolId: string, { courseId, isAll, isArchived }: SectionFilter): Statement =>
  joinConditions(
    sql`s.school_id = ${schoolId} and s.course_id = ${courseId}`,
    isArchived ? sql`s.archived_at is not null` : sql`s.archived_at is null`,
    isAll
      ? undefined
      : sql`exists (select from lessons l where l.school_id = ${schoolId} and l.section_id = s.id
          and l.status = 'published' and l.archived_at is null)`,
  )

/** The sections of a filter in their order, after a position. */
export const listSectionRows = (
  db: Db,
  schoolId: string,
  filter: SectionFilter,
  { rows, after }: { readonly rows: number; readonly after: readonly string[] | undefined },
): Promise<PlacedSection[]> => {
  const { order, behind } = keyset(sql`s.id`, { key: byInteger(sql`s.position`), isDescending: false }, after)
  return db.all(sql<PlacedSection>`
    select ${sectionColumns}, s.position from sections s
    where ${joinConditions(matching(schoolId, filter), behind)} order by ${order} limit ${rows}`)
}

/** How many sections match a filter. */
export const countSections = async (db: Db, schoolId: string, filter: SectionFilter): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
    select count(*)::integer as count from sections s where ${matching(schoolId, filter)}`)
  ).count

/** The lessons of some sections in their order; with `isAll` drafts too. */
export const listLessonIds = (
  db: Db,
  schoolId: string,
  sectionIds: readonly string[],
  isAll: boolean,
): Promise<{ id: string; section_id: string }[]> =>
  db.all(sql<{ id: string; section_id: string }>`
    select l.id, l.section_id from lessons l
    where l.school_id = ${schoolId} and l.section_id = any (${sectionIds}::uuid[]) and l.archived_at is null
      and ${isAll ? sql`true` : sql`l.status = 'published'`}
    order by l.position, l.id`)

/** Stores a section of a course that is locked; storing the order sets its position. */
export const insertSection = (
  db: Db,
  schoolId: string,
  section: { readonly id: string; readonly courseId: string; readonly name: string },
) =>
  db.one(sql<SectionRow>`
    with clock as materialized (select stoa.now() as now)
    insert into sections as s (school_id, id, course_id, name, position, created_at, updated_at)
    select ${schoolId}, ${section.id}, ${section.courseId}, ${section.name}, -1, now, now
    from clock
    returning ${sectionColumns}`)

/** Stores a section as its next revision, which is not archived. */
export const storeSection = (db: Db, schoolId: string, { id, name }: Pick<SectionRow, 'id' | 'name'>) =>
  db.one(sql<SectionRow>`
    update sections s set name = ${name}, archived_at = null, revision = revision + 1, updated_at = (select stoa.now())
    where s.school_id = ${schoolId} and s.id = ${id}
    returning ${sectionColumns}`)

/** Restores the lessons that were archived together with a section. */
export const restoreLessons = (db: Db, schoolId: string, sectionId: string) =>
  db.run(sql`
    update lessons l set archived_at = null, revision = l.revision + 1, updated_at = (select stoa.now())
    from sections s
    where s.school_id = ${schoolId} and s.id = ${sectionId}
      and l.school_id = ${schoolId} and l.section_id = s.id and l.archived_at = s.archived_at`)

/** Stores the order of the sections of a course that is locked. */
export const storeSectionOrder = (db: Db, schoolId: string, ids: readonly string[]) =>
  db.run(sql`
    update sections s set position = o.place - 1
    from unnest(${ids}::uuid[]) with ordinality as o (id, place)
    where s.school_id = ${schoolId} and s.id = o.id and s.position <> o.place - 1`)

/** The ids of the lessons of one section that are not archived, in their order; without `isAll` of published ones. */
export const listSectionLessonIds = async (
  db: Db,
  schoolId: string,
  sectionId: string,
  isAll = true,
): Promise<string[]> => (await listLessonIds(db, schoolId, [sectionId], isAll)).map(({ id }) => id)

/** The ids of the sections of a course that are not archived, in their order. */
export const listActiveSectionIds = async (db: Db, schoolId: string, courseId: string): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select s.id from sections s
      where s.school_id = ${schoolId} and s.course_id = ${courseId} and s.archived_at is null
      order by s.position, s.id`)
  ).map(({ id }) => id)
