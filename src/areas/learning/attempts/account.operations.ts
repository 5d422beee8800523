import { accessRequired, lessonLocked } from '#src/areas/courses/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor } from '#src/contract/operation.ts'
import { readList } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { attemptList } from './attempts/queries.ts'
import { attemptClosed, attemptExists, quizEmpty, tooManyAttempts } from './attempts/rules.ts'
import { Answers, AttemptRef, NewAttempt, OwnAttempt, OwnAttemptPage, OwnAttemptsQuery } from './attempts/schema.ts'
import { ownAttemptEntry } from './attempts/views.ts'
import { aboutAttempt } from './closing/rules.ts'
import { getOwnAttempt } from './own/access.ts'
import { ownResponse } from './own/views.ts'
import { saveAnswers, startOwnAttempt, submitAttempt } from './own/writes.ts'

const example = { attempt_id: exampleFrom('qat', 'listAccountQuizAttempts', { having: { status: 'started' } }) }

const listAccountQuizAttempts = declareFor('self', 'account', {
  id: 'listAccountQuizAttempts',
  route: 'GET /account/quiz-attempts',
  summary: 'List your quiz attempts',
  description:
    'Lists your quiz attempts, oldest first. `lesson_id` shows how many you have used, and `status=started` which one to continue.',
  query: OwnAttemptsQuery,
  returns: OwnAttemptPage,
  async handle(context) {
    const { school, caller, query } = context
    const filter = {
      memberId: caller.member.id,
      courseId: query.course_id,
      lessonId: query.lesson_id,
      status: query.status,
    }
    return readList(context, attemptList(school.id, filter), rows => rows.map(ownAttemptEntry))
  },
})

const startAccountQuizAttempt = declareFor('self', 'account', {
  id: 'startAccountQuizAttempt',
  route: 'POST /account/quiz-attempts',
  summary: 'Start a quiz attempt',
  description:
    'Starts an attempt at the quiz of a lesson. With a time limit it ends at `expires_at` and is graded with the answers saved so far. Only one attempt at a quiz can be in progress; a second start is refused with its `attempt_id`.',
  // Otherwise the questions could be read without using the time limit.
  dryRun: 'veiled',
  body: NewAttempt,
  returns: OwnAttempt,
  status: 201,
  fails: [accessRequired, lessonLocked, attemptExists, tooManyAttempts, quizEmpty],
  example: { body: { lesson_id: exampleFrom('les', 'listLessons', { having: { name: 'What you know of loaves' } }) } },
  async handle(context) {
    const { body, changed, record } = context
    const { attempt, content } = await startOwnAttempt(context, body)
    const { id, revision, member_id: memberId } = attempt
    changed({ ids: [toId('qat', id)], fields: ['status'], revision, memberId })
    record({ type: 'quiz_attempt.started', payload: aboutAttempt(attempt) })
    return ownResponse(context, attempt, content)
  },
})

const getAccountQuizAttempt = declareFor('self', 'account', {
  id: 'getAccountQuizAttempt',
  route: 'GET /account/quiz-attempts/:attempt_id',
  summary: 'Get your quiz attempt',
  description:
    'Returns one of your quiz attempts with its questions and your answers. Correct answers and points appear when the attempt is over, if the quiz shows them; feedback appears once it is graded.',
  params: AttemptRef,
  returns: OwnAttempt,
  example: { params: example },
  async handle(context) {
    return ownResponse(context, await getOwnAttempt(context, context.params.attempt_id))
  },
})

const setAccountQuizAnswers = declareFor('self', 'account', {
  id: 'setAccountQuizAnswers',
  route: 'PUT /account/quiz-attempts/:attempt_id/answers',
  summary: 'Save quiz answers',
  description:
    'Saves answers to some questions of an attempt in progress, as often as you like. Questions that are not named keep their answers; one that is named without an answer loses it.',
  ifMatch: 'honoured',
  params: AttemptRef,
  body: Answers,
  returns: OwnAttempt,
  fails: [accessRequired, lessonLocked, attemptClosed],
  example: {
    params: example,
    body: {
      answers: [
        {
          question_id: exampleFrom('qst', 'getAccountQuizAttempt', { at: 'questions.2.id' }),
          text: 'Of apples and a little of glue.',
        },
      ],
    },
  },
  async handle(context) {
    const { params, body, changed } = context
    const { attempt, content, hasChanged } = await saveAnswers(context, params.attempt_id, body.answers)
    const { revision, member_id: memberId } = attempt
    // No fact: nothing follows from an answer before it is submitted, and it may be saved every few seconds.
    if (hasChanged) changed({ ids: [toId('qat', params.attempt_id)], fields: ['answers'], revision, memberId })
    return ownResponse(context, attempt, content)
  },
})

const submitAccountQuizAttempt = declareFor('self', 'account', {
  id: 'submitAccountQuizAttempt',
  route: 'PUT /account/quiz-attempts/:attempt_id/submission',
  summary: 'Submit your quiz attempt',
  description:
    'Ends an attempt and grades it with the answers saved. Answers to open questions wait for a lecturer. An attempt that has already ended is returned as it is.',
  ifMatch: 'honoured',
  params: AttemptRef,
  returns: OwnAttempt,
  // Otherwise answers could be tried until they are correct.
  dryRun: 'veiled',
  fails: [accessRequired, lessonLocked],
  example: { params: example },
  async handle(context) {
    const { attempt, content } = await submitAttempt(context, context.params.attempt_id)
    return ownResponse(context, attempt, content)
  },
})

/** The operations on one's own quiz attempts, in the order of the documentation. */
export const accountAttemptOperations = [
  listAccountQuizAttempts,
  startAccountQuizAttempt,
  getAccountQuizAttempt,
  setAccountQuizAnswers,
  submitAccountQuizAttempt,
]
