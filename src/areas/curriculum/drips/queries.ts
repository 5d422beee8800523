import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { Drip } from './rules.ts'

/** A stretch of time in which one rule was in force; without an end it still is. */
export type DripPeriod = Drip & {
  readonly lesson_id: string
  readonly valid_from: Date
  readonly valid_until: Date | null
  /** Whether learners saw the lesson. */
  readonly is_published: boolean
  /** Of `after_previous`: the published lesson that stood before it. */
  readonly previous_id: string | null
}

const columns = sql`d.lesson_id, d.valid_from, d.valid_until, d.is_published, d.previous_id, d.mode, d.days as value,
  d.on_date as date, d.local_time`

/** The rules in force for the lessons of a course, archived ones too. */
export const listDrips = (db: Db, schoolId: string, courseId: string): Promise<DripPeriod[]> =>
  db.all(sql<DripPeriod>`
    select ${columns} from lessons l join lesson_drips d on d.school_id = l.school_id and d.lesson_id = l.id
    where l.school_id = ${schoolId} and l.course_id = ${courseId} and d.valid_until is null`)

/** Every rule that the lessons of a course ever had, or of some of them, the earliest first. */
export const listDripPeriods = (
  db: Db,
  schoolId: string,
  courseId: string,
  lessonIds: readonly string[] | undefined,
): Promise<DripPeriod[]> =>
  db.all(sql<DripPeriod>`
    select ${columns} from lessons l join lesson_drips d on d.school_id = l.school_id and d.lesson_id = l.id
    where l.school_id = ${schoolId} and l.course_id = ${courseId}
      and ${lessonIds === undefined ? sql`true` : sql`l.id = any (${lessonIds}::uuid[])`}
    order by d.valid_from, d.lesson_id`)

/** Every rule that some lessons ever had, of whichever courses, the earliest first. */
export const listDripPeriodsOf = (db: Db, schoolId: string, lessonIds: readonly string[]): Promise<DripPeriod[]> =>
  db.all(sql<DripPeriod>`
    select ${columns} from lesson_drips d
    where d.school_id = ${schoolId} and d.lesson_id = any (${lessonIds}::uuid[]) order by d.valid_from, d.lesson_id`)

/** A rule that a lesson is to have. */
export type NewDripRow = Drip & { readonly lesson_id: string }

/**
 * Gives lessons of a course that is held other rules: those in force end and the others begin, at one instant. What this
 * transaction began is amended, for nobody saw it.
 */
export const putDrips = async (
  db: Db,
  schoolId: string,
  courseId: string,
  wanted: readonly NewDripRow[],
): Promise<void> => {
  if (wanted.length === 0) return
  const list = JSON.stringify(wanted)
  await db.run(sql`
    with clock as materialized (select stoa.now() as now),
    own as materialized (select pg_current_xact_id()::text::bigint as id),
    places as materialized (select * from stoa.lesson_places(${schoolId}, array[${courseId}]::uuid[])),
    said as materialized (
      select w.*, p.is_published, case when w.mode = 'after_previous' then p.previous_id end as previous_id
      from jsonb_to_recordset(${list}::jsonb) as w (lesson_id uuid, mode text, value integer, date date, local_time text)
        join places p on p.id = w.lesson_id
    ), amended as (
      update lesson_drips d set mode = s.mode, days = s.value, on_date = s.date, local_time = s.local_time,
        previous_id = s.previous_id
      from said s, own
      where d.school_id = ${schoolId} and d.lesson_id = s.lesson_id and d.valid_until is null and d.changed_in = own.id
    ), ended as (
      update lesson_drips d set valid_until = clock.now
      from said s, clock, own
      where d.school_id = ${schoolId} and d.lesson_id = s.lesson_id and d.valid_until is null and d.changed_in <> own.id
      returning s.*
    )
    insert into lesson_drips (school_id, lesson_id, valid_from, is_published, previous_id, mode, days, on_date,
      local_time, changed_in)
    select ${schoolId}, e.lesson_id, clock.now, e.is_published, e.previous_id, e.mode, e.value, e.date, e.local_time, own.id
    from ended e, clock, own`)
}

/** Raises the revision of a lesson; its course is held. */
export const touchLesson = (db: Db, schoolId: string, lessonId: string): Promise<number> =>
  db.run(sql`
    update lessons set revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${lessonId}`)
