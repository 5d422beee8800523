import type { Db, Recorded } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { QuizValues } from './rules.ts'

/** The stored quiz of a lesson, without its questions. */
export type QuizRow = Recorded<QuizValues> & {
  readonly id: string
  readonly course_id: string
  readonly lesson_id: string
}

const columns = sql`z.id, z.course_id, z.lesson_id, z.passing_percentage::double precision as passing_percentage,
  z.max_attempts, z.shuffle_questions, z.shuffle_choices, z.time_limit_seconds, z.show_answers, z.revision, z.created_at,
  z.updated_at`

/** The quiz of a lesson. */
export const findQuizOfLesson = (db: Db, schoolId: string, lessonId: string) =>
  db.first(sql<QuizRow>`
    select ${columns} from quizzes z where z.school_id = ${schoolId} and z.lesson_id = ${lessonId}::uuid`)

/** A quiz by its id. */
export const findQuiz = (db: Db, schoolId: string, id: string) =>
  db.first(sql<QuizRow>`
    select ${columns} from quizzes z where z.school_id = ${schoolId} and z.id = ${id}::uuid`)

/** The quizzes of some lessons. */
export const listLessonQuizzes = (db: Db, schoolId: string, lessonIds: readonly string[]) =>
  db.all(sql<QuizRow>`
    select ${columns} from quizzes z
    where z.school_id = ${schoolId} and z.lesson_id = any (${lessonIds}::uuid[]) order by z.id`)

/** Stores a new quiz without questions. */
export const insertQuiz = (
  db: Db,
  schoolId: string,
  of: { readonly id: string; readonly courseId: string; readonly lessonId: string },
  quiz: QuizValues,
) =>
  db.one(sql<QuizRow>`
    with clock as materialized (select stoa.now() as now)
    insert into quizzes as z (school_id, id, course_id, lesson_id, passing_percentage, max_attempts, shuffle_questions,
      shuffle_choices, time_limit_seconds, show_answers, created_at, updated_at)
    select ${schoolId}, ${of.id}, ${of.courseId}, ${of.lessonId}, ${quiz.passing_percentage}::numeric,
      ${quiz.max_attempts}::integer, ${quiz.shuffle_questions}, ${quiz.shuffle_choices},
      ${quiz.time_limit_seconds}::integer, ${quiz.show_answers}, now, now
    from clock
    returning ${columns}`)

/** Stores a changed quiz, or one whose questions changed, as its next revision. */
export const storeQuiz = (db: Db, schoolId: string, id: string, quiz: QuizValues) =>
  db.one(sql<QuizRow>`
    update quizzes z set passing_percentage = ${quiz.passing_percentage}::numeric, max_attempts = ${quiz.max_attempts},
      shuffle_questions = ${quiz.shuffle_questions}, shuffle_choices = ${quiz.shuffle_choices},
      time_limit_seconds = ${quiz.time_limit_seconds}, show_answers = ${quiz.show_answers}, revision = revision + 1,
      updated_at = (select stoa.now())
    where z.school_id = ${schoolId} and z.id = ${id}
    returning ${columns}`)

/** Those of some lessons that are completed only by passing their quiz: it has questions and a passing percentage. */
export const lessonNeedsPass = async (
  db: Db,
  schoolId: string,
  lessonIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  const rows = await db.all(sql<{ id: string }>`
    select z.lesson_id as id from quizzes z
    where z.school_id = ${schoolId} and z.lesson_id = any (${lessonIds}::uuid[]) and z.passing_percentage is not null
      and exists (select from quiz_questions q
        where q.school_id = ${schoolId} and q.quiz_id = z.id and q.archived_at is null)`)
  return new Set(rows.map(({ id }) => id))
}
