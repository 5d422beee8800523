import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

// Whether the current version of lesson `l`, `v`, has the content that its type needs.
const hasContent = (schoolId: string) => sql`case l.type
  when 'text' then v.body <> ''
  when 'embed' then v.embed_url is not null
  when 'live' then v.starts_at_local is not null and v.meeting_url is not null
  when 'assignment' then exists (
    select from assignments a where a.school_id = ${schoolId} and a.lesson_id = l.id and a.instructions <> '')
  when 'quiz' then exists (
    select from quizzes z join quiz_questions q on q.school_id = ${schoolId} and q.quiz_id = z.id and q.archived_at is null
    where z.school_id = ${schoolId} and z.lesson_id = l.id)
  else exists (
    select from lesson_files f where f.school_id = ${schoolId} and f.version_id = v.id and f.part = 'main')
    or l.type = 'download' and exists (
      select from lesson_attachments t where t.school_id = ${schoolId} and t.lesson_id = l.id)
  end`

/**
 * How many lessons of a course learners see, and the ids of those of them without content, in the order of the outline.
 */
export const findEmptyLessons = (
  db: Db,
  schoolId: string,
  courseId: string,
): Promise<{ lesson_count: number; empty_ids: readonly string[] }> =>
  db.one(sql<{ lesson_count: number; empty_ids: readonly string[] }>`
    select count(*)::integer as lesson_count, coalesce(
      array_agg(l.id order by s.position, l.position) filter (where not coalesce(${hasContent(schoolId)}, false)),
      '{}') as empty_ids
    from lessons l
    join sections s on s.school_id = ${schoolId} and s.id = l.section_id
    left join lesson_versions v on v.school_id = ${schoolId} and v.lesson_id = l.id and v.number = l.version
    where l.school_id = ${schoolId} and l.course_id = ${courseId} and l.status = 'published' and l.archived_at is null`)

/** Whether a lesson that is published has no content. */
export const isEmptyLesson = async (db: Db, schoolId: string, lessonId: string): Promise<boolean> => {
  const found = await db.first(sql<{ id: string }>`
    select l.id from lessons l
    left join lesson_versions v on v.school_id = ${schoolId} and v.lesson_id = l.id and v.number = l.version
    where l.school_id = ${schoolId} and l.id = ${lessonId} and l.status = 'published' and l.archived_at is null
      and not coalesce(${hasContent(schoolId)}, false)`)
  return found !== undefined
}
