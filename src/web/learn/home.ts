import { EnrollmentPage, sortToContinue } from '#src/areas/learning/index.ts'
import { type Html, html } from '#src/kit/html.ts'
import { page } from '#src/web/page/index.ts'
import { coursePicture, inSchool, progressBar } from '#src/web/site/index.ts'
import { framed } from './frame.ts'
import type { EnrollmentView } from './own-course.ts'
import { whyClosed } from './pages/access.ts'
import { type LearnContext, learners } from './parts.ts'
import { learnText } from './text.ts'

const { home: text } = learnText
const SIZES = '(min-width: 70rem) 23rem, (min-width: 42rem) 46vw, 92vw'

/** The address of a course for those who learn in it. */
const buildPath = ({ course, course_id: id }: EnrollmentView): string => `/learn/${course?.slug ?? id}`

const chooseAction = ({ completed_at: at, percent_complete: percent }: EnrollmentView) => {
  if (at !== null) return text.open
  return percent === 0 ? text.start : text.continue
}

const card = (enrollment: EnrollmentView, context: LearnContext): Html => {
  const { t } = context
  const { course_name: name, course_id: id, course, completed_at: at, current_lesson_id: current } = enrollment
  const path = buildPath(enrollment)
  const action = t(chooseAction(enrollment))
  const to = at === null ? `${path}${current === null ? '?start=' : `/${current}`}` : path
  return html`<li class="own-course">
${coursePicture({ id, name, image: course?.image ?? null }, SIZES)}
<div class="card-text">
<h2 class="card-name"><a class="quiet-link" href="${path}"${inSchool(context)}>${name}</a></h2>
${at !== null && html`<p><span class="badge">${t(text.done)}</span></p>`}
${progressBar(enrollment.percent_complete, context)}
<p class="card-foot"><a class="button${at === null && html` main`}" href="${to}" aria-label="${t(text.aboutCourse, { action, course: name })}">${action}</a></p>
</div>
</li>
`
}

// The lessons of a course that has ended can still be named, except where the school does not show it.
const closedItem = (enrollment: EnrollmentView, context: LearnContext): Html => {
  const { course_name: name, course, access } = enrollment
  const isLinked = course !== undefined && access.state !== 'unpublished'
  return html`<li><span class="closed-name"${inSchool(context)}>${isLinked ? html`<a href="${buildPath(enrollment)}">${name}</a>` : name}</span> <span class="quiet">${whyClosed(enrollment, context)}</span></li>
`
}

const closedList = (closed: readonly EnrollmentView[], context: LearnContext): Html | false =>
  closed.length > 0 &&
  html`<section class="closed" aria-labelledby="closed">
<h2 id="closed">${context.t(text.closed)}</h2>
<ul class="rows">
${closed.map(one => closedItem(one, context))}</ul>
</section>`

const nothing = ({ t }: LearnContext): Html => html`<div class="nothing">
<p class="nothing-title">${t(text.none)}</p>
<p class="quiet">${t(text.noneHint)}</p>
<p class="actions centered"><a class="button main" href="/courses">${t(learnText.catalogue)}</a></p>
</div>`

/** GET /learn: the courses of a person: those that they can use now, then the others and why they cannot. */
export const homePage = page('GET /learn', learners, async context => {
  const { t, call } = context
  const { data } = await call({
    operation: 'listAccountEnrollments',
    query: [['limit', '100']],
    expand: ['course'],
    returns: EnrollmentPage,
  })
  const open = sortToContinue(data.filter(({ access }) => access.state === 'active'))
  const closed = data.filter(({ access }) => access.state !== 'active')
  return framed(context, {
    title: t(learnText.title),
    main: html`<div class="wrap learn-home">
<h1>${t(learnText.title)}</h1>
${open.length > 0 ? html`<ul class="grid">\n${open.map(one => card(one, context))}</ul>` : nothing(context)}
${closedList(closed, context)}
${open.length > 0 && html`<p class="more"><a href="/courses">${t(learnText.catalogue)}</a></p>`}
</div>`,
  })
})
