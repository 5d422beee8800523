import { exampleFrom } from '#src/contract/example.ts'
import { declareFor, type WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { getAttempt } from '../attempts/access.ts'
import { type GradedContent, readGradedContent } from '../attempts/lookups.ts'
import { attemptExample } from '../attempts/operations.ts'
import type { AttemptRow } from '../attempts/queries.ts'
import { attemptInProgress, errorsOfGrades, type ManualGrade, manualGrades } from '../attempts/rules.ts'
import { Attempt, AttemptRef, Grades } from '../attempts/schema.ts'
import { attemptView } from '../attempts/views.ts'
import { attemptGraded, computeResult } from '../closing/rules.ts'
import { closeAttempt, completeByAttempt, type LockedAttempt, lockWithEnrollment } from '../closing/writes.ts'
import { storeGrade } from './queries.ts'
import { hasGrades, manualPoints, withManualGrades } from './rules.ts'

const requireEnded = async (context: WriteContext, locked: LockedAttempt): Promise<AttemptRow> => {
  const { attempt } = locked
  if (attempt.status === 'started') throw new Refusal(attemptInProgress, 'The attempt is still in progress.')
  if (attempt.is_settled) return attempt
  return (await closeAttempt(context, locked, { onlyLate: true }))?.attempt ?? attempt
}

const storeGrades = async (
  { db, school, caller }: WriteContext,
  { attempt, content, grades }: Grading,
): Promise<{ readonly attempt: AttemptRow; readonly content: GradedContent }> => {
  const gradedContent = withManualGrades(content, grades)
  const result = computeResult(
    attempt,
    gradedContent.questions.map(({ answer }) => answer.points ?? 0),
  )
  const row = await storeGrade(db, school.id, attempt.id, { graderId: caller.member.id, grades, result })
  return { attempt: row, content: gradedContent }
}

type Grading = {
  readonly attempt: AttemptRow
  readonly content: GradedContent
  readonly grades: readonly ManualGrade[]
}

const gradeQuizAttempt = declareFor('lecturer_of', 'students', {
  id: 'gradeQuizAttempt',
  route: 'PUT /quiz-attempts/:attempt_id/grade',
  summary: 'Grade a quiz attempt',
  description:
    'Sets the points of all manually graded answers of an attempt; automatically graded answers keep theirs. It can be sent again to correct a grade. The student is told by e-mail, and a passing grade completes the lesson for good.',
  ifMatch: 'required',
  params: AttemptRef,
  body: Grades,
  returns: Attempt,
  fails: [attemptInProgress],
  example: {
    params: attemptExample,
    body: {
      questions: [
        {
          question_id: exampleFrom('qst', 'getQuizAttempt', { at: 'questions.2.id' }),
          points: 1.5,
          feedback: 'Sour, and what else?',
        },
      ],
    },
  },
  async handle(context) {
    const { params, body, requireMatch, changed, record } = context
    const locked = await lockWithEnrollment(context, await getAttempt(context, params.attempt_id))
    const { attempt: before, enrollment } = locked
    await requireMatch(before.revision, async () => attemptView(before, await readGradedContent(context, before)))
    const attempt = await requireEnded(context, locked)
    const content = await readGradedContent(context, attempt)
    const grades = manualGrades(body.questions)
    refuseInvalid(errorsOfGrades(manualPoints(content), grades), 'Some grades are not allowed.')
    if (attempt.status === 'graded' && hasGrades(content, grades)) return attemptView(attempt, content)
    const graded = await storeGrades(context, { attempt, content, grades })
    const fields = ['status', 'points', 'feedback']
    const { revision, passed, member_id: memberId } = graded.attempt
    changed({ ids: [toId('qat', params.attempt_id)], fields, revision, memberId })
    record(attemptGraded(graded.attempt, 'manual'))
    await completeByAttempt(context, { attempt, enrollment, passed, isLate: attempt.timed_out_at !== null })
    return attemptView(graded.attempt, graded.content)
  },
})

/** Grading attempts, in the order of the documentation. */
export const gradingOperations = [gradeQuizAttempt]
