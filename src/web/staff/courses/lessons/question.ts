import { Quiz, QuizQuestion, questionKinds } from '#src/areas/learning/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { type FieldError, Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type FormState,
  type FormWithFiles,
  fileForm,
  folded,
  formKeyIn,
  hidden,
  hiddenFor,
  page,
  revisionIn,
  shownAgain,
} from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import { previewButton } from '../../texts/index.ts'
import { renderCoursePage } from '../courses/frame.ts'
import { aboveLesson, lessonPath } from './place.ts'
import { answerRows, blankQuestion, type QuestionKind, questionBody, questionFields } from './question-fields.ts'
import { type QuestionView, type QuizPlace, quizPath, readQuizPlace } from './quiz-place.ts'

const { quiz: text } = texts.staff.lessons

/** A question that is edited, or a new one of a kind. */
type Editing = { readonly place: QuizPlace; readonly question: QuestionView | undefined; readonly kind: QuestionKind }

const readEditing = async (context: StaffContext): Promise<Editing> => {
  const { query, params } = context
  const place = await readQuizPlace(context)
  if (params.question === undefined) {
    const asked = query.get('kind')
    return { place, question: undefined, kind: questionKinds.find(kind => kind === asked) ?? 'single' }
  }
  const question = place.quiz?.questions?.find(one => one.id === params.question)
  if (question === undefined) throw new Refusal(notFound, 'The quiz has no such question.')
  return { place, question, kind: question.kind }
}

const renderForm = (state: FormState, { t, form, request }: StaffContext, { question, kind }: Editing): Html => {
  const inside = html`${hiddenFor(state, question?.revision)}<button class="unseen" type="submit" name="act" value="save" tabindex="-1" aria-hidden="true"></button>${questionFields.rows(state, ['prompt', ...answerRows(kind), 'points', 'explanation'])}
<div class="buttons row"><button class="main" type="submit" name="act" value="save">${t(texts.words.save)}</button>
<button type="submit" name="act" value="next">${t(text.saveAndAdd)}</button></div>
${previewButton(t, 'prompt')}`
  const terms = { id: 'question', draft: `question ${kind}`, again: 'again' }
  return form(inside, question === undefined ? `${request.path}?kind=${kind}` : request.path, terms)
}

const renderRemoval = ({ t, form }: StaffContext, { revision }: QuestionView): Html => {
  const inside = html`${hidden({ act: 'remove', revision })}<p class="quiet">${t(text.removeAbout)}</p><button type="submit">${t(text.remove)}</button>`
  return folded(t(text.remove), form(inside))
}

const showQuestion = async (context: StaffContext, typed?: Pairs, refusal?: Refusal): Promise<Reply> => {
  const { t, language } = context
  const editing = await readEditing(context)
  const { place, question, kind } = editing
  const shown = typed ?? questionFields.pairs(question ?? blankQuestion, context)
  const state = { language, typed: [...shown, ['kind', kind] as const], refusal }
  return renderCoursePage(context, {
    title: question === undefined ? t(text.newQuestion) : t(text.question, { n: String(question.position + 1) }),
    above: aboveLesson(context, place),
    refusal,
    sets: [questionFields],
    body: html`<p class="quiet">${t(text.kinds[kind])}</p>
${renderForm(state, context, editing)}
${question !== undefined && renderRemoval(context, question)}`,
  })
}

// The first question creates the quiz; revision 0 is refused where somebody else has created it meanwhile. Its errors are those of the question.
const createFirst = async ({ call }: StaffContext, params: object, question: object, form: Pairs): Promise<void> => {
  const body = { questions: [question] }
  const created = { operation: 'setQuiz', params: { ...params }, body, revision: 0, ...formKeyIn(form), returns: Quiz }
  await call(created).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.extras.errors === undefined) throw error
    const cut = ({ pointer, ...rest }: FieldError) => ({ ...rest, pointer: pointer.replace(/^\/questions\/0/, '') })
    throw new Refusal(error.problem, error.message, { errors: error.extras.errors.map(cut) })
  })
}

const save = async (context: StaffContext, { place, question, kind }: Editing, form: Pairs): Promise<void> => {
  const params = { lesson_id: place.lesson.id }
  const body = questionBody(context, form, kind)
  const returns = QuizQuestion
  if (question !== undefined) {
    const own = { ...params, question_id: question.id }
    await context.call({ operation: 'updateQuizQuestion', params: own, body, revision: revisionIn(form), returns })
  } else if (place.quiz === undefined) await createFirst(context, params, { kind, ...body }, form)
  else
    await context.call({
      operation: 'createQuizQuestion',
      params,
      body: { kind, ...body },
      ...formKeyIn(form),
      returns,
    })
}

const submit = async (context: StaffContext, { form }: FormWithFiles): Promise<Reply> => {
  const act = formField(form, 'act')
  if (act === 'more' || act === 'again') return showQuestion(context, form)
  const editing = await readEditing(context)
  const { place, question, kind } = editing
  return shownAgain(
    async () => {
      if (act === 'remove' && question !== undefined) {
        const params = { lesson_id: place.lesson.id, question_id: question.id }
        await context.call({ operation: 'deleteQuizQuestion', params, revision: revisionIn(form) })
        return `${lessonPath(place)}?done=removed#questions`
      }
      await save(context, editing, form)
      return act === 'next'
        ? `${quizPath(place)}/questions/new?kind=${kind}&done=question`
        : `${lessonPath(place)}?done=saved#questions`
    },
    refusal => showQuestion(context, form, refusal),
  )
}

const PATH = '/staff/courses/:course/lessons/:lesson/quiz/questions'

/** GET and POST of the form of a question, for new ones and for those of a quiz. */
export const questionEditor = [
  page(`GET ${PATH}/new`, courseTeachers, context => showQuestion(context)),
  fileForm(`POST ${PATH}/new`, courseTeachers, submit),
  page(`GET ${PATH}/:question`, courseTeachers, context => showQuestion(context)),
  fileForm(`POST ${PATH}/:question`, courseTeachers, submit),
]
