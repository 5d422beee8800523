import { courseNames } from '#src/areas/courses/index.ts'
import { type Access, accessState, candidatesFor, type Source } from '#src/areas/learning/access/index.ts'
import type { Db, Recorded } from '#src/contract/db.ts'
import type { List } from '#src/db/list.ts'
import { listRanges } from '#src/db/ranges.ts'
import { sql } from '#src/db/sql.ts'
import { when } from '#src/db/where.ts'
import { type EnrollmentFilter, isInState, matching } from './conditions.ts'

/** The progress of a member in a course; it does not say whether they have access. */
export type EnrollmentRow = Recorded & {
  readonly id: string
  readonly member_id: string
  readonly course_id: string
  readonly source: Source
  readonly completed_at: Date | null
  readonly percent_complete: number
  readonly current_lesson_id: string | null
  readonly last_activity_at: Date | null
  readonly access_changed_at: Date
  /** The address that a lecturer typed, as long as that is all they may know of the person. */
  readonly pending_email: string | null
  readonly changed_in: string
}

const enrollmentColumns = sql`e.id, e.member_id, e.course_id, e.source, e.completed_at, e.percent_complete,
  e.current_lesson_id, e.last_activity_at, e.access_changed_at, e.pending_email, e.revision, e.changed_in, e.created_at,
  e.updated_at`

/** The enrollment of a member in a course. */
export const findEnrollment = (
  db: Db,
  schoolId: string,
  { memberId, courseId }: { readonly memberId: string; readonly courseId: string },
) =>
  db.first(sql<EnrollmentRow>`
    select ${enrollmentColumns} from enrollments e
    where e.school_id = ${schoolId} and e.member_id = ${memberId} and e.course_id = ${courseId}`)

/** The same, locked until the transaction ends. */
export const lockCourseEnrollment = (
  db: Db,
  schoolId: string,
  { memberId, courseId }: { readonly memberId: string; readonly courseId: string },
) =>
  db.first(sql<EnrollmentRow>`
    select ${enrollmentColumns} from enrollments e
    where e.school_id = ${schoolId} and e.member_id = ${memberId} and e.course_id = ${courseId} for no key update of e`)

/** The ids of the enrollments of members in courses, by the ids of both. */
export const listEnrollmentIds = async (
  db: Db,
  schoolId: string,
  pairs: readonly { readonly memberId: string; readonly courseId: string }[],
): Promise<ReadonlyMap<string, string>> => {
  const rows = await db.all(sql<Pick<EnrollmentRow, 'id' | 'member_id' | 'course_id'>>`
    select e.id, e.member_id, e.course_id from enrollments e
    join unnest(${pairs.map(one => one.memberId)}::uuid[], ${pairs.map(one => one.courseId)}::uuid[])
      as p (member_id, course_id) on p.member_id = e.member_id and p.course_id = e.course_id
    where e.school_id = ${schoolId}`)
  return new Map(rows.map(({ id, member_id, course_id }) => [`${member_id} ${course_id}`, id]))
}

/** The enrollments of a filter. */
export const enrollmentList = (
  schoolId: string,
  { state, updatedFrom, ...filter }: EnrollmentFilter,
): List<EnrollmentRow> => ({
  columns: enrollmentColumns,
  from: sql`enrollments e`,
  where: matching(schoolId, filter),
  checked: {
    table: sql`enrollments`,
    alias: sql`e`,
    condition: when(state, word => isInState(word, schoolId)),
    ranges: listRanges(sql`e.school_id = ${schoolId}`, [{ column: sql`e.updated_at`, from: updatedFrom }]),
    candidates: candidatesFor(state, schoolId, sql`e.member_id`),
  },
  id: sql`e.id`,
  changedIn: sql`e.changed_in`,
  hasClock: true,
})

/** An enrollment as a line of a table, with the names that people read. */
export type EnrollmentLine = EnrollmentRow & {
  readonly member_name: string
  readonly member_email: string
  readonly course_name: string
  readonly state: Access['state']
}

/** The enrollments of a filter as lines of a table. */
export const enrollmentLines = (schoolId: string, filter: EnrollmentFilter): List<EnrollmentLine> => ({
  ...enrollmentList(schoolId, filter),
  columns: sql`${enrollmentColumns}, m.name as member_name, m.email as member_email, c.name as course_name,
    ${accessState(schoolId, sql`e.member_id`, { type: 'course', id: sql`e.course_id` })} as state`,
  from: sql`enrollments e
    join members m on m.school_id = e.school_id and m.id = e.member_id
    join (${courseNames(schoolId)}) c on c.id = e.course_id`,
})

/** An enrollment of a filter by the id of its row. */
export const findEnrollmentIn = (db: Db, schoolId: string, id: string, filter: EnrollmentFilter) =>
  db.first(sql<EnrollmentRow>`
    with clock as materialized (select stoa.now() as now)
    select ${enrollmentColumns} from enrollments e where ${matching(schoolId, filter)} and e.id = ${id}`)

/** The same, locked until the transaction ends. */
export const lockEnrollmentIn = (db: Db, schoolId: string, id: string, filter: EnrollmentFilter) =>
  db.first(sql<EnrollmentRow>`
    with clock as materialized (select stoa.now() as now)
    select ${enrollmentColumns} from enrollments e
    where ${matching(schoolId, filter)} and e.id = ${id} for no key update of e`)

