import type { Reply } from '#src/contract/endpoint.ts'
import { formField } from '#src/kit/form.ts'
import type { Html } from '#src/kit/html.ts'
import { fileForm, page, redirect, shownAgain } from '#src/web/page/index.ts'
import { commentsOn } from './comments.ts'
import { isForeign, onSite } from './course.ts'
import type { Act, Again, Place } from './lesson-acts.ts'
import { lessonIn, openLesson } from './lesson-content.ts'
import { computeState, isReadable, neighbours } from './lessons.rules.ts'
import { buildNotice, refusalNotice } from './notices.ts'
import { readOwnCourse } from './own-course.ts'
import { isLearning, lessonPage, lockedPage } from './pages/lesson.ts'
import { quizPart } from './pages/quiz.ts'
import { workPart } from './pages/work.ts'
import { type LearnContext, learners } from './parts.ts'
import { readOwnQuiz, saveAnswers, startQuiz, submitAnswers } from './quiz.ts'
import { changeWork, handIn, readOwnWork, withdrawWork } from './work.ts'

type Shown = Partial<Again> & { readonly status?: number }

type Work = { readonly work: Html | undefined; readonly isMarked: boolean }

// A lesson without graded work, or with work that is optional, is marked as done by the person.
const readWork = async (context: LearnContext, place: Place, shown: Shown): Promise<Work> => {
  const { course, listed } = place
  const part = { context, action: `${course.path}/${listed.id}`, learns: isLearning(place), again: shown.again }
  if (listed.type === 'quiz')
    return { work: quizPart({ ...part, own: await readOwnQuiz(context, listed.id) }), isMarked: false }
  if (listed.type !== 'assignment') return { work: undefined, isMarked: true }
  const own = await readOwnWork(context, listed.id)
  const now = course.progress?.at ?? ''
  return { work: workPart({ ...part, own, now }), isMarked: own.assignment?.required === false }
}

const show = async (context: LearnContext, place: Place, shown: Shown = {}): Promise<Reply> => {
  const opened = await openLesson(context, place.listed.id)
  if ('refusal' in opened) return lockedPage(context, place)
  return lessonPage(context, {
    ...place,
    ...opened,
    ...(await readWork(context, place, shown)),
    comments: await commentsOn(context, place.listed.id),
    notice: shown.notice ?? buildNotice(context, place.course),
    status: shown.status ?? 200,
  })
}

const readPlace = async (context: LearnContext): Promise<Place> => {
  const course = await readOwnCourse(context)
  return { course, listed: lessonIn(course, context.params.lesson ?? '') }
}

// After the lesson comes the next one, or the course where the next one is not available yet.
const afterwards = async (context: LearnContext, { listed }: Place): Promise<string> => {
  const course = await readOwnCourse(context)
  const { next } = neighbours(course, listed.id)
  const isOpen = next !== undefined && isReadable(computeState(next, course))
  return `${course.path}${isOpen ? `/${next.id}` : ''}?done=${listed.id}`
}

const complete: Act = async (context, place) => {
  const params = { lesson_id: place.listed.id }
  await context.call({ operation: 'completeAccountLesson', params })
  return afterwards(context, place)
}

const undo: Act = async (context, { course, listed }) => {
  await context.call({ operation: 'undoAccountLessonCompletion', params: { lesson_id: listed.id } })
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

/**
 * GET and POST /learn/:course/:lesson: a lesson, or when it becomes available, and what the person does in it; `act` says
 * what.
 */
export const lessonPages = [
  page('GET /learn/:course/:lesson', learners, async context => {
    const place = await readPlace(context)
    return isForeign(place.course) ? redirect(onSite(place.course)) : show(context, place)
  }),
  fileForm('POST /learn/:course/:lesson', learners, async (context, { form, files }) => {
    const place = await readPlace(context)
    const name = formField(form, 'act')
    const act = Object.hasOwn(ACTS, name) ? ACTS[name] : undefined
    if (act === undefined) return show(context, place)
    return shownAgain(
      async () => {
        const outcome = await act(context, place, form, files)
        return typeof outcome === 'string' ? outcome : show(context, place, { ...outcome, status: 422 })
      },
      // The page says what is possible now.
      refusal => show(context, place, { notice: refusalNotice(refusal, context), status: refusal.problem.status }),
    )
  }),
]
