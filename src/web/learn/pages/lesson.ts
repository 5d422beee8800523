import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import { formatDuration, formatTime } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { inSchool, siteText } from '#src/web/site/index.ts'
import { formOf, framed, type Notice, noticeHtml } from '../frame.ts'
import type { Place } from '../lesson-acts.ts'
import type { AttachmentView, LessonView } from '../lesson-content.ts'
import { isReadable, lessonsOf, neighbours, stateOf } from '../lessons.rules.ts'
import type { OutlineLesson } from '../own-course.ts'
import { learnText } from '../text.ts'
import type { Visit } from '../visit.ts'
import { whyClosed } from './access.ts'
import { contentOf } from './content.ts'
import { outlineOf } from './outline.ts'
import { progressBar } from './progress.ts'

const { lesson: text } = learnText

/** A lesson with what is shown around its content. */
type LessonPageView = Place & {
  readonly lesson: LessonView
  readonly attachments: readonly AttachmentView[]
  /** A quiz or an assignment. */
  readonly work: Html | undefined
  /** Whether the person marks it as done, instead of work that is graded. */
  readonly isMarked: boolean
  /** The comments on the lesson. */
  readonly comments: Html | false
  readonly notice: Notice | undefined
  readonly status: number
}

// Folded on a phone; on a wide screen it is always open, where the browser can do that, and else at a click.
const besideOf = ({ course, listed }: Place, visit: Visit): Html => {
  const { language } = visit
  return html`<nav class="learn-side" aria-label="${fill(text.contents, language)}">
<p class="side-course"><a href="${course.path}"${inSchool(visit)}>${course.name}</a></p>
${course.progress !== undefined && progressBar(course.progress.percent_complete, visit)}
<details>
<summary>${fill(text.contents, language)}</summary>
<div class="side-lessons">
${outlineOf(course, visit, { at: listed.id, hasFacts: false })}</div>
</details>
</nav>`
}

const factsOf = ({ course, listed }: Place, { language }: Visit): Html => {
  const lessons = lessonsOf(course)
  const n = lessons.findIndex(({ id }) => id === listed.id) + 1
  const { type, duration_seconds: seconds } = listed
  return html`<p class="lesson-head-facts"><span>${fill(text.position, language, { n, all: lessons.length })}</span> <span>${fill(siteText.lessonTypes[type], language)}</span>${
    seconds !== null && html` <span>${formatDuration(seconds, language)}</span>`
  }</p>`
}

const headOf = (place: Place, visit: Visit, notice: Notice | undefined): Html =>
  html`${noticeHtml(notice)}
${factsOf(place, visit)}
<h1${inSchool(visit)}>${place.listed.name}</h1>`

const neighbour = (
  lesson: OutlineLesson | undefined,
  place: Place,
  visit: Visit,
  rel: 'prev' | 'next',
): Html | false => {
  if (lesson === undefined || !isReadable(stateOf(lesson, place.course))) return false
  const label = fill(rel === 'prev' ? text.previous : text.next, visit.language)
  return html`<a class="turn turn-${rel}" rel="${rel}" href="${place.course.path}/${lesson.id}"><span class="turn-label">${label}</span> <span class="turn-name"${inSchool(visit)}>${lesson.name}</span></a>`
}

const turnsOf = (place: Place, visit: Visit): Html | false => {
  const { previous, next } = neighbours(place.course, place.listed.id)
  const links = [neighbour(previous, place, visit, 'prev'), neighbour(next, place, visit, 'next')]
  return (
    links.some(link => link !== false) &&
    html`<nav class="turns" aria-label="${fill(text.around, visit.language)}">${links}</nav>`
  )
}

const button = (name: string, label: string, isMain: boolean): Html =>
  html`<input type="hidden" name="act" value="${name}">
<button type="submit"${isMain && html` class="main"`}>${label}</button>`

/** Whether the person learns in this lesson now, so that what they do is recorded. */
export const isLearning = ({ course, listed }: Place): boolean =>
  course.enrollment?.access.state === 'active' &&
  listed.status === 'published' &&
  course.progress?.lessons.find(one => one.lesson_id === listed.id)?.is_open === true

const completionOf = (place: LessonPageView, visit: Visit): Html | false => {
  const { course, listed, isMarked } = place
  const { language } = visit
  if (!isLearning(place)) return false
  const action = `${course.path}/${listed.id}`
  if (stateOf(listed, course).isDone)
    return html`<div class="completion is-done"><p>${fill(text.isDone, language)}</p>
${isMarked && formOf(visit, action, button('undo', fill(text.undo, language), false))}
</div>`
  if (!isMarked) return false
  const label = neighbours(course, listed.id).next === undefined ? text.complete : text.completeAndGoOn
  return html`<div class="completion">
${formOf(visit, action, button('complete', fill(label, language), true))}
</div>`
}

const secondOf = ({ course, listed }: Place): number =>
  course.progress?.lessons.find(({ lesson_id: id }) => id === listed.id)?.position_seconds ?? 0

// A lesson that anybody may read stays open when the rest of the course is not.
const closedOf = ({ course }: Place, visit: Visit): Html | false => {
  const why = course.enrollment === undefined || course.canManage ? undefined : whyClosed(course.enrollment, visit)
  return why !== undefined && html`<p class="notice">${why} ${fill(text.openToAll, visit.language)}</p>`
}

/** A lesson with its content, what to do next, and the outline of its course. */
export const lessonPage = (visit: Visit, view: LessonPageView): Reply =>
  framed(visit, {
    title: `${view.listed.name} · ${view.course.name}`,
    status: view.status,
    beside: besideOf(view, visit),
    main: html`<article class="learn-lesson">
${headOf(view, visit, view.notice)}
${closedOf(view, visit)}
${contentOf(view, secondOf(view), visit)}
${view.work}
${completionOf(view, visit)}
${turnsOf(view, visit)}
${view.comments}
</article>`,
  })

const reasonOf = ({ course, listed }: Place, { language, timeZone, ...visit }: Visit): string => {
  const { lock } = stateOf(listed, course)
  if (lock?.reason === 'previous') return fill(text.lockedBefore, language)
  if (lock?.reason !== 'drip')
    return course.enrollment === undefined
      ? fill(learnText.why.none, language)
      : (whyClosed(course.enrollment, { language, timeZone, ...visit }) ?? fill(text.lockedUnknown, language))
  return lock.opensAt === null
    ? fill(text.lockedUnknown, language)
    : fill(text.lockedUntil, language, { time: formatTime(lock.opensAt, timeZone, language) })
}

/** The page of a lesson that is not available now, which says why and from when. */
export const lockedPage = (visit: Visit, place: Place): Reply => {
  const { language } = visit
  const isLater = stateOf(place.listed, place.course).lock?.reason !== 'no_access'
  return framed(visit, {
    title: `${place.listed.name} · ${place.course.name}`,
    status: 403,
    beside: besideOf(place, visit),
    main: html`<article class="learn-lesson">
${headOf(place, visit, undefined)}
<div class="box">
<h2>${fill(isLater ? text.locked : text.noAccess, language)}</h2>
<p>${reasonOf(place, visit)}</p>
<p class="actions"><a class="button main" href="${place.course.path}">${fill(text.toCourse, language)}</a></p>
</div>
</article>`,
  })
}
