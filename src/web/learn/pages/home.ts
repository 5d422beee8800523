import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { coursePicture, inSchool } from '#src/web/site/index.ts'
import { framed } from '../frame.ts'
import type { EnrollmentView } from '../own-course.ts'
import { learnText } from '../text.ts'
import type { Visit } from '../visit.ts'
import { whyClosed } from './access.ts'
import { progressBar } from './progress.ts'

const { home: text } = learnText
const SIZES = '(min-width: 70rem) 23rem, (min-width: 42rem) 46vw, 92vw'

/** The address of a course for those who learn in it. */
const pathOf = ({ course, course_id: id }: EnrollmentView): string => `/learn/${course?.slug ?? id}`

const actionOf = ({ completed_at: at, percent_complete: percent }: EnrollmentView) => {
  if (at !== null) return text.open
  return percent === 0 ? text.start : text.continue
}

const card = (enrollment: EnrollmentView, visit: Visit): Html => {
  const { language } = visit
  const { course_name: name, course_id: id, course, completed_at: at, current_lesson_id: current } = enrollment
  const path = pathOf(enrollment)
  const action = fill(actionOf(enrollment), language)
  const to = at === null && current !== null ? `${path}/${current}` : path
  return html`<li class="own-course">
${coursePicture({ id, name, image: course?.image ?? null }, SIZES)}
<div class="card-text">
<h2 class="card-name"><a class="quiet-link" href="${path}"${inSchool(visit)}>${name}</a></h2>
${at !== null && html`<p><span class="badge">${fill(text.done, language)}</span></p>`}
${progressBar(enrollment.percent_complete, visit)}
<p class="card-foot"><a class="button${at === null && html` main`}" href="${to}" aria-label="${fill(text.aboutCourse, language, { action, course: name })}">${action}</a></p>
</div>
</li>
`
}

// The lessons of a course that has ended can still be named, except where the school does not show it.
const closedItem = (enrollment: EnrollmentView, visit: Visit): Html => {
  const { course_name: name, course, access } = enrollment
  const isLinked = course !== undefined && access.state !== 'unpublished'
  return html`<li><span class="closed-name"${inSchool(visit)}>${isLinked ? html`<a href="${pathOf(enrollment)}">${name}</a>` : name}</span> <span class="quiet">${whyClosed(enrollment, visit)}</span></li>
`
}

const closedList = (closed: readonly EnrollmentView[], visit: Visit): Html | false =>
  closed.length > 0 &&
  html`<section class="closed" aria-labelledby="closed">
<h2 id="closed">${fill(text.closed, visit.language)}</h2>
<ul class="rows">
${closed.map(one => closedItem(one, visit))}</ul>
</section>`

const nothing = ({ language }: Visit): Html => html`<div class="nothing">
<p class="nothing-title">${fill(text.none, language)}</p>
<p class="quiet">${fill(text.noneHint, language)}</p>
<p class="actions centered"><a class="button main" href="/courses">${fill(learnText.catalogue, language)}</a></p>
</div>`

/** The courses of a person: those that they can use now, then the others and why they cannot. */
export const homePage = (visit: Visit, enrollments: readonly EnrollmentView[]): Reply => {
  const { language } = visit
  const open = enrollments.filter(({ access }) => access.state === 'active')
  const closed = enrollments.filter(({ access }) => access.state !== 'active')
  return framed(visit, {
    title: fill(learnText.title, language),
    isHome: true,
    main: html`<div class="wrap learn-home">
<h1>${fill(learnText.title, language)}</h1>
${open.length > 0 ? html`<ul class="grid">\n${open.map(one => card(one, visit))}</ul>` : nothing(visit)}
${closedList(closed, visit)}
${open.length > 0 && html`<p class="more"><a href="/courses">${fill(learnText.catalogue, language)}</a></p>`}
</div>`,
  })
}
