import { formField, type Pairs } from '#src/kit/form.ts'
import { readForm, redirect } from '#src/web/account/index.ts'
import { isForeign, noticeOf, onSite } from './course.ts'
import { isShown, lessonIn, openLesson } from './lesson-content.ts'
import { isReadable, neighbours, stateOf } from './lessons.rules.ts'
import { getOwnCourse, type OutlineLesson, type OwnCourse } from './own-course.ts'
import { lessonPage, lockedPage } from './pages/lesson.ts'
import type { LearnPagesParts } from './parts.ts'
import { type Answer, perform, type Visit } from './visit.ts'

type Place = { readonly course: OwnCourse; readonly listed: OutlineLesson }

const show = async (visit: Visit, parts: LearnPagesParts, { course, listed }: Place) => {
  const opened = await openLesson(visit, parts, listed.id)
  if ('refusal' in opened) return lockedPage(visit, { course, listed })
  return lessonPage(visit, { course, listed, ...opened, notice: noticeOf(visit, course) })
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

const complete = async (visit: Visit, parts: LearnPagesParts, place: Place): Promise<string> => {
  const params = { lesson_id: place.listed.id }
  await perform(visit, parts, { operation: 'completeAccountLesson', params })
  return afterwards(visit, parts, place)
}

const undo = async (visit: Visit, parts: LearnPagesParts, { course, listed }: Place): Promise<string> => {
  await perform(visit, parts, { operation: 'undoAccountLessonCompletion', params: { lesson_id: listed.id } })
  return `${course.path}/${listed.id}?done=undone`
}

type Act = (visit: Visit, parts: LearnPagesParts, place: Place, form: Pairs) => Promise<string>

const ACTS: Readonly<Record<string, Act>> = { complete, undo }

/** POST /learn/:course/:lesson: what the person does in a lesson; `act` says what. */
export const submitLesson: Answer = async (visit, parts) => {
  const form = await readForm(visit.request, parts.secret, { session: visit.session })
  const place = await placeOf(visit, parts)
  const name = formField(form, 'act')
  const act = Object.hasOwn(ACTS, name) ? ACTS[name] : undefined
  if (act === undefined) return show(visit, parts, place)
  try {
    return redirect(await act(visit, parts, place, form))
  } catch (error) {
    if (!isShown(error)) throw error
    // The page says what is possible now.
    return show(visit, parts, place)
  }
}
