import { findLesson } from '#src/areas/curriculum/index.ts'
import { findEnrollment, lockEnrollmentIn } from '#src/areas/enrollments/index.ts'
import { completeAccountLesson } from '#src/areas/progress/index.ts'
import { findAsked, findKeys, isPassed, percentageOf, pointsOf, sumOfPoints } from '#src/areas/quizzes/index.ts'
import type { Db } from '#src/contract/db.ts'
import type { Fact, FactHandler } from '#src/contract/fact.ts'
import type { JobHandler } from '#src/contract/job.ts'
import type { ResourceChange } from '#src/contract/operation.ts'
import type { School } from '#src/contract/school.ts'
import { recordByClock } from '#src/db/clockwork.ts'
import { dropJob, putJob } from '#src/db/jobs.ts'
import { getSchool } from '#src/db/schools.ts'
import { recordMail } from '#src/identity/index.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { type AttemptRow, findAttempt, listAnswers, lockAttempt } from '../attempts/queries.ts'
import { ATTEMPT_JOB, clockNow, type Ended, endAttempt, insertMarks, type Mark, type Result } from './queries.ts'

/** Where something is written, and who is told of it. */
export type Recording = {
  readonly db: Db
  readonly school: School
  readonly now: Date
  record(fact: Fact): void
  changed(change: ResourceChange): void
}

type Where = Pick<Recording, 'db' | 'school'>

/** What a fact tells of an attempt: ids alone. */
export const aboutAttempt = (attempt: AttemptRow) => ({
  attempt: toId('qat', attempt.id),
  quiz: toId('quz', attempt.quiz_id),
  lesson: toId('les', attempt.lesson_id),
  course: toId('crs', attempt.course_id),
  member: toId('mem', attempt.member_id),
})

/**
 * Holds the enrollment and then the attempt: all who write attempts do so in this order. Gives the attempt as it is
 * after that.
 */
export const holdAttempt = async ({ db, school }: Where, attempt: AttemptRow): Promise<AttemptRow> => {
  const pair = { memberId: attempt.member_id, courseId: attempt.course_id }
  const enrollment = await findEnrollment(db, school.id, pair)
  if (enrollment !== undefined) await lockEnrollmentIn(db, school.id, enrollment.id, {})
  await lockAttempt(db, school.id, attempt.id)
  return (await findAttempt(db, school.id, attempt.id)) ?? attempt
}

/** What came of an attempt with these points. */
export const resultOf = (attempt: AttemptRow, points: readonly number[]): Result => {
  const sum = sumOfPoints(points)
  const percentage = percentageOf(sum, attempt.points_possible)
  const { passing_percentage: passing } = attempt
  return { points: sum, percentage, passed: passing === null ? null : isPassed(percentage, passing) }
}

const marksOf = async ({ db, school }: Where, attempt: AttemptRow): Promise<Mark[]> => {
  const answers = await listAnswers(db, school.id, attempt.id)
  const [asked, keys] = await Promise.all([findAsked(db, school.id, answers), findKeys(db, school.id, answers)])
  return answers.map(answer => {
    const [question, key] = [asked.get(answer.question_id), keys.get(answer.question_id)]
    if (question === undefined || key === undefined) throw new Error('a version that was asked is never taken away')
    return { question_id: answer.question_id, points: pointsOf(question, key, answer) }
  })
}

/** That an attempt was graded: in the moment it ended, or by somebody who read it, of which the student is told. */
export const attemptGraded = (attempt: AttemptRow, { passed }: Result, grading: 'automatic' | 'manual'): Fact => ({
  type: 'quiz_attempt.graded',
  payload: { ...aboutAttempt(attempt), passed, grading },
  effects:
    grading === 'manual'
      ? { mail: { en: 'Tells the student by mail', pt: 'Avisa o aluno por correio eletrónico' } }
      : {},
})

