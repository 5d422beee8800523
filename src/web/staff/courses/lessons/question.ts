import { Quiz, QuizQuestion, questionKinds } from '#src/areas/learning/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { type FieldError, Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type FormWithFiles, fileForm, formKeyIn, page, revisionIn, shownAgain } from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import type { StaffSection } from '../../section.ts'
import { blankQuestion, formOfQuestion, type QuestionKind, questionIn } from './question-form.ts'
import { questionPage } from './question-page.ts'
import { type QuestionView, type QuizPlace, quizPath, quizPlaceOf } from './quiz-place.ts'

/** A question that is edited, or a new one of a kind. */
type Editing = { readonly place: QuizPlace; readonly question: QuestionView | undefined; readonly kind: QuestionKind }

const editingOf = async (context: StaffContext): Promise<Editing> => {
  const { request } = context
  const place = await quizPlaceOf(context)
  const { question: id } = request.params
  if (id === undefined) {
    const asked = new URLSearchParams(request.query).get('kind')
    return { place, question: undefined, kind: questionKinds.find(kind => kind === asked) ?? 'single' }
  }
  const question = place.quiz?.questions?.find(one => one.id === id)
  if (question === undefined) throw new Refusal(notFound, 'The quiz has no such question.')
  return { place, question, kind: question.kind }
}

const show = async (context: StaffContext): Promise<Reply> => {
  const editing = await editingOf(context)
  const { question } = editing
  const typed = question === undefined ? blankQuestion : formOfQuestion(question, context.language)
  return questionPage(context, { ...editing, typed, refusal: undefined })
}

// The first question creates the quiz; revision 0 is refused where somebody else has created it meanwhile. Its errors are those of the question.
const createFirst = async (
  { parts, person }: StaffContext,
  { place }: Editing,
  body: object,
  form: Pairs,
): Promise<void> => {
  const params = { lesson_id: place.lesson.id }
  const call = {
    operation: 'setQuiz',
    params,
    body: { questions: [body] },
    revision: 0,
    ...formKeyIn(form),
    returns: Quiz,
  }
  await parts.performAs(person, call).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.extras.errors === undefined) throw error
    const cut = ({ pointer, ...rest }: FieldError) => ({ ...rest, pointer: pointer.replace(/^\/questions\/0/, '') })
    throw new Refusal(error.problem, error.message, { errors: error.extras.errors.map(cut) })
  })
}

const save = async (context: StaffContext, editing: Editing, form: Pairs): Promise<void> => {
  const { parts, person } = context
  const { place, question, kind } = editing
  const params = { lesson_id: place.lesson.id }
  const body = questionIn(form, kind, context.language)
  if (question !== undefined) {
    const call = { operation: 'updateQuizQuestion', body, revision: revisionIn(form), returns: QuizQuestion }
    await parts.performAs(person, { ...call, params: { ...params, question_id: question.id } })
  } else if (place.quiz === undefined) await createFirst(context, editing, { kind, ...body }, form)
  else {
    const call = { operation: 'createQuizQuestion', params, body: { kind, ...body }, ...formKeyIn(form) }
    await parts.performAs(person, { ...call, returns: QuizQuestion })
  }
}

const remove = ({ call }: StaffContext, { place, question }: Editing, form: Pairs): Promise<undefined> => {
  const params = { lesson_id: place.lesson.id, question_id: question?.id ?? '' }
  return call({ operation: 'deleteQuizQuestion', params, revision: revisionIn(form) })
}

const submit = async (context: StaffContext, { form }: FormWithFiles): Promise<Reply> => {
  const editing = await editingOf(context)
  const { place, question, kind } = editing
  const act = formField(form, 'act')
  if (act === 'more') return questionPage(context, { ...editing, typed: form, refusal: undefined })
  const work = async () => {
    if (act === 'remove' && question !== undefined) {
      await remove(context, editing, form)
      return `${quizPath(place)}?done=removed`
    }
    await save(context, editing, form)
    return act === 'next'
      ? `${quizPath(place)}/questions/new?kind=${kind}&done=question`
      : `${quizPath(place)}?done=saved`
  }
  return shownAgain(work, async refusal =>
    questionPage(context, { ...(await editingOf(context)), typed: form, refusal }),
  )
}

const PATH = '/staff/courses/:course/lessons/:lesson/quiz/questions'

/** GET and POST of the form of a question, for new ones and for those of a quiz. */
export const questionEditor: StaffSection = {
  // The page of the quiz leads to them.
  entries: [],
  pages: [
    page(`GET ${PATH}/new`, courseTeachers, show),
    fileForm(`POST ${PATH}/new`, courseTeachers, submit),
    page(`GET ${PATH}/:question`, courseTeachers, show),
    fileForm(`POST ${PATH}/:question`, courseTeachers, submit),
  ],
}
