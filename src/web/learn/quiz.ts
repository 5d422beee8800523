import type { Static } from 'typebox'
import { OwnAttempt, OwnAttemptPage, Quiz } from '#src/areas/learning/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { fill, type Language } from '#src/contract/language.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { idPattern } from '#src/kit/ids.ts'
import { type Notice, orNothing } from '#src/web/page/index.ts'
import { describeReading } from '#src/web/questions/index.ts'
import { answersIn, countUnanswered, nameField } from './answers.rules.ts'
import type { Act, Place, ShownAgain } from './lesson-acts.ts'
import type { LearnContext } from './parts.ts'
import { quizText as text } from './quiz-text.ts'

/** The settings of a quiz. */
export type QuizView = Encoded<Static<typeof Quiz>>
/** An attempt of the person with its questions. */
export type AttemptView = Encoded<Static<typeof OwnAttempt>>
/** An attempt of the person in a list. */
export type AttemptEntry = Encoded<Static<typeof OwnAttemptPage>>['data'][number]

/** A quiz with the attempts of the person; `shown` is the one to show with its questions. */
export type OwnQuiz = {
  readonly quiz: QuizView | undefined
  readonly attempts: readonly AttemptEntry[]
  readonly shown: AttemptView | undefined
}

const ATTEMPT_ID = new RegExp(idPattern('qat'))

const readAttempt = ({ call }: LearnContext, id: string): Promise<AttemptView> =>
  call({ operation: 'getAccountQuizAttempt', params: { attempt_id: id }, returns: OwnAttempt })

/** The quiz of a lesson: the attempt in progress is shown, else the one that the address names, else the newest. */
export const readOwnQuiz = async (context: LearnContext, lessonId: string): Promise<OwnQuiz> => {
  const { call, query } = context
  const listed = [
    ['lesson_id', lessonId],
    ['sort', '-created_at'],
    ['limit', '100'],
  ] as const
  const [quiz, { data: attempts }] = await Promise.all([
    // The lesson may be there before its quiz.
    orNothing(call({ operation: 'getQuiz', params: { lesson_id: lessonId }, returns: Quiz })),
    call({ operation: 'listAccountQuizAttempts', query: listed, returns: OwnAttemptPage }),
  ])
  const named = query.get('attempt')
  const chosen =
    attempts.find(({ status }) => status === 'started') ?? attempts.find(({ id }) => id === named) ?? attempts[0]
  return { quiz, attempts, shown: chosen && (await readAttempt(context, chosen.id)) }
}

const readAttemptView = async (context: LearnContext, { listed }: Place, form: Pairs): Promise<AttemptView> => {
  const id = formField(form, 'attempt')
  const attempt = ATTEMPT_ID.test(id) ? await readAttempt(context, id) : undefined
  if (attempt?.lesson_id !== listed.id) throw new Refusal(notFound, 'There is no such attempt.')
  return attempt
}

/** Starts an attempt. */
export const startQuiz: Act = async (context, { course, listed }) => {
  await context.call({ operation: 'startAccountQuizAttempt', body: { lesson_id: listed.id } })
  return `${course.path}/${listed.id}`
}

type Answers = ReturnType<typeof answersIn>['answers']

type Saved =
  | { readonly notice: Notice; readonly again: ShownAgain }
  | { readonly questions: readonly string[] }
  | 'ended'

const isClosed = (error: unknown): boolean => error instanceof Refusal && error.problem.code === 'attempt_closed'

// What a person may not have meant is asked before an attempt ends.
const questionsAbout = (form: Pairs, answers: Answers, language: Language): string[] => {
  const unanswered = countUnanswered(answers)
  return [
    ...answers.flatMap(({ question_id: id, number }) =>
      number === undefined ? [] : (describeReading(formField(form, nameField(id)), language) ?? []),
    ),
    ...(unanswered === 0 ? [] : [fill(text.unanswered, language, { n: unanswered })]),
  ]
}

const save = async (context: LearnContext, attempt: AttemptView, form: Pairs): Promise<Saved> => {
  const { answers, errors } = answersIn(form, attempt.questions, context.language)
  try {
    if (answers.length > 0)
      await context.call({
        operation: 'setAccountQuizAnswers',
        params: { attempt_id: attempt.id },
        body: { answers },
      })
  } catch (error) {
    if (isClosed(error)) return 'ended'
    throw error
  }
  if (errors.size === 0) return { questions: questionsAbout(form, answers, context.language) }
  const notice = { kind: 'refused', text: context.t(text.mistakes) } as const
  return { notice, again: { form, errors, isSure: false } }
}

// Where a person whose attempt has ended meanwhile reads why: only a limit of time ends it without them.
const afterEnd = (path: string, { id, expires_at: limit, submitted_at: submittedAt }: AttemptView): string =>
  `${path}?attempt=${id}&done=${limit === null || submittedAt !== null ? 'closed' : 'ended'}`

/** Saves the answers of a form; those that cannot be stored are shown again. */
export const saveAnswers: Act = async (context, place, form) => {
  const attempt = await readAttemptView(context, place, form)
  const saved = await save(context, attempt, form)
  const path = `${place.course.path}/${place.listed.id}`
  if (saved === 'ended') return afterEnd(path, attempt)
  return 'again' in saved ? saved : `${path}?done=saved`
}

/** Saves the answers of a form and ends the attempt; asks once more where answers are missing. */
export const submitAnswers: Act = async (context, place, form) => {
  const attempt = await readAttemptView(context, place, form)
  const saved = await save(context, attempt, form)
  const lesson = `${place.course.path}/${place.listed.id}`
  const path = `${lesson}?attempt=${attempt.id}`
  if (saved === 'ended') return afterEnd(lesson, attempt)
  if ('again' in saved) return saved
  if (saved.questions.length > 0 && formField(form, 'sure') !== '1') {
    return {
      notice: { kind: 'refused', text: saved.questions.join(' ') },
      again: { form, errors: new Map(), isSure: true },
    }
  }
  await context.call({ operation: 'submitAccountQuizAttempt', params: { attempt_id: attempt.id } })
  return path
}
