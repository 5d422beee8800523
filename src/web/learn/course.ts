import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formatEnd } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { form, page, redirect, shownAgain } from '#src/web/page/index.ts'
import { coursePicture, inSchool, lecturerGrid, progressBar } from '#src/web/site/index.ts'
import { framed, noticeHtml } from './frame.ts'
import { lessonToContinue } from './lessons.rules.ts'
import { buildNotice, refusalNotice } from './notices.ts'
import { type OwnCourse, readOwnCourse } from './own-course.ts'
import { whyClosed } from './pages/access.ts'
import { readFinished, renderFinished } from './pages/finished.ts'
import { renderOutline } from './pages/outline.ts'
import { type LearnContext, learners } from './parts.ts'
import { learnText } from './text.ts'

/** Whether a course is only on the site for somebody: they neither learn in it nor manage it. */
export const isForeign = ({ enrollment, canManage }: OwnCourse): boolean => enrollment === undefined && !canManage

/** The address of a course on the site. */
export const onSite = ({ course, id }: OwnCourse): string => `/courses/${course?.slug ?? id}`

const { course: text } = learnText

const renderProgress = ({ progress }: OwnCourse, context: LearnContext): Html | false => {
  if (progress === undefined) return false
  const { percent_complete: percent, completed_count: done, required_count: all } = progress
  const words = all === 0 ? undefined : context.t(learnText.counted, { done, all })
  return progressBar(percent, context, words)
}

// Leaving a lesson out completes the course for nobody, so whoever lacks nothing finishes it here.
const renderFinish = ({ path }: OwnCourse, context: LearnContext): Html =>
  html`<p>${context.t(text.finishAbout)}</p>
${context.form(html`<p class="actions"><button type="submit" class="main">${context.t(text.finish)}</button></p>`, path)}`

const renderCompleted = (course: OwnCourse, context: LearnContext): Html | false => {
  const at = course.enrollment?.completed_at
  if (at === null) return course.progress?.percent_complete === 100 && renderFinish(course, context)
  return at !== undefined && html`<p class="completed">${context.t(text.completed, { day: context.day(at) })}</p>`
}

const renderContinue = (course: OwnCourse, context: LearnContext): Html | false => {
  const { t } = context
  const lesson = lessonToContinue(course)
  if (lesson === undefined) return html`<p class="quiet">${t(text.nothingOpen)}</p>`
  const { enrollment, progress } = course
  const isOver = typeof enrollment?.completed_at === 'string'
  const hasBegun = progress?.lessons.some(one => one.completed_at !== null) ?? false
  const action = isOver ? text.again : hasBegun ? text.continue : text.start
  return html`<p class="actions"><a class="button main" href="${course.path}/${lesson.id}">${t(action)}</a></p>
${!isOver && html`<p class="hint-line">${t(text.next, { lesson: '' })}<span${inSchool(context)}>${lesson.name}</span></p>`}`
}

const renderAccess = (course: OwnCourse, context: LearnContext): Html | false => {
  const { t, language, timeZone } = context
  const { enrollment, canManage, path } = course
  if (enrollment === undefined)
    return canManage && html`<p class="notice">${t(text.manager)}</p>${renderContinue(course, context)}`
  const why = whyClosed(enrollment, context)
  if (why !== undefined && !canManage)
    return html`<p class="notice refused">${why} ${t(text.progressKept)}</p>
${course.course !== undefined && html`<p class="actions"><a class="button" href="${path.replace('/learn/', '/courses/')}">${t(text.toCourse)}</a></p>`}`
  const { until } = enrollment.access
  return html`${renderContinue(course, context)}
${until !== null && html`<p class="quiet">${t(learnText.until, { day: formatEnd(until, timeZone, language) })}</p>`}`
}

const renderLecturers = ({ course }: OwnCourse, context: LearnContext): Html | false => {
  const lecturers = course?.lecturers ?? []
  return (
    lecturers.length > 0 &&
    html`<section aria-labelledby="lecturers">
<h2 id="lecturers">${context.t(text.lecturers)}</h2>
${lecturerGrid(lecturers, context, 3)}
</section>`
  )
}

const lessonsHtml = (course: OwnCourse, context: LearnContext): Html =>
  html`<section aria-labelledby="lessons">
<h2 id="lessons">${context.t(text.outline)}</h2>
${
  course.sections.length === 0
    ? html`<p class="nothing">${context.t(text.empty)}</p>`
    : html`<div class="learn-outline">\n${renderOutline(course, context, { hasFacts: true })}</div>`
}
</section>`

// A course without a picture has none here: its initial says nothing beside its name.
const renderPicture = ({ course }: OwnCourse): Html | false =>
  course !== undefined && course.image !== null && coursePicture(course, '(min-width: 48rem) 18rem, 92vw', 'first')

// Where the person has completed it, the page is about that first.
const renderTitle = ({ name }: OwnCourse, isFinished: boolean, context: LearnContext): Html =>
  isFinished ? html`<h2${inSchool(context)}>${name}</h2>` : html`<h1${inSchool(context)}>${name}</h1>`

const show = async (context: LearnContext, refusal?: Refusal): Promise<Reply> => {
  const course = await readOwnCourse(context)
  if (isForeign(course)) return redirect(onSite(course))
  const finished = await readFinished(context, course)
  return framed(context, {
    title: course.name,
    ...(refusal && { status: refusal.problem.status }),
    main: html`<div class="wrap narrow learn-course">
${noticeHtml(refusal === undefined ? buildNotice(context, course) : refusalNotice(refusal, context))}
${finished !== undefined && renderFinished(course, finished, context)}<div class="learn-head">
${renderPicture(course)}
<div class="learn-head-text">
${renderTitle(course, finished !== undefined, context)}
${renderProgress(course, context)}
${renderCompleted(course, context)}
${renderAccess(course, context)}
</div>
</div>
${lessonsHtml(course, context)}
${renderLecturers(course, context)}
</div>`,
  })
}

/** GET and POST /learn/:course: a course with what the person has done in it, and who lacks nothing of it finishes it. */
export const coursePages = [
  page('GET /learn/:course', learners, async context => {
    // “Start” of other pages leads to the first lesson, without another page between.
    const course = context.query.get('start') === null ? undefined : await readOwnCourse(context)
    const first = course && lessonToContinue(course)
    return first === undefined ? show(context) : redirect(`${course?.path}/${first.id}`)
  }),
  form('POST /learn/:course', learners, async context => {
    const { enrollment, path } = await readOwnCourse(context)
    if (enrollment === undefined) return show(context)
    return shownAgain(
      async () => {
        await context.call({ operation: 'completeAccountEnrollment', params: { enrollment_id: enrollment.id } })
        return `${path}?done=finished`
      },
      refusal => show(context, refusal),
    )
  }),
]
