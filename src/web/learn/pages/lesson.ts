import type { Reply } from '#src/contract/endpoint.ts'
import { formatDuration } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import type { Notice } from '#src/web/page/index.ts'
import { inSchool, progressBar, siteText } from '#src/web/site/index.ts'
import { framed, noticeHtml } from '../frame.ts'
import type { Place } from '../lesson-acts.ts'
import type { AttachmentView, LessonView } from '../lesson-content.ts'
import { computeState, isReadable, listLessons, neighbours } from '../lessons.rules.ts'
import type { OutlineLesson, OwnCourse } from '../own-course.ts'
import type { LearnContext } from '../parts.ts'
import { learnText } from '../text.ts'
import { whyClosed } from './access.ts'
import { renderContent } from './content.ts'
import { renderOutline } from './outline.ts'

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

const renderPosition = (course: OwnCourse, listed: OutlineLesson, context: LearnContext): Html => {
  const lessons = listLessons(course)
  const n = lessons.findIndex(({ id }) => id === listed.id) + 1
  const section = course.sections.find(one => one.lessons.some(({ id }) => id === listed.id))
  return html`<span>${context.t(text.position, { n, all: lessons.length })}${
    section !== undefined && html` · <b${inSchool(context)}>${section.name}</b>`
  }</span>`
}

// Folded on a phone; on a wide screen it is always open, where the browser can do that, and else at a click.
const renderBeside = ({ course, listed }: Place, context: LearnContext): Html => {
  const { t } = context
  return html`<nav class="learn-side" aria-label="${t(text.contents)}">
<p class="side-course"><a href="${course.path}"${inSchool(context)}>${course.name}</a></p>
${course.progress !== undefined && progressBar(course.progress.percent_complete, context)}
<details>
<summary>${renderPosition(course, listed, context)}</summary>
<div class="side-lessons">
${renderOutline(course, context, { at: listed.id, hasFacts: false })}</div>
</details>
</nav>`
}

const renderFacts = ({ listed }: Place, { t, language }: LearnContext): Html => {
  const { type, duration_seconds: seconds } = listed
  return html`<p class="lesson-head-facts"><span>${t(siteText.lessonTypes[type])}</span>${
    seconds !== null && html` <span>${formatDuration(seconds, language)}</span>`
  }</p>`
}

const renderHead = (place: Place, context: LearnContext, notice: Notice | undefined): Html =>
  html`${noticeHtml(notice)}
${renderFacts(place, context)}
<h1${inSchool(context)}>${place.listed.name}</h1>`

const neighbour = (
  lesson: OutlineLesson | undefined,
  place: Place,
  context: LearnContext,
  rel: 'prev' | 'next',
): Html | false => {
  if (lesson === undefined || !isReadable(computeState(lesson, place.course))) return false
  const label = context.t(rel === 'prev' ? text.previous : text.next)
  return html`<a class="turn turn-${rel}" rel="${rel}" href="${place.course.path}/${lesson.id}"><span class="turn-label">${label}</span> <span class="turn-name"${inSchool(context)}>${lesson.name}</span></a>`
}

// What is done next, at hand wherever one reads.
const renderBar = (view: LessonPageView, context: LearnContext): Html | false => {
  const { previous, next } = neighbours(view.course, view.listed.id)
  const links = [neighbour(previous, view, context, 'prev'), neighbour(next, view, context, 'next')]
  const turns =
    links.some(link => link !== false) && html`<nav class="turns" aria-label="${context.t(text.around)}">${links}</nav>`
  const completion = renderCompletion(view, context)
  return (turns !== false || completion !== false) && html`<div class="lesson-bar">${turns}\n${completion}</div>`
}

const button = (name: string, label: string, isMain: boolean): Html =>
  html`<input type="hidden" name="act" value="${name}">
<button type="submit"${isMain && html` class="main"`}>${label}</button>`

/** Whether the person learns in this lesson now, so that what they do is recorded. */
export const isLearning = ({ course, listed }: Place): boolean =>
  course.enrollment?.access.state === 'active' &&
  listed.status === 'published' &&
  course.progress?.lessons.find(one => one.lesson_id === listed.id)?.is_open === true

const renderCompletion = (place: LessonPageView, context: LearnContext): Html | false => {
  const { course, listed, isMarked } = place
  const { t, form } = context
  if (!isLearning(place)) return false
  const action = `${course.path}/${listed.id}`
  if (computeState(listed, course).isDone)
    return html`<div class="completion is-done"><p>${t(text.isDone)}</p>
${isMarked && form(button('undo', t(text.undo), false), action)}
</div>`
  if (!isMarked) return false
  const label = neighbours(course, listed.id).next === undefined ? text.complete : text.completeAndGoOn
  return html`<div class="completion">
${form(button('complete', t(label), true), action)}
</div>`
}

const getSecond = ({ course, listed }: Place): number =>
  course.progress?.lessons.find(({ lesson_id: id }) => id === listed.id)?.position_seconds ?? 0

// A lesson that anybody may read stays open when the rest of the course is not.
const renderClosed = ({ course }: Place, context: LearnContext): Html | false => {
  const why = course.enrollment === undefined || course.canManage ? undefined : whyClosed(course.enrollment, context)
  return why !== undefined && html`<p class="notice">${why} ${context.t(text.openToAll)}</p>`
}

/** A lesson with its content, what to do next, and the outline of its course. */
export const lessonPage = (context: LearnContext, view: LessonPageView): Reply =>
  framed(context, {
    title: `${view.listed.name} · ${view.course.name}`,
    status: view.status,
    beside: renderBeside(view, context),
    main: html`<article class="learn-lesson">
${renderHead(view, context, view.notice)}
${renderClosed(view, context)}
${renderContent(view, getSecond(view), context)}
${view.work}
${view.comments}
</article>
${renderBar(view, context)}`,
  })

const describeReason = ({ course, listed }: Place, context: LearnContext): string => {
  const { t, time } = context
  const { lock } = computeState(listed, course)
  if (lock?.reason === 'previous') return t(text.lockedBefore)
  if (lock?.reason !== 'drip')
    return course.enrollment === undefined
      ? t(learnText.why.none)
      : (whyClosed(course.enrollment, context) ?? t(text.lockedUnknown))
  return lock.opensAt === null ? t(text.lockedUnknown) : t(text.lockedUntil, { time: time(lock.opensAt) })
}

/** The page of a lesson that is not available now, which says why and from when. */
export const lockedPage = (context: LearnContext, place: Place): Reply => {
  const { t } = context
  const isLater = computeState(place.listed, place.course).lock?.reason !== 'no_access'
  return framed(context, {
    title: `${place.listed.name} · ${place.course.name}`,
    status: 403,
    beside: renderBeside(place, context),
    main: html`<article class="learn-lesson">
${renderHead(place, context, undefined)}
<div class="box">
<h2>${t(isLater ? text.locked : text.noAccess)}</h2>
<p>${describeReason(place, context)}</p>
<p class="actions"><a class="button main" href="${place.course.path}">${t(text.toCourse)}</a></p>
</div>
</article>`,
  })
}
