import {
  type AskedQuestion,
  isAnswered,
  listQuizzesOf,
  listVersionsAsked,
  type VersionRef,
} from '#src/areas/quizzes/index.ts'
import type { Db } from '#src/contract/db.ts'
import type { PersonalData } from '#src/contract/personal-data.ts'
import { toId } from '#src/kit/ids.ts'
import { showsAnswers, showsMark } from '../attempts/rules.ts'
import { listAnswersOf, listAttemptsOf, type OwnAnswer, type OwnAttempt } from './queries.ts'

const instant = (at: Date | null): string | null => at?.toISOString() ?? null

const nameOf = ({ question_id, version }: VersionRef): string => `${question_id} ${version}`

// What was chosen, in words too: a copy is read where no id leads anywhere.
const chosenOf = (asked: AskedQuestion, { chosen }: OwnAnswer) =>
  asked.choices.filter(({ id }) => chosen.includes(id)).map(({ id, text }) => ({ id: toId('cho', id), text }))

const answerRow = (asked: AskedQuestion, answer: OwnAnswer, isTold: boolean) => ({
  question_id: toId('qst', answer.question_id),
  prompt: asked.prompt,
  chosen: chosenOf(asked, answer),
  text: answer.text_answer,
  number: answer.number_answer,
  ...(isTold ? { points: answer.points, feedback: answer.feedback } : {}),
})

const attemptRow = ({ id, lesson_id, started_at, submitted_at, ...rest }: OwnAttempt) => ({
  ...{ id: toId('qat', id), lesson_id: toId('les', lesson_id), ...rest },
  ...{ started_at: instant(started_at), submitted_at: instant(submitted_at) },
})

/** A member's attempts at quizzes with what they answered; what an answer was worth, as far as they may see it now. */
export const personalAttempts = async (db: Db, schoolId: string, memberId: string): Promise<PersonalData> => {
  const [attempts, answers] = await Promise.all([
    listAttemptsOf(db, schoolId, memberId),
    listAnswersOf(db, schoolId, memberId),
  ])
  const [quizzes, versions] = await Promise.all([
    listQuizzesOf(
      db,
      schoolId,
      attempts.map(one => one.lesson_id),
    ),
    listVersionsAsked(db, schoolId, answers),
  ])
  const showing = new Map(quizzes.map(one => [one.lesson_id, one.show_answers]))
  const asked = new Map(versions.map(one => [nameOf(one), one]))
  const given = Map.groupBy(answers, one => one.attempt_id)
  const answersOf = (attempt: OwnAttempt) => {
    const isShown = showsAnswers(showing.get(attempt.lesson_id) ?? 'never', attempt)
    return (given.get(attempt.id) ?? []).filter(isAnswered).flatMap(answer => {
      const question = asked.get(nameOf(answer))
      return question === undefined ? [] : [answerRow(question, answer, showsMark(isShown, question, attempt))]
    })
  }
  return { name: 'quiz_attempts', rows: attempts.map(one => ({ ...attemptRow(one), answers: answersOf(one) })) }
}
