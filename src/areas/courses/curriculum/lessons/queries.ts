import type { Db, Recorded, Statement } from '#src/contract/db.ts'
import { buildAssignments, buildColumns, buildValues, columnNames } from '#src/db/columns.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import type { LessonValues } from '../nodes/rules.ts'
import { changeableColumns, storedColumns } from '../nodes/schema.ts'

/** A stored lesson without its content. */
export type LessonRow = Recorded<LessonValues> & {
  readonly id: string
  readonly course_id: string
  readonly section_id: string
  readonly archived_at: Date | null
  /** The number of the current version; 0 without content. */
  readonly version: number
}

/** The columns of a lesson `l`. */
const lessonColumns = sql`l.id, l.course_id, l.section_id, ${buildColumns('l', storedColumns)},
  l.archived_at, l.version, l.revision, l.created_at, l.updated_at`

/** The lessons of a course in the order of its outline, archived ones too. */
export const listLessons = (db: Db, schoolId: string, courseId: string) =>
  db.all(sql<LessonRow>`
    select ${lessonColumns}
    from lessons l join sections s on s.school_id = ${schoolId} and s.id = l.section_id
    where l.school_id = ${schoolId} and l.course_id = ${courseId}
    order by s.position, s.id, l.position, l.id`)

/** One lesson, archived or not. */
export const findLesson = (db: Db, schoolId: string, lessonId: string | undefined) =>
  db.first(sql<LessonRow>`
    select ${lessonColumns} from lessons l where l.school_id = ${schoolId} and l.id = ${lessonId}::uuid`)

/** A lesson that was found, with its course. */
type FoundLesson = Pick<LessonRow, 'id' | 'name' | 'course_id'> & { readonly course: string }

// As `fold` does with what most names have: accents and case.
const foldedName = sql`regexp_replace(normalize(lower(l.name), NFKD), '[\\u0300-\\u036f]', '', 'g')`

/** The lessons whose folded names have all words, those that begin with them first; `taught` are the courses to look in. */
export const searchLessons = (
  db: Db,
  schoolId: string,
  { taught, folded, most }: { readonly taught: Statement | undefined; readonly folded: string; readonly most: number },
) =>
  db.all(sql<FoundLesson>`
    select f.id, f.name, f.course_id, f.course from (
      select l.id, l.name, l.course_id, c.name as course, ${foldedName} as folded
      from lessons l join courses c on c.school_id = ${schoolId} and c.id = l.course_id and c.deleted_at is null
      where ${joinConditions(
        sql`l.school_id = ${schoolId} and l.archived_at is null`,
        when(taught, courses => sql`l.course_id in (${courses})`),
      )} offset 0) as f
    where not exists (select from unnest(string_to_array(${folded}, ' ')) as word where position(word in f.folded) = 0)
    order by starts_with(f.folded, ${folded}) desc, f.id desc limit ${most}`)

/** The id of the course of a lesson, which never changes. */
export const findCourseId = async (
  db: Db,
  schoolId: string,
  lessonId: string | undefined,
): Promise<string | undefined> =>
  (
    await db.first(sql<{ course_id: string }>`
      select course_id from lessons where school_id = ${schoolId} and id = ${lessonId}::uuid`)
  )?.course_id

/** A lesson with its position in the outline. */
export type PlacedLesson = LessonRow & { readonly section_position: number; readonly position: number }

/** A filter of lessons; a field that is undefined filters nothing. */
export type LessonFilter = {
  readonly courseId: string
  readonly isArchived: boolean
  readonly sectionId?: string | undefined
  readonly contentType?: string | undefined
  readonly status?: 'draft' | 'published' | undefined
  readonly preview?: boolean | undefined
}

const matching = (schoolId: string, filter: LessonFilter): Statement =>
  joinConditions(
    sql`l.school_id = ${schoolId} and l.course_id = ${filter.courseId}`,
    filter.isArchived ? sql`l.archived_at is not null` : sql`l.archived_at is null`,
    when(filter.sectionId, id => sql`l.section_id = ${id}::uuid`),
    when(filter.contentType, type => sql`l.type = ${type}`),
    when(filter.status, status => sql`l.status = ${status}`),
    when(filter.preview, preview => sql`l.preview = ${preview}`),
  )

