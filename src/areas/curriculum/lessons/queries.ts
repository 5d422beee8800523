import type { Db, Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { allOf, when } from '#src/db/where.ts'
import { type LessonRow, lessonColumns } from '../outline/queries.ts'

/** A lesson where it stands in the outline. */
export type PlacedLesson = LessonRow & { readonly section_position: number; readonly position: number }

/** Which lessons are meant; what is undefined does not matter. */
export type LessonFilter = {
  readonly courseId: string
  readonly isArchived: boolean
  readonly sectionId?: string | undefined
  readonly contentType?: string | undefined
  readonly status?: 'draft' | 'published' | undefined
  readonly preview?: boolean | undefined
}

const matching = (schoolId: string, filter: LessonFilter): Statement =>
  allOf(
    sql`l.school_id = ${schoolId} and l.course_id = ${filter.courseId}`,
    filter.isArchived ? sql`l.archived_at is not null` : sql`l.archived_at is null`,
    when(filter.sectionId, id => sql`l.section_id = ${id}::uuid`),
    when(filter.contentType, type => sql`l.type = ${type}`),
    when(filter.status, status => sql`l.status = ${status}`),
    when(filter.preview, preview => sql`l.preview = ${preview}`),
  )

/** Where a lesson stands in the order of a list. */
export const positionOf = (row: PlacedLesson): readonly string[] => [
  String(row.section_position),
  row.section_id,
  String(row.position),
  row.id,
]

const behind = (after: readonly string[] | undefined): Statement | undefined =>
  after &&
  sql`(s.position, s.id, l.position, l.id)
    > (${after[0]}::integer, ${after[1]}::uuid, ${after[2]}::integer, ${after[3]}::uuid)`

/** The lessons of a filter in the order of the outline, behind a position, at most `rows`; all of them without `rows`. */
export const lessonsStatement = (
  schoolId: string,
  filter: LessonFilter,
  { rows, after }: { readonly rows?: number; readonly after?: readonly string[] | undefined } = {},
): Statement<PlacedLesson> => sql`
  select ${lessonColumns}, s.position as section_position, l.position
  from lessons l join sections s on s.school_id = ${schoolId} and s.id = l.section_id
  where ${allOf(matching(schoolId, filter), behind(after))}
  order by s.position, s.id, l.position, l.id ${rows === undefined ? sql`` : sql`limit ${rows}`}`

/** How many lessons a filter has. */
export const countLessons = async (db: Db, schoolId: string, filter: LessonFilter): Promise<number> =>
  (
    await db.one(
      sql<{ count: number }>`select count(*)::integer as count from lessons l where ${matching(schoolId, filter)}`,
    )
  ).count
