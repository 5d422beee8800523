import type { Reply } from '#src/contract/endpoint.ts'
import type { Language } from '#src/contract/language.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { readPercent } from '#src/kit/typed-numbers.ts'
import { type FormWithFiles, fileForm, page, revisionIn, shownAgain } from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import { isChecked, lineIn, numberOrNull } from '../../forms/values.ts'
import type { StaffSection } from '../../section.ts'
import { quizPage } from './quiz-page.ts'
import { type QuizPlace, quizPath, quizPlaceOf } from './quiz-place.ts'

const percentageIn = (form: Pairs, language: Language): number | null => {
  const typed = lineIn(form, 'passing_percentage')
  if (typed === '') return null
  const text = readPercent(typed, language) ?? ''
  if (!/^\d{1,3}(?:\.\d{1,2})?$/.test(text))
    refuseInvalid([{ pointer: '/passing_percentage', code: 'number', message: 'is no percentage' }])
  return Number(text)
}

const settingsIn = (form: Pairs, language: Language) => {
  const minutes = numberOrNull(form, 'time_limit_seconds')
  return {
    passing_percentage: percentageIn(form, language),
    max_attempts: numberOrNull(form, 'max_attempts'),
    time_limit_seconds: minutes === null ? null : minutes * 60,
    show_answers: formField(form, 'show_answers'),
    shuffle_questions: isChecked(form, 'shuffle_questions'),
    shuffle_choices: isChecked(form, 'shuffle_choices'),
  }
}

const save = async (context: StaffContext, { lesson, quiz }: QuizPlace, form: Pairs): Promise<void> => {
  const params = { lesson_id: lesson.id }
  const body = settingsIn(form, context.language)
  if (quiz === undefined)
    return context.call({ operation: 'setQuiz', params, body: { ...body, questions: [] }, revision: 0 })
  return context.call({ operation: 'updateQuiz', params, body, revision: revisionIn(form) })
}

// A button names a question, its revision, and the place that it gets.
const moveQuestion = async (context: StaffContext, { lesson, quiz }: QuizPlace, form: Pairs): Promise<void> => {
  const [step = '', id = '', revision = ''] = formField(form, 'do').split(' ')
  const at = (quiz?.questions ?? []).findIndex(question => question.id === id)
  const position = at + (step === 'up' ? -1 : 1)
  if (at < 0 || position < 0) return
  const params = { lesson_id: lesson.id, question_id: id }
  await context.call({ operation: 'updateQuizQuestion', params, body: { position }, revision: Number(revision) || 0 })
}

const show = async (
  context: StaffContext,
  again?: { readonly form: Pairs; readonly refusal: Refusal },
): Promise<Reply> => quizPage(context, await quizPlaceOf(context), again)

const submit = async (context: StaffContext, { form }: FormWithFiles): Promise<Reply> => {
  const place = await quizPlaceOf(context)
  const work = async () => {
    if (formField(form, 'act') === 'settings') {
      await save(context, place, form)
      return `${quizPath(place)}?done=saved`
    }
    if (formField(form, 'do') === '') throw new Refusal(formRefused, 'The form has no valid action.')
    await moveQuestion(context, place, form)
    return `${quizPath(place)}?done=moved#questions`
  }
  return shownAgain(work, refusal => show(context, { form, refusal }))
}

/** GET and POST /staff/courses/:course/lessons/:lesson/quiz: the questions and the settings of a quiz. */
export const quizEditor: StaffSection = {
  // The editor of the lesson leads to it.
  entries: [],
  pages: [
    page('GET /staff/courses/:course/lessons/:lesson/quiz', courseTeachers, context => show(context)),
    fileForm('POST /staff/courses/:course/lessons/:lesson/quiz', courseTeachers, submit),
  ],
}
