import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { coursesTaughtBy } from './conditions.ts'

/** Adds a lecturer to a course; returns 0 when they already teach it. */
export const insertTeaching = (db: Db, schoolId: string, courseId: string, lecturerId: string) =>
  db.run(sql`
    insert into course_lecturers (school_id, course_id, lecturer_id, added_at)
    values (${schoolId}, ${courseId}, ${lecturerId}, (select stoa.now()))
    on conflict (school_id, course_id, lecturer_id) do nothing`)

/** Removes a lecturer from a course; returns 0 when they do not teach it. */
export const deleteTeaching = (db: Db, schoolId: string, courseId: string, lecturerId: string) =>
  db.run(sql`
    delete from course_lecturers
    where school_id = ${schoolId} and course_id = ${courseId} and lecturer_id = ${lecturerId}`)

/** Whether a course has a lecturer. */
export const isTaught = async (db: Db, schoolId: string, courseId: string): Promise<boolean> =>
  (await db.first(sql`
    select lecturer_id from course_lecturers where school_id = ${schoolId} and course_id = ${courseId} limit 1`)) !==
  undefined

/** Copies the lecturers of one course to another. */
export const copyTeaching = (db: Db, schoolId: string, fromId: string, intoId: string) =>
  db.run(sql`
    insert into course_lecturers (school_id, course_id, lecturer_id, added_at)
    select school_id, ${intoId}::uuid, lecturer_id, (select stoa.now()) from course_lecturers
    where school_id = ${schoolId} and course_id = ${fromId}`)

/** Whether a member teaches a course, whatever its status. */
export const teaches = async (db: Db, schoolId: string, memberId: string): Promise<boolean> =>
  (await db.first(sql`
    select from courses c
    where c.school_id = ${schoolId} and c.deleted_at is null and c.id in (${coursesTaughtBy(schoolId, memberId)})
    limit 1`)) !== undefined

/** The members who teach a course; a profile without a member counts for nobody. */
export const listTeachers = async (db: Db, schoolId: string, courseId: string): Promise<string[]> => {
  const rows = await db.all(sql<{ member_id: string }>`
    select distinct l.member_id from course_lecturers cl join lecturers l on l.school_id = cl.school_id and l.id = cl.lecturer_id
    where cl.school_id = ${schoolId} and cl.course_id = ${courseId} and l.member_id is not null order by l.member_id`)
  return rows.map(({ member_id }) => member_id)
}

/** Those of the given courses that a member teaches. */
export const listTaught = async (
  db: Db,
  schoolId: string,
  memberId: string,
  ids: readonly string[],
): Promise<string[]> => {
  const rows = await db.all(sql<{ course_id: string }>`
    select t.course_id from (${coursesTaughtBy(schoolId, memberId)}) t where t.course_id = any (${ids}::uuid[])`)
  return rows.map(({ course_id }) => course_id)
}

/** The number of published and listed courses that each of some lecturers teaches. */
export const countTaught = async (
  db: Db,
  schoolId: string,
  lecturerIds: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const rows = await db.all(sql<{ id: string; count: number }>`
    select cl.lecturer_id as id, count(*)::integer as count
    from course_lecturers cl join courses c on c.school_id = cl.school_id and c.id = cl.course_id
    where cl.school_id = ${schoolId} and cl.lecturer_id = any (${lecturerIds}::uuid[])
      and c.status = 'published' and c.visibility = 'listed' and c.deleted_at is null
    group by cl.lecturer_id`)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** The published courses that only this lecturer teaches. All their courses are locked first, so that none changes. */
export const listSolelyTaught = async (
  db: Db,
  schoolId: string,
  lecturerId: string,
): Promise<{ id: string; name: string }[]> => {
  await db.all(sql`
    select c.id from courses c
    where c.school_id = ${schoolId} and c.id in (
      select course_id from course_lecturers where school_id = ${schoolId} and lecturer_id = ${lecturerId})
    order by c.id for no key update of c`)
  return db.all(sql<{ id: string; name: string }>`
    select c.id, c.name from courses c
    join course_lecturers cl on cl.school_id = c.school_id and cl.course_id = c.id
    where c.school_id = ${schoolId} and cl.lecturer_id = ${lecturerId} and c.status = 'published' and c.deleted_at is null
      and not exists (select from course_lecturers o
        where o.school_id = ${schoolId} and o.course_id = c.id and o.lecturer_id <> cl.lecturer_id)
    order by c.id`)
}

/** Whether a lecturer teaches a course that uses a template. */
export const teachesWith = async (db: Db, schoolId: string, lecturerId: string, templateId: string): Promise<boolean> =>
  (await db.first(sql`
    select c.id from courses c join course_lecturers cl on cl.school_id = c.school_id and cl.course_id = c.id
    where c.school_id = ${schoolId} and c.certificate_template_id = ${templateId} and c.deleted_at is null
      and cl.lecturer_id = ${lecturerId}
    limit 1`)) !== undefined
