import type { Reply } from '#src/contract/endpoint.ts'
import { formField } from '#src/kit/form.ts'
import type { Html } from '#src/kit/html.ts'
import { type FormWithFiles, redirect, withFormFiles } from '#src/web/page/index.ts'
import { commentsOn } from './comments.ts'
import { isForeign, onSite } from './course.ts'
import type { Act, Again, Place } from './lesson-acts.ts'
import { isShown, lessonIn, openLesson } from './lesson-content.ts'
import { isReadable, neighbours, stateOf } from './lessons.rules.ts'
import { noticeOf, refusalNotice } from './notices.ts'
import { getOwnCourse } from './own-course.ts'
import { isLearning, lessonPage, lockedPage } from './pages/lesson.ts'
import { quizPart } from './pages/quiz.ts'
import { workPart } from './pages/work.ts'
import type { LearnPagesParts } from './parts.ts'
import { getOwnQuiz, saveAnswers, startQuiz, submitAnswers } from './quiz.ts'
import { type Answer, perform, type Visit } from './visit.ts'
import { changeWork, getOwnWork, handIn, withdrawWork } from './work.ts'

/** The most bytes of a form with all of its files; larger files are sent by an app. */
const MAX_BYTES = 100_000_000

type Shown = Partial<Again> & { readonly status?: number }

type Work = { readonly work: Html | undefined; readonly isMarked: boolean }

// A lesson without graded work, or with work that is optional, is marked as done by the person.
const workOf = async (visit: Visit, parts: LearnPagesParts, place: Place, shown: Shown): Promise<Work> => {
  const { course, listed } = place
  const part = { visit, action: `${course.path}/${listed.id}`, learns: isLearning(place), again: shown.again }
  if (listed.type === 'quiz')
    return { work: quizPart({ ...part, own: await getOwnQuiz(visit, parts, listed.id) }), isMarked: false }
  if (listed.type !== 'assignment') return { work: undefined, isMarked: true }
  const own = await getOwnWork(visit, parts, listed.id)
  const now = course.progress?.at ?? ''
  return { work: workPart({ ...part, own, now }), isMarked: own.assignment?.required === false }
}

const show = async (visit: Visit, parts: LearnPagesParts, place: Place, shown: Shown = {}): Promise<Reply> => {
  const opened = await openLesson(visit, parts, place.listed.id)
  if ('refusal' in opened) return lockedPage(visit, place)
  return lessonPage(visit, {
    ...place,
    ...opened,
    ...(await workOf(visit, parts, place, shown)),
    comments: await commentsOn(visit, parts, place.listed.id),
    notice: shown.notice ?? noticeOf(visit, place.course),
    status: shown.status ?? 200,
  })
}

const placeOf = async (visit: Visit, parts: LearnPagesParts): Promise<Place> => {
  const course = await getOwnCourse(visit, parts)
  return { course, listed: lessonIn(course, visit.request.params.lesson ?? '') }
}

/** GET /learn/:course/:lesson: a lesson, or when it becomes available. */
export const showLesson: Answer = async (visit, parts) => {
  const place = await placeOf(visit, parts)
  return isForeign(place.course) ? redirect(onSite(place.course)) : show(visit, parts, place)
}

// After the lesson comes the next one, or the course where the next one is not available yet.
const afterwards = async (visit: Visit, parts: LearnPagesParts, { listed }: Place): Promise<string> => {
  const course = await getOwnCourse(visit, parts)
  const { next } = neighbours(course, listed.id)
  const isOpen = next !== undefined && isReadable(stateOf(next, course))
  return `${course.path}${isOpen ? `/${next.id}` : ''}?done=${listed.id}`
}

const complete: Act = async (visit, parts, place) => {
  const params = { lesson_id: place.listed.id }
  await perform(visit, parts, { operation: 'completeAccountLesson', params })
  return afterwards(visit, parts, place)
}

const undo: Act = async (visit, parts, { course, listed }) => {
  await perform(visit, parts, { operation: 'undoAccountLessonCompletion', params: { lesson_id: listed.id } })
  return `${course.path}/${listed.id}?done=undone`
}

const ACTS: Readonly<Record<string, Act>> = {
  complete,
  undo,
  start: startQuiz,
  save: saveAnswers,
  submit: submitAnswers,
  hand_in: handIn,
  change: changeWork,
  withdraw: withdrawWork,
}

const answerForm = async (visit: Visit, parts: LearnPagesParts, { form, files }: FormWithFiles): Promise<Reply> => {
  const place = await placeOf(visit, parts)
  const name = formField(form, 'act')
  const act = Object.hasOwn(ACTS, name) ? ACTS[name] : undefined
  if (act === undefined) return show(visit, parts, place)
  try {
    const outcome = await act(visit, parts, place, form, files)
    return typeof outcome === 'string' ? redirect(outcome) : show(visit, parts, place, { ...outcome, status: 422 })
  } catch (error) {
    if (!isShown(error)) throw error
    // The page says what is possible now.
    return show(visit, parts, place, { notice: refusalNotice(error, visit), status: error.problem.status })
  }
}

/** POST /learn/:course/:lesson: what the person does in a lesson; `act` says what. */
export const submitLesson: Answer = (visit, parts) =>
  withFormFiles({ ...visit, secret: parts.secret, maxBytes: MAX_BYTES }, form => answerForm(visit, parts, form))