/** Mails a student that somebody has read and graded their attempt; who handed in what grades itself knows already. */
export const onAttemptGraded: FactHandler = async ({ payload }, { db, school, now }) => {
  if (payload.grading !== 'manual') return
  const attempt = await findAttempt(db, school.id, fromId('qat', String(payload.attempt)) ?? '')
  const lesson = attempt && (await findLesson(db, school.id, attempt.lesson_id))
  if (attempt === undefined || lesson === undefined) return
  const mail = { kind: 'quiz_attempt_graded', values: { lesson: lesson.name } } as const
  await recordMail(db, school.id, attempt.member_id, mail, now)
}

/**
 * Completes the lesson of an attempt that is passed for the first time, or that was handed in where nothing has to be
 * reached.
 */
export const completeByAttempt = async (
  context: Recording,
  attempt: AttemptRow,
  { passed, isLate }: { readonly passed: boolean | null; readonly isLate: boolean },
): Promise<void> => {
  if (passed === true && attempt.passed !== true)
    context.record({ type: 'quiz_attempt.passed', payload: aboutAttempt(attempt) })
  if (passed === false || (passed === null && isLate)) return
  const pair = { memberId: attempt.member_id, courseId: attempt.course_id }
  const enrollment = await findEnrollment(context.db, context.school.id, pair)
  if (enrollment !== undefined)
    await completeAccountLesson(context, { enrollment, lesson: { id: attempt.lesson_id }, by: 'quiz' })
}

/**
 * Ends an attempt that is held and grades it with what it has; what a lecturer has to read waits. The clock of the
 * database decides in the very statement whether it was handed in or is over. Gives nothing when it had ended before.
 */
export const closeAttempt = async (
  context: Recording,
  attempt: AttemptRow,
  { onlyLate }: { readonly onlyLate: boolean },
): Promise<Ended | undefined> => {
  const { db, school, record, changed } = context
  const marks = await marksOf(context, attempt)
  const points = marks.flatMap(mark => (mark.points === undefined ? [] : [mark.points]))
  const result = points.length === marks.length ? resultOf(attempt, points) : undefined
  const ended = await endAttempt(db, school.id, attempt.id, { result, onlyLate })
  if (ended === undefined) return undefined
  await insertMarks(db, school.id, attempt.id, marks)
  await dropJob(db, school.id, ATTEMPT_JOB, attempt.id)
  const { revision, isLate } = ended
  changed({ ids: [toId('qat', attempt.id)], fields: ['status'], revision, memberId: attempt.member_id })
  record({ type: isLate ? 'quiz_attempt.timed_out' : 'quiz_attempt.submitted', payload: aboutAttempt(attempt) })
  if (result === undefined) return ended
  record(attemptGraded(attempt, result, 'automatic'))
  await completeByAttempt(context, attempt, { passed: result.passed, isLate })
  return ended
}

const endIfDue = async (db: Db, schoolId: string, found: AttemptRow): Promise<void> => {
  const school = await getSchool(db, schoolId)
  const attempt = await holdAttempt({ db, school }, found)
  if (attempt.is_settled) return
  const facts: Fact[] = []
  const now = await clockNow(db)
  const context = { db, school, now, record: (fact: Fact) => void facts.push(fact), changed: () => undefined }
  const ended = await closeAttempt(context, attempt, { onlyLate: true })
  if (ended === undefined) return putAgain(db, schoolId, attempt)
  const { at, revision } = ended
  await recordByClock(db, schoolId, {
    ...{ at, facts, operation: 'submitAccountQuizAttempt', fields: ['status'] },
    ...{ ids: [toId('qat', attempt.id)], revision, memberId: attempt.member_id },
  })
}

// A clock that was set back: the work comes again when its time does.
const putAgain = async (db: Db, schoolId: string, { id, expires_at: end }: AttemptRow): Promise<void> => {
  if (end !== null) await putJob(db, schoolId, { kind: ATTEMPT_JOB, id, dueAt: end.toISOString() })
}

/** Ends the attempt that a piece of work is for, in the transaction that settles the work. */
export const endDueAttempt: JobHandler = async ({ schoolId, id }) => ({
  againIn: undefined,
  settle: async db => {
    const attempt = await findAttempt(db, schoolId, id)
    if (attempt !== undefined && !attempt.is_settled) await endIfDue(db, schoolId, attempt)
  },
})
