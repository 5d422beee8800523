import type { Db } from '#src/contract/db.ts'
import { assignmentsOfExcluded, buildColumns, columnNames } from '#src/db/columns.ts'
import { sql } from '#src/db/sql.ts'
import type { PlannedLesson, PlannedSection } from './rules.ts'
import { changeableColumns, storedColumns } from './schema.ts'

/** The revision of an outline. */
export type OutlineRow = { readonly revision: number; readonly updated_at: Date }

/** The revision of an outline; undefined before it was written for the first time. */
export const findOutline = (db: Db, schoolId: string, courseId: string) =>
  db.first(sql<OutlineRow>`
    select revision, updated_at from outlines where school_id = ${schoolId} and course_id = ${courseId}`)

/** Stores the planned sections of a course; those in `touched` get a new revision. */
export const putSections = (
  db: Db,
  schoolId: string,
  courseId: string,
  sections: readonly PlannedSection[],
  touched: readonly string[],
) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into sections as s (school_id, id, course_id, name, position, created_at, updated_at)
    select ${schoolId}, p.id, ${courseId}, p.name, p.position, now, now
    from jsonb_to_recordset(${JSON.stringify(sections)}::jsonb) as p (id uuid, name text, position integer),
      clock
    on conflict (school_id, id) do update set name = excluded.name, position = excluded.position, archived_at = null,
      revision = s.revision + case when s.id = any (${touched}::uuid[]) then 1 else 0 end,
      updated_at = case when s.id = any (${touched}::uuid[]) then excluded.updated_at else s.updated_at end`)

/** Stores the planned lessons of a course; those in `touched` get a new revision. */
export const putLessons = (
  db: Db,
  schoolId: string,
  courseId: string,
  lessons: readonly PlannedLesson[],
  touched: readonly string[],
) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into lessons as l (school_id, id, course_id, section_id, ${columnNames(storedColumns)}, position, created_at,
      updated_at)
    select ${schoolId}, p.id, ${courseId}, p.section_id, ${buildColumns('p', storedColumns)}, p.position, now, now
    from jsonb_populate_recordset(null::lessons, ${JSON.stringify(lessons)}::jsonb) as p, clock
    on conflict (school_id, id) do update set section_id = excluded.section_id,
      ${assignmentsOfExcluded(changeableColumns)}, position = excluded.position, archived_at = null,
      revision = l.revision + case when l.id = any (${touched}::uuid[]) then 1 else 0 end,
      updated_at = case when l.id = any (${touched}::uuid[]) then excluded.updated_at else l.updated_at end`)

/** Archives sections and lessons of a course, all at one instant; returns the lessons. */
export const archiveNodes = (
  db: Db,
  schoolId: string,
  courseId: string,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> =>
  db.all(sql<{ id: string; name: string }>`
    with clock as materialized (select stoa.now() as now), archived as (
      update sections set archived_at = clock.now, revision = revision + 1, updated_at = clock.now from clock
      where school_id = ${schoolId} and course_id = ${courseId} and id = any (${ids}::uuid[])
    )
    update lessons set archived_at = clock.now, revision = revision + 1, updated_at = clock.now from clock
    where school_id = ${schoolId} and course_id = ${courseId} and id = any (${ids}::uuid[])
    returning id, name`)

/** Raises the revision of the outline of a course that is locked. */
export const touchOutline = (db: Db, schoolId: string, courseId: string) =>
  db.one(sql<OutlineRow>`
    with clock as materialized (select stoa.now() as now)
    insert into outlines as o (school_id, course_id, revision, created_at, updated_at)
    select ${schoolId}, ${courseId}, 2, now, now from clock
    on conflict (school_id, course_id) do update set revision = o.revision + 1, updated_at = excluded.updated_at
    returning o.revision, o.updated_at`)

/** How many sections and lessons of some courses are published, and their duration. */
export const countNodes = async (db: Db, schoolId: string, courseIds: readonly string[]) => {
  type Figures = { id: string; section_count: number; lesson_count: number; duration_seconds: number }
  const rows = await db.all(sql<Figures>`
    select course_id as id, count(distinct section_id)::integer as section_count, count(*)::integer as lesson_count,
      coalesce(sum(duration_seconds), 0)::integer as duration_seconds
    from lessons
    where school_id = ${schoolId} and course_id = any (${courseIds}::uuid[]) and status = 'published' and archived_at is null
    group by course_id`)
  return new Map(rows.map(({ id, ...figures }) => [id, figures]))
}
