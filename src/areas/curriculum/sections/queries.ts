import type { Db, Statement } from '#src/contract/db.ts'
import { byInteger, keyset } from '#src/db/keyset.ts'
import { sql } from '#src/db/sql.ts'
import { allOf } from '#src/db/where.ts'
import { type SectionRow, sectionColumns } from '../outline/queries.ts'

/** A section where it stands. */
export type PlacedSection = SectionRow & { readonly position: number }

/** Which sections are meant; with `isAll` drafts of lessons count too. */
export type SectionFilter = { readonly courseId: string; readonly isAll: boolean; readonly isArchived: boolean }

const matching = (schoolId: string, { courseId, isAll, isArchived }: SectionFilter): Statement =>
  allOf(
    sql`s.school_id = ${schoolId} and s.course_id = ${courseId}`,
    isArchived ? sql`s.archived_at is not null` : sql`s.archived_at is null`,
    isAll
      ? undefined
      : sql`exists (select from lessons l where l.school_id = ${schoolId} and l.section_id = s.id
          and l.status = 'published' and l.archived_at is null)`,
  )

/** The sections of a filter in their order, behind a position. */
export const listSectionRows = (
  db: Db,
  schoolId: string,
  filter: SectionFilter,
  { rows, after }: { readonly rows: number; readonly after: readonly string[] | undefined },
): Promise<PlacedSection[]> => {
  const { order, behind } = keyset(sql`s.id`, { key: byInteger(sql`s.position`), isDescending: false }, after)
  return db.all(sql<PlacedSection>`
    select ${sectionColumns}, s.position from sections s
    where ${allOf(matching(schoolId, filter), behind)} order by ${order} limit ${rows}`)
}

/** How many sections a filter has. */
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
