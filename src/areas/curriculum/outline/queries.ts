import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { LessonValues, PlannedLesson, PlannedSection } from './rules.ts'

/** A section as it is stored. */
export type SectionRow = {
  readonly id: string
  readonly course_id: string
  readonly name: string
  readonly archived_at: Date | null
  readonly revision: number
  readonly created_at: Date
  readonly updated_at: Date
}

/** A lesson as it is stored, without its body. */
export type LessonRow = LessonValues & {
  readonly id: string
  readonly course_id: string
  readonly section_id: string
  readonly archived_at: Date | null
  /** The number of the version that is shown; 0 before anything was written. */
  readonly version: number
  readonly revision: number
  readonly created_at: Date
  readonly updated_at: Date
}

/** The revision of an outline; none before it was written the first time. */
export const findOutline = (
  db: Db,
  schoolId: string,
  courseId: string,
): Promise<{ revision: number; updated_at: Date } | undefined> =>
  db.first(sql<{ revision: number; updated_at: Date }>`
    select revision, updated_at from outlines where school_id = ${schoolId} and course_id = ${courseId}`)

/** The columns of a section `s`. */
export const sectionColumns = sql`s.id, s.course_id, s.name, s.archived_at, s.revision, s.created_at, s.updated_at`

/** The sections of a course in their order, archived ones too. */
export const listSections = (db: Db, schoolId: string, courseId: string): Promise<SectionRow[]> =>
  db.all(sql<SectionRow>`
    select ${sectionColumns} from sections s
    where s.school_id = ${schoolId} and s.course_id = ${courseId} order by s.position, s.id`)

/** The columns of a lesson `l`. */
export const lessonColumns = sql`l.id, l.course_id, l.section_id, l.name, l.type, l.status, l.preview,
  l.required_for_completion, l.duration_seconds, l.archived_at, l.version, l.revision, l.created_at, l.updated_at`

/** The lessons of a course in the order of its outline, archived ones too. */
export const listLessons = (db: Db, schoolId: string, courseId: string): Promise<LessonRow[]> =>
  db.all(sql<LessonRow>`
    select ${lessonColumns}
    from lessons l join sections s on s.school_id = ${schoolId} and s.id = l.section_id
    where l.school_id = ${schoolId} and l.course_id = ${courseId}
    order by s.position, s.id, l.position, l.id`)

/** One lesson whatever its state, archived or not, without its body. */
export const findLesson = (db: Db, schoolId: string, lessonId: string | undefined): Promise<LessonRow | undefined> =>
  db.first(sql<LessonRow>`
    select ${lessonColumns} from lessons l where l.school_id = ${schoolId} and l.id = ${lessonId}::uuid`)

/** What a course's sections are to be; those in `touched` get a revision. */
export const putSections = (
  db: Db,
  schoolId: string,
  courseId: string,
  sections: readonly PlannedSection[],
  touched: readonly string[],
): Promise<number> =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into sections as s (school_id, id, course_id, name, position, created_at, updated_at)
    select ${schoolId}, p.id, ${courseId}, p.name, p.position, now, now
    from jsonb_to_recordset(${JSON.stringify(sections)}::jsonb) as p (id uuid, name text, position integer),
      clock
    on conflict (school_id, id) do update set name = excluded.name, position = excluded.position, archived_at = null,
      revision = s.revision + case when s.id = any (${touched}::uuid[]) then 1 else 0 end,
      updated_at = case when s.id = any (${touched}::uuid[]) then excluded.updated_at else s.updated_at end`)

/** What a course's lessons are to be; those in `touched` get a revision. */
export const putLessons = (
  db: Db,
  schoolId: string,
  courseId: string,
  lessons: readonly PlannedLesson[],
  touched: readonly string[],
): Promise<number> =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into lessons as l (school_id, id, course_id, section_id, name, type, status, preview,
      required_for_completion, duration_seconds, position, created_at, updated_at)
    select ${schoolId}, p.id, ${courseId}, p.section_id, p.name, p.type, p.status, p.preview,
      p.required_for_completion, p.duration_seconds, p.position, now, now
    from jsonb_to_recordset(${JSON.stringify(lessons)}::jsonb) as p (id uuid, section_id uuid, name text,
        type text, status text, preview boolean, required_for_completion boolean, duration_seconds integer,
        position integer),
      clock
    on conflict (school_id, id) do update set section_id = excluded.section_id, name = excluded.name,
      status = excluded.status, preview = excluded.preview, required_for_completion = excluded.required_for_completion,
      duration_seconds = excluded.duration_seconds, position = excluded.position, archived_at = null,
      revision = l.revision + case when l.id = any (${touched}::uuid[]) then 1 else 0 end,
      updated_at = case when l.id = any (${touched}::uuid[]) then excluded.updated_at else l.updated_at end`)

/** Archives sections and lessons of a course, all at one instant. */
export const archiveNodes = async (
  db: Db,
  schoolId: string,
  courseId: string,
  ids: readonly string[],
): Promise<void> => {
  await db.run(sql`
    with clock as materialized (select stoa.now() as now), gone as (
      update sections set archived_at = clock.now, revision = revision + 1, updated_at = clock.now from clock
      where school_id = ${schoolId} and course_id = ${courseId} and id = any (${ids}::uuid[])
    )
    update lessons set archived_at = clock.now, revision = revision + 1, updated_at = clock.now from clock
    where school_id = ${schoolId} and course_id = ${courseId} and id = any (${ids}::uuid[])`)
}

/** Stores that an outline was written; the course is held. */
export const touchOutline = (db: Db, schoolId: string, courseId: string): Promise<number> =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into outlines as o (school_id, course_id, revision, created_at, updated_at)
    select ${schoolId}, ${courseId}, 2, now, now from clock
    on conflict (school_id, course_id) do update set revision = o.revision + 1, updated_at = excluded.updated_at`)

/** How many sections and lessons learners see of some courses, and how long they are. */
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
