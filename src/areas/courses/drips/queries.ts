import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { Drip } from './rules.ts'

/** A period in which one rule applied; without an end it still applies. */
export type DripPeriod = Drip & {
  readonly lesson_id: string
  readonly valid_from: Date
  readonly valid_until: Date | null
  /** Whether the lesson was published. */
  readonly is_published: boolean
  /** Of `after_previous`: the published lesson before it. */
  readonly previous_id: string | null
}

const columns = sql`d.lesson_id, d.valid_from, d.valid_until, d.is_published, d.previous_id, d.mode, d.days as value,
  d.on_date as date, d.local_time`

/** The current rules of the lessons of a course, archived ones too. */
export const listDrips = (db: Db, schoolId: string, courseId: string) =>
  db.all(sql<DripPeriod>`
    select ${columns} from lessons l join lesson_drips d on d.school_id = l.school_id and d.lesson_id = l.id
    where l.school_id = ${schoolId} and l.course_id = ${courseId} and d.valid_until is null`)

/** All current and past rules of the lessons of a course, or of some of them, the earliest first. */
export const listDripPeriods = (db: Db, schoolId: string, courseId: string, lessonIds: readonly string[] | undefined) =>
  db.all(sql<DripPeriod>`
    select ${columns} from lessons l join lesson_drips d on d.school_id = l.school_id and d.lesson_id = l.id
    where l.school_id = ${schoolId} and l.course_id = ${courseId}
      and ${lessonIds === undefined ? sql`true` : sql`l.id = any (${lessonIds}::uuid[])`}
    order by d.valid_from, d.lesson_id`)

/** All current and past rules of some lessons of any courses, the earliest first. */
export const listLessonDripPeriods = (db: Db, schoolId: string, lessonIds: readonly string[]) =>
  db.all(sql<DripPeriod>`
    select ${columns} from lesson_drips d
    where d.school_id = ${schoolId} and d.lesson_id = any (${lessonIds}::uuid[]) order by d.valid_from, d.lesson_id`)

/** A rule to be stored for a lesson. */
type NewDripRow = Drip & { readonly lesson_id: string }

/**
 * Replaces the rules of lessons of a course that is locked: the current ones end and the others begin at one instant. A
 * rule that began in this transaction is amended instead.
 */
export const putDrips = async (
  db: Db,
  schoolId: string,
  courseId: string,
  rules: readonly NewDripRow[],
): Promise<void> => {
  if (rules.length === 0) return
  const list = JSON.stringify(rules)
  await db.run(sql`
    with clock as materialized (select stoa.now() as now),
    own as materialized (select pg_current_xact_id()::text::bigint as id),
    places as materialized (select * from stoa.lesson_places(${schoolId}, array[${courseId}]::uuid[])),
    input as materialized (
      select w.*, p.is_published, case when w.mode = 'after_previous' then p.previous_id end as previous_id
      from jsonb_to_recordset(${list}::jsonb) as w (lesson_id uuid, mode text, value integer, date date, local_time text)
        join places p on p.id = w.lesson_id
    ), amended as (
      update lesson_drips d set mode = s.mode, days = s.value, on_date = s.date, local_time = s.local_time,
        previous_id = s.previous_id
      from input s, own
      where d.school_id = ${schoolId} and d.lesson_id = s.lesson_id and d.valid_until is null and d.changed_in = own.id
    ), ended as (
      update lesson_drips d set valid_until = clock.now
      from input s, clock, own
      where d.school_id = ${schoolId} and d.lesson_id = s.lesson_id and d.valid_until is null and d.changed_in <> own.id
      returning s.*
    )
    insert into lesson_drips (school_id, lesson_id, valid_from, is_published, previous_id, mode, days, on_date,
      local_time, changed_in)
    select ${schoolId}, e.lesson_id, clock.now, e.is_published, e.previous_id, e.mode, e.value, e.date, e.local_time, own.id
    from ended e, clock, own`)
}