/** The position of a lesson in a list. */
export const buildPosition = (row: PlacedLesson): readonly string[] => [
  String(row.section_position),
  row.section_id,
  String(row.position),
  row.id,
]

const behind = (after: readonly string[] | undefined): Statement | undefined =>
  after &&
  sql`(s.position, s.id, l.position, l.id)
    > (${after[0]}::integer, ${after[1]}::uuid, ${after[2]}::integer, ${after[3]}::uuid)`

/** The lessons of a filter in the order of the outline, after a position, at most `rows`, else all. */
export const lessonsStatement = (
  schoolId: string,
  filter: LessonFilter,
  { rows, after }: { readonly rows?: number; readonly after?: readonly string[] | undefined } = {},
): Statement<PlacedLesson> => sql`
  select ${lessonColumns}, s.position as section_position, l.position
  from lessons l join sections s on s.school_id = ${schoolId} and s.id = l.section_id
  where ${joinConditions(matching(schoolId, filter), behind(after))}
  order by s.position, s.id, l.position, l.id ${rows === undefined ? sql`` : sql`limit ${rows}`}`

/** How many lessons match a filter. */
export const countLessons = async (db: Db, schoolId: string, filter: LessonFilter): Promise<number> =>
  (
    await db.one(
      sql<{ count: number }>`select count(*)::integer as count from lessons l where ${matching(schoolId, filter)}`,
    )
  ).count

/** A lesson to be stored; storing the order sets its position. */
type NewLesson = LessonValues & {
  readonly id: string
  readonly courseId: string
  readonly sectionId: string
  readonly version: number
}

/** Stores a lesson of a course that is locked. */
export const insertLesson = (db: Db, schoolId: string, lesson: NewLesson) =>
  db.one(sql<LessonRow>`
    with clock as materialized (select stoa.now() as now)
    insert into lessons as l (school_id, id, course_id, section_id, ${columnNames(storedColumns)}, version, position,
      created_at, updated_at)
    values (${schoolId}, ${lesson.id}, ${lesson.courseId}, ${lesson.sectionId}, ${buildValues(lesson, storedColumns)},
      ${lesson.version}, -1, (select now from clock), (select now from clock))
    returning ${lessonColumns}`)

/** Stores a changed lesson as its next revision, with the number of its current version. */
export const storeLesson = (
  db: Db,
  schoolId: string,
  id: string,
  lesson: Omit<LessonValues, 'type'> & { readonly version: number },
) =>
  db.one(sql<LessonRow>`
    update lessons l set ${buildAssignments(lesson, changeableColumns)}, version = ${lesson.version},
      revision = revision + 1, updated_at = (select stoa.now())
    where l.school_id = ${schoolId} and l.id = ${id}
    returning ${lessonColumns}`)

/** Makes version 1 the current one of a lesson created in this transaction, without a new revision. */
export const storeFirstVersion = (db: Db, schoolId: string, id: string) =>
  db.run(sql`update lessons set version = 1 where school_id = ${schoolId} and id = ${id} and version = 0`)

/** Moves a lesson to a section of its course, which is locked, and restores an archived one. */
export const storeLessonPlacement = (db: Db, schoolId: string, id: string, sectionId: string) =>
  db.one(sql<LessonRow>`
    update lessons l set section_id = ${sectionId}, archived_at = null, revision = revision + 1,
      updated_at = (select stoa.now())
    where l.school_id = ${schoolId} and l.id = ${id}
    returning ${lessonColumns}`)
/** Stores the order of the lessons of one section; the course is locked. */
export const storeLessonOrder = (db: Db, schoolId: string, ids: readonly string[]) =>
  db.run(sql`
    update lessons l set position = o.place - 1
    from unnest(${ids}::uuid[]) with ordinality as o (id, place)
    where l.school_id = ${schoolId} and l.id = o.id and l.position <> o.place - 1`)

/** Raises the revision of a lesson; its course is locked. */
export const touchLesson = (db: Db, schoolId: string, lessonId: string) =>
  db.run(sql`
    update lessons set revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${lessonId}`)
