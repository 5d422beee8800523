import {
  isAnswered,
  listLessonQuizzes,
  listVersionContents,
  type QuestionContent,
  type VersionRef,
} from '#src/areas/learning/quizzes/index.ts'
import type { Db } from '#src/contract/db.ts'
import type { PersonalData } from '#src/contract/personal-data.ts'
import { toId } from '#src/kit/ids.ts'
import { showsAnswers, showsGrade } from '../attempts/rules.ts'
import { listMemberAnswers, listMemberAttempts, type OwnAnswer, type OwnAttempt } from './queries.ts'

const buildKey = ({ question_id, version }: VersionRef): string => `${question_id} ${version}`

// With texts, since ids mean nothing outside the API.
const listChoices = (question: QuestionContent, { chosen }: OwnAnswer) =>
  question.choices.filter(({ id }) => chosen.includes(id)).map(({ id, text }) => ({ id: toId('cho', id), text }))

const answerRow = (question: QuestionContent, answer: OwnAnswer, showsPoints: boolean) => ({
  question_id: toId('qst', answer.question_id),
  prompt: question.prompt,
  chosen: listChoices(question, answer),
  text: answer.text_answer,
  number: answer.number_answer,
  ...(showsPoints ? { points: answer.points, feedback: answer.feedback } : {}),
})

const attemptRow = ({ id, lesson_id, started_at, submitted_at, ...rest }: OwnAttempt) => ({
  id: toId('qat', id),
  lesson_id: toId('les', lesson_id),
  ...rest,
  started_at: started_at.toISOString(),
  submitted_at: submitted_at?.toISOString() ?? null,
})

/** A member's quiz attempts with their answers; the points of an answer only where they may see them now. */
export const personalAttempts = async (db: Db, schoolId: string, memberId: string): Promise<PersonalData> => {
  const [attempts, answers] = await Promise.all([
    listMemberAttempts(db, schoolId, memberId),
    listMemberAnswers(db, schoolId, memberId),
  ])
  const [quizzes, versions] = await Promise.all([
    listLessonQuizzes(
      db,
      schoolId,
      attempts.map(one => one.lesson_id),
    ),
    listVersionContents(db, schoolId, answers),
  ])
  const showing = new Map(quizzes.map(one => [one.lesson_id, one.show_answers]))
  const questions = new Map(versions.map(one => [buildKey(one), one]))
  const answersByAttempt = Map.groupBy(answers, one => one.attempt_id)
  const buildAnswers = (attempt: OwnAttempt) => {
    const showsKeys = showsAnswers(showing.get(attempt.lesson_id) ?? 'never', attempt)
    return (answersByAttempt.get(attempt.id) ?? []).filter(isAnswered).flatMap(answer => {
      const question = questions.get(buildKey(answer))
      return question === undefined ? [] : [answerRow(question, answer, showsGrade(showsKeys, question, attempt))]
    })
  }
  return { name: 'quiz_attempts', rows: attempts.map(one => ({ ...attemptRow(one), answers: buildAnswers(one) })) }
}
