import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import { formatDay, formatEnd } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { coursePicture, inSchool, lecturerGrid } from '#src/web/site/index.ts'
import { formOf, framed, type Notice, noticeHtml } from '../frame.ts'
import { lessonToContinue } from '../lessons.rules.ts'
import type { OwnCourse } from '../own-course.ts'
import { learnText } from '../text.ts'
import type { Visit } from '../visit.ts'
import { whyClosed } from './access.ts'
import { outlineOf } from './outline.ts'
import { progressBar } from './progress.ts'

type CoursePageView = {
  readonly course: OwnCourse
  /** The page of the certificate of this course. */
  readonly certificateUrl: string | undefined
  readonly notice: Notice | undefined
}

const { course: text } = learnText

const progressOf = ({ progress }: OwnCourse, visit: Visit): Html | false => {
  if (progress === undefined) return false
  const { percent_complete: percent, completed_count: done, required_count: all } = progress
  const words = all === 0 ? undefined : fill(learnText.counted, visit.language, { done, all })
  return progressBar(percent, visit, words)
}

// Leaving a lesson out completes the course for nobody, so whoever lacks nothing finishes it here.
const finishOf = ({ path }: OwnCourse, visit: Visit): Html =>
  html`<p>${fill(text.finishAbout, visit.language)}</p>
${formOf(visit, path, html`<p class="actions"><button type="submit" class="main">${fill(text.finish, visit.language)}</button></p>`)}`

const completedOf = ({ course, certificateUrl }: CoursePageView, visit: Visit): Html | false => {
  const { language, timeZone } = visit
  const at = course.enrollment?.completed_at
  if (at === undefined) return false
  if (at === null) return course.progress?.percent_complete === 100 && finishOf(course, visit)
  return html`<p class="completed">${fill(text.completed, language, { day: formatDay(at, timeZone, language) })}${
    certificateUrl !== undefined &&
    html` <a class="button" href="${certificateUrl}">${fill(text.certificate, language)}</a>`
  }</p>`
}

const continueOf = (course: OwnCourse, visit: Visit): Html | false => {
  const { language } = visit
  const lesson = lessonToContinue(course)
  if (lesson === undefined) return html`<p class="quiet">${fill(text.nothingOpen, language)}</p>`
  const { enrollment, progress } = course
  const isOver = typeof enrollment?.completed_at === 'string'
  const hasBegun = progress?.lessons.some(one => one.completed_at !== null) ?? false
  const action = isOver ? text.again : hasBegun ? text.continue : text.start
  return html`<p class="actions"><a class="button main" href="${course.path}/${lesson.id}">${fill(action, language)}</a></p>
<p class="hint-line">${fill(text.next, language, { lesson: '' })}<span${inSchool(visit)}>${lesson.name}</span></p>`
}

const accessOf = (course: OwnCourse, visit: Visit): Html | false => {
  const { language, timeZone } = visit
  const { enrollment, canManage, path } = course
  if (enrollment === undefined)
    return canManage && html`<p class="notice">${fill(text.manager, language)}</p>${continueOf(course, visit)}`
  const why = whyClosed(enrollment, visit)
  if (why !== undefined && !canManage)
    return html`<p class="notice refused">${why} ${fill(text.progressKept, language)}</p>
${course.course !== undefined && html`<p class="actions"><a class="button" href="${path.replace('/learn/', '/courses/')}">${fill(text.toCourse, language)}</a></p>`}`
  const { until } = enrollment.access
  return html`${continueOf(course, visit)}
${until !== null && html`<p class="quiet">${fill(learnText.until, language, { day: formatEnd(until, timeZone, language) })}</p>`}`
}

const lecturersOf = ({ course }: OwnCourse, visit: Visit): Html | false => {
  const lecturers = course?.lecturers ?? []
  return (
    lecturers.length > 0 &&
    html`<section aria-labelledby="lecturers">
<h2 id="lecturers">${fill(text.lecturers, visit.language)}</h2>
${lecturerGrid(lecturers, visit, 3)}
</section>`
  )
}

const lessonsHtml = (course: OwnCourse, visit: Visit): Html =>
  html`<section aria-labelledby="lessons">
<h2 id="lessons">${fill(text.outline, visit.language)}</h2>
${
  course.sections.length === 0
    ? html`<p class="nothing">${fill(text.empty, visit.language)}</p>`
    : html`<div class="learn-outline">\n${outlineOf(course, visit, { hasFacts: true })}</div>`
}
</section>`

// A course without a picture has none here: its initial says nothing beside its name.
const pictureOf = ({ course }: OwnCourse): Html | false =>
  course !== undefined && course.image !== null && coursePicture(course, '(min-width: 48rem) 18rem, 92vw', true)

/** A course for those who learn in it: where to go on, the lessons, and who teaches. */
export const coursePage = (visit: Visit, view: CoursePageView): Reply => {
  const { course, notice } = view
  return framed(visit, {
    title: course.name,
    main: html`<div class="wrap narrow learn-course">
${noticeHtml(notice)}
<div class="learn-head">
${pictureOf(course)}
<div class="learn-head-text">
<h1${inSchool(visit)}>${course.name}</h1>
${progressOf(course, visit)}
${completedOf(view, visit)}
${accessOf(course, visit)}
</div>
</div>
${lessonsHtml(course, visit)}
${lecturersOf(course, visit)}
</div>`,
  })
}
