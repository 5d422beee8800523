import type { LessonRow } from '#src/areas/courses/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import { newUuid } from '#src/kit/ids.ts'
import {
  archiveQuestions,
  insertVersions,
  listQuestions,
  putQuestions,
  type QuestionRow,
} from '../questions/queries.ts'
import { questionView } from '../questions/views.ts'
import { insertQuiz, listLessonQuizzes, type QuizRow, storeQuiz } from './queries.ts'
import { planQuestions, type QuestionPlan, type QuizValues, quizValues, type RequestedQuestion } from './rules.ts'

const storePlan = async (
  { db, school }: Pick<TransactionContext, 'db' | 'school'>,
  quizId: string,
  { questions, versions, touched, archived }: QuestionPlan,
): Promise<void> => {
  if (questions.length > 0) await putQuestions(db, school.id, quizId, questions, touched)
  if (versions.length > 0) await insertVersions(db, school.id, versions)
  if (archived.length > 0) await archiveQuestions(db, school.id, quizId, archived)
}

/** Stores a new quiz of a lesson with its questions. */
export const createQuiz = async (
  context: TransactionContext,
  lesson: Pick<LessonRow, 'id' | 'course_id'>,
  { values, plan }: { readonly values: QuizValues; readonly plan: QuestionPlan },
): Promise<QuizRow> => {
  const { db, school, now } = context
  const ids = { id: newUuid(now.getTime()), courseId: lesson.course_id, lessonId: lesson.id }
  const quiz = await insertQuiz(db, school.id, ids, values)
  await storePlan(context, quiz.id, plan)
  return quiz
}

/** A quiz to create with its questions. */
export type QuizPlan = Partial<QuizValues> & { readonly questions: readonly RequestedQuestion[] }

/** Creates a quiz for a lesson that has none. */
export const addQuiz = async (
  context: TransactionContext,
  lesson: Pick<LessonRow, 'id' | 'course_id'>,
  { questions, ...input }: QuizPlan,
): Promise<void> => {
  const plan = planQuestions([], questions, () => newUuid(context.now.getTime()))
  await createQuiz(context, lesson, { values: quizValues(input), plan })
}

/** Stores the next revision of a quiz, with its questions where they change. */
export const changeQuiz = async (
  context: Pick<TransactionContext, 'db' | 'school'>,
  { id, values, plan }: { readonly id: string; readonly values: QuizValues; readonly plan: QuestionPlan },
): Promise<QuizRow> => {
  const quiz = await storeQuiz(context.db, context.school.id, id, values)
  await storePlan(context, id, plan)
  return quiz
}

// Questions and choices of a copy get new ids.
const buildCopy = (row: QuestionRow): RequestedQuestion => {
  const { kind, prompt, points, grading, choices, accepted_answers, value, tolerance, explanation } = questionView(row)
  return {
    input: {
      kind,
      prompt,
      points,
      grading,
      choices: choices.map(({ text, is_correct }) => ({ text, is_correct })),
      accepted_answers,
      value,
      tolerance,
      explanation,
    },
  }
}

/** Copies the quizzes of lessons to the copies of these lessons. */
export const copyQuizzes = async (
  context: TransactionContext,
  courseId: string,
  pairs: readonly { readonly from: string; readonly into: string }[],
): Promise<void> => {
  const { db, school } = context
  const quizzes = await listLessonQuizzes(
    db,
    school.id,
    pairs.map(({ from }) => from),
  )
  for (const quiz of quizzes) {
    const into = pairs.find(({ from }) => from === quiz.lesson_id)?.into ?? ''
    const questions = (await listQuestions(db, school.id, quiz.id)).filter(one => one.archived_at === null)
    await addQuiz(context, { id: into, course_id: courseId }, { ...quiz, questions: questions.map(buildCopy) })
  }
}