/** How many members are or were enrolled in some courses. */
export const countEnrolled = async (
  db: Db,
  schoolId: string,
  courseIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly enrollment_count: number }>> => {
  const rows = await db.all(sql<{ id: string; enrollment_count: number }>`
    select e.course_id as id, count(*)::integer as enrollment_count from enrollments e
    where e.school_id = ${schoolId} and e.course_id = any (${courseIds}::uuid[]) group by e.course_id`)
  return new Map(rows.map(({ id, enrollment_count }) => [id, { enrollment_count }]))
}

/** The names and addresses of some members, by their ids. */
export const listContacts = async (
  db: Db,
  schoolId: string,
  memberIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly id: string; readonly name: string; readonly email: string }>> => {
  const rows = await db.all(sql<{ id: string; name: string; email: string }>`
    select id, name, email from members where school_id = ${schoolId} and id = any (${memberIds}::uuid[])`)
  return new Map(rows.map(row => [row.id, row]))
}

/** Moves the enrollments of one member to another; of two in one course the better progress stays. */
export const moveEnrollments = async (db: Db, schoolId: string, fromId: string, intoId: string): Promise<void> => {
  await db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update enrollments i set percent_complete = greatest(i.percent_complete, f.percent_complete),
      completed_at = least(i.completed_at, f.completed_at),
      current_lesson_id = coalesce(i.current_lesson_id, f.current_lesson_id),
      last_activity_at = greatest(i.last_activity_at, f.last_activity_at), access_changed_at = (select now from clock),
      revision = i.revision + 1, updated_at = (select now from clock)
    from enrollments f
    where i.school_id = ${schoolId} and i.member_id = ${intoId} and f.school_id = i.school_id
      and f.member_id = ${fromId} and f.course_id = i.course_id`)
  await db.run(sql`
    update enrollments f set member_id = ${intoId}, revision = revision + 1, updated_at = (select stoa.now())
    where f.school_id = ${schoolId} and f.member_id = ${fromId}
      and not exists (select from enrollments i
        where i.school_id = ${schoolId} and i.member_id = ${intoId} and i.course_id = f.course_id)`)
}

/** Every enrollment of a member, in the order of their creation. */
export const listMemberEnrollments = (db: Db, schoolId: string, memberId: string) =>
  db.all(sql<EnrollmentRow>`
    select ${enrollmentColumns} from enrollments e
    where e.school_id = ${schoolId} and e.member_id = ${memberId} order by e.id`)

/** A new enrollment. */
export type NewEnrollment = Pick<EnrollmentRow, 'id' | 'member_id' | 'course_id' | 'source'>

/** Creates enrollments, and marks existing ones as changed in access; one statement, in one order for all callers. */
export const keepEnrollments = (db: Db, schoolId: string, all: readonly NewEnrollment[]) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into enrollments as e (school_id, id, member_id, course_id, source, access_changed_at, created_at, updated_at)
    select ${schoolId}::uuid, r.id, r.member_id, r.course_id, r.source, now, now, now
    from jsonb_to_recordset(${JSON.stringify(all)}::jsonb) as r (id uuid, member_id uuid, course_id uuid, source text),
      clock
    order by r.member_id, r.course_id
    on conflict (school_id, member_id, course_id) do update set access_changed_at = excluded.access_changed_at`)

/** Creates an enrollment where there is none. */
export const insertMissing = (db: Db, schoolId: string, one: NewEnrollment) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into enrollments (school_id, id, member_id, course_id, source, access_changed_at, created_at, updated_at)
    select ${schoolId}, ${one.id}, ${one.member_id}, ${one.course_id}, ${one.source}, now, now, now
    from clock
    on conflict (school_id, member_id, course_id) do nothing`)

/** Whether a member is or was enrolled as a filter says. */
export const isStudent = async (db: Db, schoolId: string, id: string, enrolled: EnrollmentFilter): Promise<boolean> =>
  (await db.first(sql`
    with clock as materialized (select stoa.now() as now)
    select from enrollments e where ${matching(schoolId, enrolled)} and e.member_id = ${id} limit 1`)) !== undefined

/** Those of some members who are or were enrolled as a filter says. */
export const listStudentsAmong = async (
  db: Db,
  schoolId: string,
  ids: readonly string[],
  enrolled: EnrollmentFilter,
): Promise<ReadonlySet<string>> => {
  const rows = await db.all(sql<{ member_id: string }>`
    with clock as materialized (select stoa.now() as now)
    select distinct e.member_id from enrollments e
    where ${matching(schoolId, enrolled)} and e.member_id = any (${ids}::uuid[])`)
  return new Set(rows.map(({ member_id }) => member_id))
}

/** The course that each of some members learned in last, or else that they were enrolled in last. */
export const listLatest = (db: Db, schoolId: string, memberIds: readonly string[]) =>
  db.all(sql<Pick<EnrollmentRow, 'member_id' | 'percent_complete' | 'completed_at'> & { id: string; name: string }>`
    select distinct on (e.member_id) e.member_id, c.id, c.name, e.percent_complete, e.completed_at
    from enrollments e join (${courseNames(schoolId)}) c on c.id = e.course_id
    where e.school_id = ${schoolId} and e.member_id = any (${memberIds}::uuid[])
    order by e.member_id, coalesce(e.last_activity_at, e.created_at) desc, e.id desc`)
