import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { Learning } from '../availability/queries.ts'
import type { Completion } from '../availability/rules.ts'

/** The member and the way by which a lesson was completed. */
export type CompletedBy = 'self' | 'staff' | 'quiz' | 'assignment' | 'import'

/** A stored completion. */
export type CompletionRow = Completion & { readonly completed_by: CompletedBy }

const columns = sql`lesson_id, completed_at, undone_at, completed_by`

/** Every completion of a member in a course, undone ones too. */
export const listCompletions = (db: Db, schoolId: string, { memberId, courseId }: Learning) =>
  db.all(sql<CompletionRow>`
    select ${columns} from lesson_completions
    where school_id = ${schoolId} and member_id = ${memberId} and course_id = ${courseId} order by completed_at, id`)

/** Every completion of a member, in the order in which they happened. */
export const listMemberCompletions = (db: Db, schoolId: string, memberId: string) =>
  db.all(sql<CompletionRow>`
    select ${columns} from lesson_completions
    where school_id = ${schoolId} and member_id = ${memberId} order by completed_at, id`)

/** The current completion of a lesson. */
export const findCompletion = (
  db: Db,
  schoolId: string,
  { memberId, lessonId }: { readonly memberId: string; readonly lessonId: string },
) =>
  db.first(sql<CompletionRow>`
    select ${columns} from lesson_completions
    where school_id = ${schoolId} and member_id = ${memberId} and lesson_id = ${lessonId} and undone_at is null`)

/** A lesson of a course and a member who learns in it. */
export type LearnedLesson = Learning & { readonly lessonId: string }

/** Completes a lesson and returns the completion; undefined when it is already completed. */
export const insertCompletion = (
  db: Db,
  schoolId: string,
  one: LearnedLesson & { readonly id: string; readonly by: CompletedBy },
) =>
  db.first(sql<CompletionRow>`
    insert into lesson_completions (school_id, id, member_id, course_id, lesson_id, completed_at, completed_by)
    values (${schoolId}, ${one.id}, ${one.memberId}, ${one.courseId}, ${one.lessonId}, (select stoa.now()), ${one.by})
    on conflict (school_id, member_id, lesson_id) where undone_at is null do nothing
    returning ${columns}`)

/** Undoes the completion of a lesson; returns 1 when there was one. */
export const endCompletion = (db: Db, schoolId: string, { memberId, lessonId }: LearnedLesson) =>
  db.run(sql`
    update lesson_completions set undone_at = (select stoa.now())
    where school_id = ${schoolId} and member_id = ${memberId} and lesson_id = ${lessonId} and undone_at is null`)
