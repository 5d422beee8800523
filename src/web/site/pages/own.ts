import { fill, type Phrase } from '#src/contract/language.ts'
import { formatDay, formatDuration, formatEnd } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { inSchool } from '../header.ts'
import type {
  Enrolled,
  EnrollmentView,
  OrderView,
  OwnProductView,
  ProgressView,
  RegistrationView,
  SubscriptionView,
} from '../own.ts'
import type { CourseView, OutlineView } from '../reads.ts'
import type { PageRequest } from '../respond.ts'
import { stickyBar } from './item-page.ts'
import { coursePicture } from './picture.ts'
import { progressBar } from './progress.ts'

const text = texts.site.own
const { why } = texts.learn.common

type Place = Pick<PageRequest, 'school' | 'language'>
type OutlineLesson = OutlineView['sections'][number]['lessons'][number]

/** What stands in place of the prices of what somebody has, or is about to pay: a heading and what they can do. */
type OwnOffer = { readonly title: Phrase; readonly body: Html; readonly bar?: Html }

/** The address at which somebody goes on in a course. */
const learnPath = ({ course, course_id: id, completed_at: at, current_lesson_id: lesson }: EnrollmentView): string => {
  const path = `/learn/${course?.slug ?? id}`
  return at === null && lesson !== null ? `${path}/${lesson}` : path
}

const actionName = ({ completed_at: at, percent_complete: percent }: EnrollmentView, { language }: Place): string => {
  if (at !== null) return fill(texts.words.open, language)
  return percent === 0 ? fill(texts.words.start, language) : fill(text.continueAt, language, { percent })
}

const mainLink = (path: string, name: string): Html =>
  html`<p class="actions"><a class="button main" href="${path}">${name}</a></p>`

/** The lesson that comes next for somebody, where the page has it in its outline. */
const findNextLesson = (
  { completed_at: at, current_lesson_id: id }: EnrollmentView,
  outline: OutlineView | undefined,
): OutlineLesson | undefined =>
  at === null ? outline?.sections.flatMap(({ lessons }) => lessons).find(lesson => lesson.id === id) : undefined

const lessonName = ({ name, duration_seconds: seconds }: OutlineLesson, place: Place): Html =>
  html`<span${inSchool(place)}>${name}</span>${seconds !== null && html`, ${formatDuration(seconds, place.language)}`}`

const untilLine = (
  { until }: EnrollmentView['access'],
  [endless, ending]: readonly [Phrase, Phrase],
  { school, language }: Place,
): Html =>
  html`<p class="hint">${
    until === null
      ? fill(endless, language)
      : fill(ending, language, { day: formatEnd(until, school.timeZone, language) })
  }</p>`

// Access that somebody was given and cannot use at present.
const closedWords = ({ state, from }: EnrollmentView['access'], { school, language }: Place): string => {
  if (state !== 'upcoming') return fill(why.held, language)
  if (from === null) return fill(why.soon, language)
  return fill(why.upcoming, language, { day: formatDay(from, school.timeZone, language) })
}

const waitingOffer = ({ number }: OrderView, { language }: Place): OwnOffer => ({
  title: text.waiting,
  body: html`<p>${fill(text.waitingAbout, language, { number })}</p>
${mainLink(`/account/orders/${number}`, fill(text.toOrder, language))}`,
})

/** What somebody has of a course. */
export type OwnCourse = {
  readonly enrollment?: EnrollmentView | undefined
  /** Where the enrollment gives access now. */
  readonly progress?: ProgressView | undefined
  readonly waiting?: OrderView | undefined
}

const renderThrough = (percent: number, progress: ProgressView | undefined, place: Place): Html =>
  html`<p class="own-through">${fill(texts.site.offer.through, place.language, { percent })}</p>
${progressBar(percent, place, '')}
${progress !== undefined && html`<p class="hint">${fill(texts.learn.common.counted, place.language, { done: progress.completed_count, all: progress.required_count })}</p>`}`

const learningOffer = (
  enrollment: EnrollmentView,
  { course, outline, progress }: { course: CourseView; outline: OutlineView; progress: ProgressView | undefined },
  place: Place,
): OwnOffer => {
  const { percent_complete: percent, completed_at: at, access } = enrollment
  const next = findNextLesson({ ...enrollment, current_lesson_id: progress?.current_lesson_id ?? null }, outline)
  const path = learnPath({ ...enrollment, course })
  return {
    title: text.course,
    body: html`${at === null ? percent > 0 && renderThrough(percent, progress, place) : html`<p><span class="badge">${fill(texts.words.completed, place.language)}</span></p>`}
${next !== undefined && html`<p class="own-next">${fill(texts.learn.common.course.next, place.language, { lesson: '' })}${lessonName(next, place)}</p>`}
${mainLink(path, actionName(enrollment, place))}
${untilLine(access, [text.enrolled, text.enrolledUntil], place)}`,
    bar: stickyBar({
      path,
      name: actionName(enrollment, place),
      main: next === undefined ? course.name : lessonName(next, place),
    }),
  }
}

/** What somebody who has a course, or waits for it, finds in place of its prices; undefined for anybody else. */
export const courseOffer = (
  { enrollment, progress, waiting }: OwnCourse,
  course: CourseView,
  outline: OutlineView,
  place: Place,
): OwnOffer | undefined => {
  const state = enrollment?.access.state
  if (enrollment !== undefined && state === 'active')
    return learningOffer(enrollment, { course, outline, progress }, place)
  if (waiting !== undefined) return waitingOffer(waiting, place)
  if (enrollment === undefined || (state !== 'held' && state !== 'upcoming')) return undefined
  return { title: text.course, body: html`<p>${closedWords(enrollment.access, place)}</p>` }
}

