import type { Db, Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** The kind of job that announces unlocked lessons to a member; its id is that of the enrollment. */
export const NOTICE_JOB = 'lesson_notices'

/** The members or courses for which the times at which lessons unlock may have changed. */
type Affected =
  | { readonly courseId: string }
  | { readonly memberId: string }
  | { readonly enrollmentId: string }
  | 'everybody'

const affects = (of: Affected): Statement => {
  if (of === 'everybody') return sql`true`
  if ('courseId' in of) return sql`e.course_id = ${of.courseId}`
  if ('memberId' in of) return sql`e.member_id = ${of.memberId}`
  return sql`e.id = ${of.enrollmentId}`
}

/** Plans the job for everybody concerned who wants notices. */
export const putNotices = async (db: Db, schoolId: string, of: Affected): Promise<void> => {
  const wanting = sql`
    from enrollments e join members m on m.school_id = e.school_id and m.id = e.member_id
    where e.school_id = ${schoolId} and m.notify_lesson_opened and m.status = 'active' and ${affects(of)}
    order by e.id`
  await db.run(sql`
    insert into lesson_notices (school_id, enrollment_id, told_until)
    select e.school_id, e.id, (select stoa.now()) ${wanting}
    on conflict do nothing`)
  await db.run(sql`
    insert into jobs as j (school_id, kind, id, due_at)
    select e.school_id, ${NOTICE_JOB}, e.id, (select stoa.now()) ${wanting}
    on conflict (school_id, kind, id) do update set due_at = excluded.due_at, attempt = j.attempt + 1`)
}

/** Deletes the notices of a member, so that nothing unlocked before now is announced. */
export const deleteNotices = (db: Db, schoolId: string, memberId: string) =>
  db.run(sql`
    delete from lesson_notices n using enrollments e
    where n.school_id = ${schoolId} and e.school_id = n.school_id and e.id = n.enrollment_id and e.member_id = ${memberId}`)

/** A member to notify, and until when they were notified. */
export type Notice = { readonly member_id: string; readonly course_id: string; readonly told_until: Date }

/** The notice of an enrollment, locked, unless its member no longer wants it. */
export const lockNotice = (db: Db, schoolId: string, enrollmentId: string) =>
  db.first(sql<Notice>`
    select e.member_id, e.course_id, n.told_until
    from lesson_notices n join enrollments e on e.school_id = n.school_id and e.id = n.enrollment_id
      join members m on m.school_id = e.school_id and m.id = e.member_id
    where n.school_id = ${schoolId} and n.enrollment_id = ${enrollmentId} and m.notify_lesson_opened
      and m.status = 'active' for update of n`)

/** Stores until when a member was notified. */
export const storeNotified = (db: Db, schoolId: string, enrollmentId: string, until: Date) =>
  db.run(sql`
    update lesson_notices set told_until = ${until}
    where school_id = ${schoolId} and enrollment_id = ${enrollmentId}`)
