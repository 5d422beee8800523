import { coursesTaughtBy } from '#src/areas/courses/index.ts'
import type { Db } from '#src/contract/db.ts'
import { keyset } from '#src/db/keyset.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'

/** A member and a course. */
export type Pair = { readonly memberId: string; readonly courseId: string }

/** Hides from those who teach a course who was enrolled in it, behind the address that was typed. */
export const concealEnrollments = (db: Db, schoolId: string, all: readonly (Pair & { readonly email: string })[]) =>
  db.run(sql`
    update enrollments e set pending_email = p.email
    from unnest(${all.map(one => one.memberId)}::uuid[], ${all.map(one => one.courseId)}::uuid[],
      ${all.map(one => one.email)}::text[]) as p (member_id, course_id, email)
    where e.school_id = ${schoolId} and e.member_id = p.member_id and e.course_id = p.course_id`)

/** Shows those who teach courses who was enrolled in them. */
export const discloseEnrollments = (db: Db, schoolId: string, pairs: readonly Pair[]) =>
  db.run(sql`
    update enrollments e set pending_email = null
    from unnest(${pairs.map(one => one.memberId)}::uuid[], ${pairs.map(one => one.courseId)}::uuid[])
      as p (member_id, course_id)
    where e.school_id = ${schoolId} and e.member_id = p.member_id and e.course_id = p.course_id
      and e.pending_email is not null`)

/** Deletes the addresses that were typed for a member; who it was stays hidden from those who teach the courses. */
export const deletePendingEmails = (db: Db, schoolId: string, memberId: string) =>
  db.run(sql`
    update enrollments set pending_email = ''
    where school_id = ${schoolId} and member_id = ${memberId} and pending_email <> ''`)

/** The same of some members in some courses. */
export const erasePendingEmails = (db: Db, schoolId: string, pairs: readonly Pair[]) =>
  db.run(sql`
    update enrollments e set pending_email = ''
    from unnest(${pairs.map(one => one.memberId)}::uuid[], ${pairs.map(one => one.courseId)}::uuid[])
      as p (member_id, course_id)
    where e.school_id = ${schoolId} and e.member_id = p.member_id and e.course_id = p.course_id and e.pending_email <> ''`)

/** The same of one enrollment. */
export const deletePendingEmail = (db: Db, schoolId: string, id: string) =>
  db.run(sql`update enrollments set pending_email = '' where school_id = ${schoolId} and id = ${id}`)

/** An enrollment of which those who teach the course see only the typed address. */
export type PendingRow = {
  readonly id: string
  readonly member_id: string
  readonly course_id: string
  readonly pending_email: string
  readonly created_at: Date
}

type Filter = { readonly taughtBy?: string | undefined; readonly courseId?: string | undefined }

const columns = sql`e.id, e.member_id, e.course_id, e.pending_email, e.created_at`

const matching = (schoolId: string, { taughtBy, courseId }: Filter) =>
  joinConditions(
    sql`e.school_id = ${schoolId} and e.pending_email <> ''`,
    when(taughtBy, id => sql`e.course_id in (${coursesTaughtBy(schoolId, id)})`),
    when(courseId, id => sql`e.course_id = ${id}`),
  )

/** The pending enrollments of a filter by creation, after `after`, at most `rows`. */
export const listPendingRows = (
  db: Db,
  schoolId: string,
  filter: Filter,
  { rows, after }: { readonly rows: number; readonly after: readonly string[] | undefined },
): Promise<PendingRow[]> => {
  const { order, behind } = keyset(sql`e.id`, { isDescending: false }, after)
  return db.all(sql<PendingRow>`
    select ${columns} from enrollments e
    where ${joinConditions(matching(schoolId, filter), behind)} order by ${order} limit ${rows}`)
}

/** How many pending enrollments a filter has. */
export const countPendingRows = async (db: Db, schoolId: string, filter: Filter): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from enrollments e where ${matching(schoolId, filter)}`)
  ).count

/** A pending enrollment of a filter by its id. */
export const findPendingRow = (db: Db, schoolId: string, id: string, filter: Filter) =>
  db.first(sql<PendingRow>`
    select ${columns} from enrollments e where ${matching(schoolId, filter)} and e.id = ${id}`)
