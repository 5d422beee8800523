import type { Source } from '#src/areas/entitlements/index.ts'
import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** What a member learns in a course; it says nothing of access. */
export type EnrollmentRow = {
  readonly id: string
  readonly member_id: string
  readonly course_id: string
  readonly source: Source
  readonly completed_at: Date | null
  readonly percent_complete: number
  readonly current_lesson_id: string | null
  readonly last_learned_at: Date | null
  readonly access_changed_at: Date
  readonly revision: number
  readonly changed_in: string
  readonly created_at: Date
  readonly updated_at: Date
}

/** The columns of an enrollment `e`. */
export const enrollmentColumns = sql`e.id, e.member_id, e.course_id, e.source, e.completed_at, e.percent_complete,
  e.current_lesson_id, e.last_learned_at, e.access_changed_at, e.revision, e.changed_in, e.created_at, e.updated_at`

/** The enrollment of a member in a course. */
export const findEnrollment = (
  db: Db,
  schoolId: string,
  { memberId, courseId }: { readonly memberId: string; readonly courseId: string },
): Promise<EnrollmentRow | undefined> =>
  db.first(sql<EnrollmentRow>`
    select ${enrollmentColumns} from enrollments e
    where e.school_id = ${schoolId} and e.member_id = ${memberId} and e.course_id = ${courseId}`)

/** An enrollment by the id of its row. */
export const findEnrollmentById = (db: Db, schoolId: string, id: string): Promise<EnrollmentRow | undefined> =>
  db.first(sql<EnrollmentRow>`
    select ${enrollmentColumns} from enrollments e where e.school_id = ${schoolId} and e.id = ${id}`)

/** The same, held until the transaction ends. */
export const lockEnrollment = (db: Db, schoolId: string, id: string): Promise<EnrollmentRow | undefined> =>
  db.first(sql<EnrollmentRow>`
    select ${enrollmentColumns} from enrollments e
    where e.school_id = ${schoolId} and e.id = ${id} for no key update`)

/** Every enrollment of a member, in the order they were made. */
export const listEnrollmentsOf = (db: Db, schoolId: string, memberId: string): Promise<EnrollmentRow[]> =>
  db.all(sql<EnrollmentRow>`
    select ${enrollmentColumns} from enrollments e
    where e.school_id = ${schoolId} and e.member_id = ${memberId} order by e.id`)

/** A new enrollment. */
export type NewEnrollment = Pick<EnrollmentRow, 'id' | 'member_id' | 'course_id' | 'source'>

/** Makes enrollments, and notes of those that are there that access changed; one statement, in one order for all. */
export const keepEnrollments = (db: Db, schoolId: string, all: readonly NewEnrollment[]): Promise<number> =>
  db.run(sql`
    insert into enrollments as e (school_id, id, member_id, course_id, source, access_changed_at, created_at, updated_at)
    select ${schoolId}::uuid, r.id, r.member_id, r.course_id, r.source, t, t, t
    from jsonb_to_recordset(${JSON.stringify(all)}::jsonb) as r (id uuid, member_id uuid, course_id uuid, source text),
      (select stoa.now() as t) as moment
    order by r.member_id, r.course_id
    on conflict (school_id, member_id, course_id) do update set access_changed_at = excluded.access_changed_at`)

/** Makes an enrollment where there is none. */
export const insertMissing = (db: Db, schoolId: string, one: NewEnrollment): Promise<number> =>
  db.run(sql`
    insert into enrollments (school_id, id, member_id, course_id, source, access_changed_at, created_at, updated_at)
    select ${schoolId}, ${one.id}, ${one.member_id}, ${one.course_id}, ${one.source}, t, t, t
    from (select stoa.now() as t) as moment
    on conflict (school_id, member_id, course_id) do nothing`)
