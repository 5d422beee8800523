import type { Static } from 'typebox'
import type { LessonRow } from '#src/areas/curriculum/index.ts'
import { getOpenLesson, getOwnLesson, type Looking, lockOwnLesson } from '#src/areas/curriculum/index.ts'
import type { Db } from '#src/contract/db.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import {
  archiveQuestions,
  insertVersions,
  listAsked,
  listQuestions,
  putQuestions,
  type QuestionRow,
} from '../questions/queries.ts'
import type { QuizQuestion } from '../questions/schema.ts'
import { findQuizOfLesson, insertQuiz, listQuizzesOf, type QuizRow, storeQuiz } from './queries.ts'
import {
  notAQuiz,
  planQuestions,
  type QuestionPlan,
  type QuizValues,
  quizValues,
  type RequestedQuestion,
  type StoredQuestion,
} from './rules.ts'
import type { Quiz } from './schema.ts'

type Where = { readonly db: Db; readonly school: School }

const nothing = (): Refusal => new Refusal(notFound, 'There is no quiz in this lesson.')

const getQuizOf = async ({ db, school }: Where, lesson: LessonRow): Promise<QuizRow> => {
  const quiz = await findQuizOfLesson(db, school.id, lesson.id)
  if (quiz === undefined) throw nothing()
  return quiz
}

/** The quiz of the lesson a path names, for those who may read the lesson now, and whether they run its course. */
export const getReadQuiz = async (looking: Looking, ref: string) => {
  const { lesson, runs } = await getOpenLesson(looking, ref)
  return { quiz: await getQuizOf(looking, lesson), runs }
}

/** The quiz of the lesson a path names, for those who run its course alone. */
export const getOwnQuiz = async (looking: Looking, ref: string): Promise<QuizRow> =>
  getQuizOf(looking, (await getOwnLesson(looking, ref)).lesson)

/** The lesson a path names, its course held, for those who run it; it is one that has a quiz. */
export const lockQuizLesson = async (looking: Looking, ref: string): Promise<LessonRow> => {
  const { lesson } = await lockOwnLesson(looking, ref)
  if (lesson.type !== 'quiz') throw new Refusal(notAQuiz, `The lesson is of the kind ${lesson.type}.`)
  return lesson
}

/** The quiz of a lesson a path names, for those who run its course; held by its course where it is to be written. */
export const lockOwnQuiz = async (looking: Looking, ref: string): Promise<QuizRow> =>
  getQuizOf(looking, await lockQuizLesson(looking, ref))

/** A question with what is right, as those who run the course see it. */
export const questionView = (row: QuestionRow): Static<typeof QuizQuestion> => ({
  id: toId('qst', row.id),
  kind: row.kind,
  prompt: row.prompt,
  points: row.points,
  grading: row.grading,
  choices: row.choices.map(({ id, text }) => ({ id: toId('cho', id), text, is_correct: row.correct.includes(id) })),
  accepted_answers: [...row.accepted_answers],
  value: row.value,
  tolerance: row.tolerance,
  explanation: row.explanation,
  position: row.position,
  version: row.version,
  revision: row.revision,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

const pointsOf = (questions: readonly { readonly points: number }[]): number =>
  questions.reduce((sum, { points }) => sum + points, 0)

const viewWith = (
  row: QuizRow,
  questions: readonly { readonly points: number }[],
): Omit<Static<typeof Quiz>, 'questions'> => ({
  id: toId('quz', row.id),
  course_id: toId('crs', row.course_id),
  lesson_id: toId('les', row.lesson_id),
  passing_percentage: row.passing_percentage,
  max_attempts: row.max_attempts,
  shuffle_questions: row.shuffle_questions,
  shuffle_choices: row.shuffle_choices,
  time_limit_seconds: row.time_limit_seconds,
  show_answers: row.show_answers,
  question_count: questions.length,
  points_possible: pointsOf(questions),
  revision: row.revision,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

/** A quiz as learners see it: no question before an attempt, and no answer ever. */
export const learnersView = async ({ db, school }: Where, row: QuizRow): Promise<Static<typeof Quiz>> =>
  viewWith(row, await listAsked(db, school.id, row.id))

/** A quiz with its questions and what is right. */
export const keyedView = async ({ db, school }: Where, row: QuizRow): Promise<Static<typeof Quiz>> => {
  const questions = (await listQuestions(db, school.id, row.id)).filter(one => one.archived_at === null)
  return { ...viewWith(row, questions), questions: questions.map(questionView) }
}

/** The questions of a quiz as a plan compares them, archived ones too. */
export const storedQuestions = async ({ db, school }: Where, quizId: string): Promise<StoredQuestion[]> =>
  (await listQuestions(db, school.id, quizId)).map(({ archived_at: at, ...question }) => ({
    ...question,
    isArchived: at !== null,
  }))

/** Stores what a plan changes of the questions of a quiz; its course is held. */
export const storePlan = async (
  { db, school }: { readonly db: Db; readonly school: Pick<School, 'id'> },
  quizId: string,
  { questions, versions, touched, archived }: QuestionPlan,
): Promise<void> => {
  await putQuestions(db, school.id, quizId, questions, touched)
  await insertVersions(db, school.id, versions)
  await archiveQuestions(db, school.id, quizId, archived)
}

type Writing = { readonly db: Db; readonly school: Pick<School, 'id'>; readonly now: Date }

/** Gives a lesson that has none a quiz. */
export const addQuiz = async (
  where: Writing,
  lesson: Pick<LessonRow, 'id' | 'course_id'>,
  { wanted, ...said }: Partial<QuizValues> & { readonly wanted: readonly RequestedQuestion[] },
): Promise<void> => {
  const { db, school, now } = where
  const newId = () => newUuid(now.getTime())
  const id = newId()
  await insertQuiz(db, school.id, { id, courseId: lesson.course_id, lessonId: lesson.id }, quizValues(said))
  await storePlan(where, id, planQuestions([], wanted, newId))
}

/** Stores what is said of a quiz that is there, as its next revision. */
export const changeQuiz = async (
  where: Writing,
  { id, values, plan }: { readonly id: string; readonly values: QuizValues; readonly plan: QuestionPlan },
): Promise<void> => {
  await storeQuiz(where.db, where.school.id, id, values)
  await storePlan(where, id, plan)
}

/** Gives lessons of one course copies of the quizzes of those they are copies of. */
export const copyQuizzes = async (
  where: Writing,
  courseId: string,
  pairs: readonly { readonly from: string; readonly into: string }[],
): Promise<void> => {
  const { db, school } = where
  const quizzes = await listQuizzesOf(
    db,
    school.id,
    pairs.map(({ from }) => from),
  )
  for (const quiz of quizzes) {
    const into = pairs.find(({ from }) => from === quiz.lesson_id)?.into ?? ''
    const questions = (await listQuestions(db, school.id, quiz.id)).filter(one => one.archived_at === null)
    await addQuiz(where, { id: into, course_id: courseId }, { ...quiz, wanted: questions.map(copyOf) })
  }
}

// Questions and choices of a copy have ids of their own.
const copyOf = (row: QuestionRow): RequestedQuestion => {
  const { id: _id, position: _place, version: _version, revision: _revision, ...view } = questionView(row)
  const { created_at: _made, updated_at: _changed, choices, accepted_answers: accepted, ...said } = view
  return {
    said: {
      ...said,
      accepted_answers: accepted,
      choices: choices.map(({ text, is_correct }) => ({ text, is_correct })),
    },
  }
}
