import { questionKinds } from '#src/areas/learning/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { readPercent } from '#src/kit/typed-numbers.ts'
import { texts } from '#src/texts/index.ts'
import {
  box,
  buildState,
  choice,
  type Field,
  fieldsFor,
  fileForm,
  hidden,
  page,
  percent,
  type Refused,
  revisionIn,
  shownAgain,
  whole,
} from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import { renderCoursePage } from '../courses/frame.ts'
import { coursesText } from '../courses/text.ts'
import { aboveLesson } from './place.ts'
import { type QuestionView, type QuizPlace, type QuizView, quizPath, readQuizPlace } from './quiz-place.ts'

const { quiz: text } = texts.staff.lessons

const percentage: Field<number | null> = {
  ...percent(),
  read(form, name, { language }) {
    const typed = formField(form, name).trim()
    if (typed === '') return null
    const text = readPercent(typed, language) ?? ''
    if (!/^\d{1,3}(?:\.\d{1,2})?$/.test(text))
      refuseInvalid([{ pointer: `/${name}`, code: 'number', message: 'is no percentage' }])
    return Number(text)
  },
  write: (value, name) => [[name, String(value ?? '')]],
}

const minutes: Field<number | null> = {
  ...whole(),
  read(form, name, reader) {
    const read = whole().read(form, name, reader)
    return read === null ? null : read * 60
  },
  write: (seconds, name, reader) => whole().write(seconds === null ? null : Math.ceil(seconds / 60), name, reader),
}

const quizFields = fieldsFor<QuizView>()(text.fields, {
  passing_percentage: percentage,
  max_attempts: whole(),
  time_limit_seconds: minutes,
  show_answers: choice(['never', 'after_attempt', 'after_passing']),
  shuffle_questions: box(),
  shuffle_choices: box(),
})

const excerpt = (prompt: string): string => (prompt.length > 120 ? `${prompt.slice(0, 119).trimEnd()}…` : prompt)

const moveButton = (step: 'up' | 'down', { id, revision, prompt }: QuestionView, { t }: StaffContext): Html =>
  html`<button form="order" class="sign" name="do" value="${step} ${id} ${revision}" aria-label="${t(coursesText[step])}: ${excerpt(prompt)}">${step === 'up' ? '↑' : '↓'}</button>`

const questionItem = (question: QuestionView, context: StaffContext, place: QuizPlace, isLast: boolean): Html => {
  const { t } = context
  const { id, prompt, kind, points, grading, position } = question
  const facts = [t(text.kinds[kind]), t(text.points, { n: points })]
  if (grading === 'manual') facts.push(t(text.manual))
  return html`<li id="${id}" class="outline-lesson"><div><a href="${quizPath(place)}/questions/${id}"><bdi>${excerpt(prompt)}</bdi></a>
<span class="quiet">${facts.join(' · ')}</span></div>
<div class="tools">${position > 0 && moveButton('up', question, context)}${!isLast && moveButton('down', question, context)}</div></li>
`
}

const questionsPart = (context: StaffContext, place: QuizPlace): Html => {
  const { t, token } = context
  const questions = place.quiz?.questions ?? []
  const points = place.quiz?.points_possible ?? 0
  return html`<h2 id="questions">${t(text.questions, { n: questions.length, points })}</h2>
<form id="order" method="post" action="${quizPath(place)}">${hidden({ token })}</form>
${
  questions.length === 0
    ? html`<p>${t(text.none)}</p>`
    : html`<ol class="list numbered">\n${questions.map((question, index) => questionItem(question, context, place, index === questions.length - 1))}</ol>`
}
<h3>${t(texts.words.addQuestion)}</h3>
<p class="choices">${questionKinds.map(kind => html`<a class="button" href="${quizPath(place)}/questions/new?kind=${kind}">${t(text.kinds[kind])}</a>\n`)}</p>`
}

const showQuiz = async (context: StaffContext, refused?: Refused): Promise<Reply> => {
  const { t, form } = context
  const place = await readQuizPlace(context)
  const { course, lesson, quiz } = place
  const stored = quizFields.pairs(quiz ?? { show_answers: 'after_attempt' }, context)
  const state = buildState(context, refused, 'settings', stored)
  const settings = html`${hidden({ act: 'settings', revision: quiz?.revision ?? 0 })}${quizFields.rows(state, [
    ['passing_percentage', 'max_attempts', 'time_limit_seconds'],
    'show_answers',
    'shuffle_questions',
    'shuffle_choices',
  ])}
<div class="buttons row"><button type="submit">${t(texts.words.save)}</button></div>`
  return renderCoursePage(context, {
    title: t(text.title, { name: lesson.name }),
    above: aboveLesson(context, place, true),
    refusal: refused?.refusal,
    sets: [quizFields],
    body: html`<p class="course-head"><a href="/learn/${course.slug}/${lesson.id}">${t(coursesText.asStudent)}</a></p>
${questionsPart(context, place)}
<h2>${t(texts.words.settings)}</h2>
${form(settings)}`,
  })
}

const save = async (context: StaffContext, { lesson, quiz }: QuizPlace, typed: Pairs): Promise<void> => {
  const params = { lesson_id: lesson.id }
  const body = quizFields.body(typed, context)
  if (quiz === undefined)
    return context.call({ operation: 'setQuiz', params, body: { ...body, questions: [] }, revision: 0 })
  return context.call({ operation: 'updateQuiz', params, body, revision: revisionIn(typed) })
}

// A button names a question, its revision, and the place that it gets.
const moveQuestion = async (context: StaffContext, { lesson, quiz }: QuizPlace, typed: Pairs): Promise<void> => {
  const [step = '', id = '', revision = ''] = formField(typed, 'do').split(' ')
  const at = (quiz?.questions ?? []).findIndex(question => question.id === id)
  const position = at + (step === 'up' ? -1 : 1)
  if (at < 0 || position < 0) return
  const params = { lesson_id: lesson.id, question_id: id }
  await context.call({ operation: 'updateQuizQuestion', params, body: { position }, revision: Number(revision) || 0 })
}

/** GET and POST /staff/courses/:course/lessons/:lesson/quiz: the questions and the settings of a quiz. */
export const quizEditor = [
  page('GET /staff/courses/:course/lessons/:lesson/quiz', courseTeachers, context => showQuiz(context)),
  fileForm('POST /staff/courses/:course/lessons/:lesson/quiz', courseTeachers, async (context, { form: typed }) => {
    const place = await readQuizPlace(context)
    const act = formField(typed, 'act')
    if (act !== 'settings' && formField(typed, 'do') === '')
      throw new Refusal(formRefused, 'The form has no valid action.')
    return shownAgain(
      async () => {
        await (act === 'settings' ? save : moveQuestion)(context, place, typed)
        return `${quizPath(place)}?done=${act === 'settings' ? 'saved' : 'moved#questions'}`
      },
      refusal => showQuiz(context, { act, typed, refusal }),
    )
  }),
]