/** What somebody has of a product. */
export type OwnProduct = { readonly product?: OwnProductView | undefined; readonly waiting?: OrderView | undefined }

/** The same for a product. */
export const productOffer = ({ product, waiting }: OwnProduct, place: Place): OwnOffer | undefined => {
  if (product === undefined) return waiting && waitingOffer(waiting, place)
  return {
    title: text.yours,
    body: html`${mainLink('/account/downloads', fill(texts.words.download, place.language))}
${product.access.until !== null && untilLine(product.access, [text.yours, text.yoursUntil], place)}`,
  }
}

const periodLine = (
  { cancel_at: ends, next_charge_at: next }: SubscriptionView,
  { school, language }: Place,
): Html | false => {
  const at = ends ?? next
  if (at === null) return false
  const day = formatDay(at, school.timeZone, language)
  return html`<p class="hint">${fill(ends === null ? text.renews : text.ends, language, { day })}</p>`
}

/** What somebody has of a plan. */
export type OwnPlan = {
  readonly subscription?: SubscriptionView | undefined
  readonly waiting?: OrderView | undefined
}

/** The same for a plan. */
export const planOffer = ({ subscription, waiting }: OwnPlan, place: Place): OwnOffer | undefined => {
  if (subscription === undefined) return waiting && waitingOffer(waiting, place)
  return {
    title: text.plan,
    body: html`${mainLink(`/account/subscriptions/${subscription.id}`, fill(text.manage, place.language))}
${periodLine(subscription, place)}`,
  }
}

/** The seats that somebody has at an event, and their orders that wait for payment. */
export type OwnSeats = { readonly registrations: readonly RegistrationView[]; readonly waiting: readonly OrderView[] }

const seatName = ({ status }: RegistrationView): Phrase => {
  if (status === 'confirmed' || status === 'checked_in') return text.ticket
  return status === 'awaiting_payment' ? text.waiting : texts.account.registrations.statuses[status]
}

/** Links to the seats of somebody at one date, in place of the link to register. */
export const seatLinks = (
  { registrations, waiting }: OwnSeats,
  occurrenceId: string,
  when: string,
  { language }: Place,
): Html | false => {
  const own = registrations.filter(({ occurrence_id: id }) => id === occurrenceId)
  return (
    own.length > 0 &&
    html`<p class="actions">${own.map(one => {
      const order = one.status === 'awaiting_payment' && waiting.find(({ id }) => id === one.order_id)
      const path = order ? `/account/orders/${order.number}` : `/account/registrations/${one.id}`
      const name = fill(seatName(one), language)
      return html`<a class="button own-seat" href="${path}" aria-label="${name}: ${when}">${name}</a>\n`
    })}</p>`
  )
}

/** The foot of a card of a course: how far somebody has come in it, or what it costs and how much there is to learn. */
export const courseFoot = (
  courseId: string,
  { enrolled, ...place }: Place & { readonly enrolled?: Enrolled | undefined },
  price: Html | false,
  size = '',
): Html => {
  const enrollment = enrolled?.get(courseId)
  if (enrollment === undefined)
    return html`<p class="card-foot">${price}${size !== '' && html`<span class="fact">${size}</span>`}</p>`
  const { completed_at: at, percent_complete: percent, course_name: name } = enrollment
  const action = fill(percent === 0 ? texts.words.start : texts.words.continue, place.language)
  const label = fill(texts.learn.common.home.aboutCourse, place.language, { action, course: name })
  return at === null
    ? html`<div class="card-foot own-foot">${progressBar(percent, place, `${percent} %`)} <a class="above-cover" href="${learnPath(enrollment)}" aria-label="${label}">${action}</a></div>`
    : html`<p class="card-foot"><span class="badge">${fill(texts.words.completed, place.language)}</span></p>`
}

/** What somebody was doing: the course in which they go on, with the lesson that comes next. */
export const resumeBand = (
  enrollment: EnrollmentView,
  outline: OutlineView | undefined,
  name: string,
  place: Place,
): Html => {
  const { course_id: id, course_name: course, course: shown, percent_complete: percent } = enrollment
  const next = findNextLesson(enrollment, outline)
  return html`<div class="band resume-band"><div class="wrap"><section class="resume" aria-labelledby="resume">
${coursePicture({ id, name: course, image: shown?.image ?? null }, '12rem')}
<div class="resume-text">
<h2 class="resume-title" id="resume">${fill(text.welcome, place.language, { name })}</h2>
<p><strong${inSchool(place)}>${course}</strong>${next !== undefined && html` · ${fill(texts.learn.common.course.next, place.language, { lesson: '' })}${lessonName(next, place)}`}</p>
${progressBar(percent, place, `${percent} %`)}
</div>
<a class="button main" href="${learnPath(enrollment)}">${fill(percent === 0 ? texts.words.start : texts.words.continue, place.language)}</a>
</section></div></div>`
}

/** An order that waits for the payment of somebody, above the home page. */
export const waitingBand = ({ number }: OrderView, name: string, { language }: Place): Html =>
  html`<div class="band resume-band"><div class="wrap"><section class="resume" aria-labelledby="resume">
<div class="resume-text">
<h2 class="resume-title" id="resume">${fill(text.welcome, language, { name })}</h2>
<p>${fill(text.waitingAbout, language, { number })}</p>
</div>
<a class="button main" href="/account/orders/${number}">${fill(text.toOrder, language)}</a>
</section></div></div>`
