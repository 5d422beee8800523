import { exampleFrom } from '#src/contract/example.ts'
import { operation, type WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { getAttempt } from '../attempts/access.ts'
import { type GradedContent, readGradedContent } from '../attempts/lookups.ts'
import { attemptExample } from '../attempts/operations.ts'
import type { AttemptRow } from '../attempts/queries.ts'
import { attemptInProgress, errorsOfMarks, type GivenMark, givenMarks } from '../attempts/rules.ts'
import { Attempt, AttemptRef, Grades } from '../attempts/schema.ts'
import { attemptView } from '../attempts/views.ts'
import { attemptGraded, resultOf } from '../closing/rules.ts'
import { closeAttempt, completeByAttempt, type HeldAttempt, holdAttempt } from '../closing/writes.ts'
import { storeGrade } from './queries.ts'
import { hasMarks, manualPoints, withMarks } from './rules.ts'

const requireEnded = async (context: WriteContext, held: HeldAttempt): Promise<AttemptRow> => {
  const { attempt } = held
  if (attempt.status === 'started') throw new Refusal(attemptInProgress, 'The attempt is still in progress.')
  if (attempt.is_settled) return attempt
  return (await closeAttempt(context, held, { onlyLate: true }))?.attempt ?? attempt
}

const storeMarks = async (
  { db, school, caller }: WriteContext,
  { attempt, content, given }: Grading,
): Promise<{ readonly attempt: AttemptRow; readonly content: GradedContent }> => {
  const marked = withMarks(content, given)
  const result = resultOf(
    attempt,
    marked.questions.map(({ answer }) => answer.points ?? 0),
  )
  const row = await storeGrade(db, school.id, attempt.id, { graderId: caller.member.id, marks: given, result })
  return { attempt: row, content: marked }
}

type Grading = {
  readonly attempt: AttemptRow
  readonly content: GradedContent
  readonly given: readonly GivenMark[]
}

const gradeQuizAttempt = operation({
  id: 'gradeQuizAttempt',
  route: 'PUT /quiz-attempts/:attempt_id/grade',
  summary: 'Grade a quiz attempt',
  description:
    'Sets the points of all manually graded answers of an attempt; automatically graded answers keep theirs. It can be sent again to correct a grade. The student is told by e-mail, and a passing grade completes the lesson for good.',
  scope: 'students:write',
  who: 'lecturer_of',
  mode: 'write',
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
    const held = await holdAttempt(context, await getAttempt(context, params.attempt_id))
    const { attempt: before, enrollment } = held
    await requireMatch(before.revision, async () => attemptView(before, await readGradedContent(context, before)))
    const attempt = await requireEnded(context, held)
    const content = await readGradedContent(context, attempt)
    const given = givenMarks(body.questions)
    refuseInvalid(errorsOfMarks(manualPoints(content), given), 'Some grades are not allowed.')
    if (attempt.status === 'graded' && hasMarks(content, given)) return attemptView(attempt, content)
    const graded = await storeMarks(context, { attempt, content, given })
    const fields = ['status', 'points', 'feedback']
    const { revision, passed, member_id: memberId } = graded.attempt
    changed({ ids: [params.attempt_id], fields, revision, memberId })
    record(attemptGraded(graded.attempt, 'manual'))
    await completeByAttempt(context, { attempt, enrollment, passed, isLate: attempt.timed_out_at !== null })
    return attemptView(graded.attempt, graded.content)
  },
})

/** Grading attempts, in the order of the documentation. */
export const gradingOperations = [gradeQuizAttempt]
