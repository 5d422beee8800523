import type { AssignmentRow } from '#src/areas/learning/assignments/index.ts'
import type { QuizRow } from '#src/areas/learning/quizzes/index.ts'
import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** A lesson with graded work, as learners see it: an assignment, or a quiz with questions. */
export type WorkRow = {
  readonly id: string
  readonly course_id: string
  readonly name: string
} & (
  | ({ readonly kind: 'assignment' } & Pick<
      AssignmentRow,
      'due_local' | 'due_time_zone' | 'due_days' | 'late' | 'max_resubmissions'
    >)
  | ({ readonly kind: 'quiz' } & Pick<QuizRow, 'max_attempts'>)
)

/** The lessons of some courses with graded work. */
export const listWork = (db: Db, schoolId: string, courseIds: readonly string[]) =>
  db.all(sql<WorkRow>`
    select l.id, l.course_id, l.name, l.type as kind, a.due_local, a.due_time_zone, a.due_days, a.late, a.max_resubmissions,
      z.max_attempts
    from lessons l
      left join assignments a on a.school_id = ${schoolId} and a.lesson_id = l.id
      left join quizzes z on z.school_id = ${schoolId} and z.lesson_id = l.id
    where l.school_id = ${schoolId} and l.course_id = any (${courseIds}::uuid[]) and l.status = 'published'
      and l.archived_at is null and case l.type
        when 'assignment' then a.id is not null
        when 'quiz' then exists (select from quiz_questions q
          where q.school_id = ${schoolId} and q.quiz_id = z.id and q.archived_at is null)
        else false end`)
