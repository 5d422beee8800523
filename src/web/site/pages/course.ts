import { fill, type Language } from '#src/contract/language.ts'
import { formatDate, formatDay, formatDuration } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { inSchool, signUpPath } from '../header.ts'
import type { ProgressView } from '../own.ts'
import type { CourseView, OutlineView, PlanView, ReviewView } from '../reads.ts'
import type { PageRequest } from '../respond.ts'
import { siteText } from '../text.ts'
import { lecturerGrid, ratingLine, renderFacts, reviewCard, sizeText } from './cards.ts'
import { icons, lessonIcons } from './icons.ts'
import { itemPage, stickyBar } from './item-page.ts'
import { markdown } from './markdown.ts'
import { courseOffer, type OwnCourse } from './own.ts'
import { coursePicture } from './picture.ts'
import { buyBar, canBuy, type PriceTerms, priceOffer, priceText } from './prices.ts'

type CoursePageView = {
  readonly page: PageRequest
  readonly terms: PriceTerms
  readonly course: CourseView
  readonly outline: OutlineView
  readonly reviews: readonly ReviewView[]
  /** The plans that open the course. */
  readonly plans: readonly PlanView[]
  readonly hasCertificate: boolean
  /** The time, where a lesson opens on a day. */
  readonly now: Date | undefined
  /** The comments below the page. */
  readonly comments: Html | false
  /** What holds for who is signed in. */
  readonly own: OwnCourse
}

type OutlineSection = OutlineView['sections'][number]
type OutlineLesson = OutlineSection['lessons'][number]

const { course: text, lessonTypes } = siteText
const { offer: offerText } = texts.site
const { marks } = texts.learn.common

// A short outline shows all of its lessons at first, a longer one those of a short first section.
const OPEN_LESSONS = 15

// Fewer recommend no course.
const MANY_STUDENTS = 10

const renderNames = ({ lecturers = [] }: CourseView, page: PageRequest): Html[] =>
  lecturers.map(
    ({ slug, display_name: name }, index) =>
      html`${index > 0 && ', '}<a href="/lecturers/${slug}"${inSchool(page)}>${name}</a>`,
  )

const renderHead = ({ page, course }: CoursePageView): Html => {
  const { language } = page
  const attributes = inSchool(page)
  const names = renderNames(course, page)
  const [category] = course.categories ?? []
  return html`<div class="course-head">
<p class="crumbs"><a href="/courses">${fill(siteText.courses, language)}</a>${
    category !== undefined &&
    html` <span aria-hidden="true">›</span> <a href="/courses?category=${category.slug}"${attributes}>${category.name}</a>`
  }</p>
<h1${attributes}>${course.name}</h1>
${course.subtitle !== '' && html`<p class="lead"${attributes}>${course.subtitle}</p>`}
${renderFacts(course, page, course.enrollment_count >= MANY_STUDENTS && html`<span class="fact">${fill(offerText.students, language, { n: course.enrollment_count })}</span>`, names.length > 0 && html`<span class="fact">${fill(text.by, language)} ${names}</span>`)}
</div>`
}

const hasFreeSeat = ({ prices = [] }: CourseView): boolean =>
  prices.some(({ payment_type: type, sold_out: isSoldOut }) => type === 'free' && !isSoldOut)

// Whoever is new creates an account first where they can; its page leads whoever has one to sign-in, and both back.
const enrollPath = ({ slug }: CourseView, { school, person }: PageRequest): string => {
  const path = `/account/enroll?course=${slug}`
  return person === undefined && school.signupMode === 'open' ? signUpPath(path) : path
}

const enrollLink = (course: CourseView, page: PageRequest): Html =>
  html`<p class="actions"><a class="button main" href="${enrollPath(course, page)}">${fill(text.enroll, page.language)}</a></p>`

const signUpLink = (path: string, { language }: PageRequest): Html =>
  html`<p class="actions"><a class="button main" href="${signUpPath(path)}">${fill(siteText.signUp, language)}</a></p>
<p class="hint">${fill(text.accountHint, language)}</p>`

const offerOptions = ({ page }: CoursePageView) =>
  ({ school: page.school, button: offerText.buyCourse, elsewhere: 'free' }) as const

const renderPrices = (view: CoursePageView): Html => {
  const { page, terms, course } = view
  const { school, person } = page
  const isNew = person === undefined && school.signupMode === 'open'
  const signUp = !canBuy(course, 'free') && isNew && signUpLink(`/courses/${course.slug}`, page)
  return html`${priceOffer(course, terms, offerOptions(view))}
${hasFreeSeat(course) ? enrollLink(course, page) : signUp}`
}

// What is true of the course whoever buys it.
const renderPromises = ({ page: { school, language }, outline, hasCertificate }: CoursePageView): Html | false => {
  const previews = outline.sections.flatMap(({ lessons }) => lessons).filter(({ preview }) => preview).length
  return (
    (previews > 0 || hasCertificate) &&
    html`<ul class="promises">
${previews > 0 && html`<li>${icons.play}<a href="#outline">${fill(offerText.previews, language, { n: previews })}</a></li>\n`}${hasCertificate && html`<li>${icons.award}<span>${fill(offerText.certificate, language, { school: school.name })}</span></li>\n`}</ul>`
  )
}

const renderPlans = ({ page, plans }: CoursePageView): Html | false =>
  plans.length > 0 &&
  html`<p class="hint">${fill(offerText.inPlan, page.language)} ${plans.map(
    ({ slug, name, primary_price: price }, index) =>
      html`${index > 0 && ' · '}<a href="/plans/${slug}"${inSchool(page)}>${name}</a>${price !== null && html`, ${priceText(price, page.language)}`}`,
  )}</p>`

const renderOffer = (view: CoursePageView): Html => {
  const { page, course, outline, own } = view
  const offer = courseOffer(own, course, outline, page)
  return html`<aside class="offer" aria-labelledby="prices">
${coursePicture(course, '(min-width: 60rem) 22rem, 92vw', 'beside')}
<div class="offer-text">
<h2 class="offer-title${offer === undefined && ' unseen'}" id="prices">${fill(offer?.title ?? text.prices, page.language)}</h2>
${offer?.body ?? html`${renderPrices(view)}\n${renderPromises(view)}\n${renderPlans(view)}`}
</div>
</aside>`
}

const renderBar = (view: CoursePageView): Html | false => {
  const { page, course, outline, own, terms } = view
  const offer = courseOffer(own, course, outline, page)
  if (offer !== undefined) return offer.bar ?? false
  if (!hasFreeSeat(course)) return buyBar(course, terms, offerOptions(view))
  const name = fill(text.enroll, page.language)
  return stickyBar({ path: enrollPath(course, page), name, main: fill(siteText.price.free, page.language) })
}

/** What a person has done of a lesson, where it is open to them. */
type OwnLesson = ProgressView['lessons'][number]

// When a lesson opens, where that is later; for a visitor, as its course says it.
const describeOpening = (lesson: OutlineLesson, mine: OwnLesson | undefined, { page, now }: CoursePageView): string => {
  const { school, language } = page
  const { mode, date, value } = lesson.drip
  if (mine !== undefined) {
    const { is_open: isOpen, opens_at: at } = mine
    if (isOpen || at === null) return ''
    return fill(offerText.opensOn, language, { day: formatDay(at, school.timeZone, language) })
  }
  if (mode === 'on_date' && date !== null && now !== undefined && date > now.toISOString())
    return fill(offerText.opensOn, language, { day: formatDate(date, language) })
  if (mode !== 'days_after_enrollment' || value === null || value === 0) return ''
  return fill(offerText.opensAfter, language, { n: value })
}

const describeLesson = ({ duration_seconds: seconds, type }: OutlineLesson, language: Language): string =>
  seconds === null ? fill(lessonTypes[type], language) : formatDuration(seconds, language)

const lessonName = (lesson: OutlineLesson, { page }: CoursePageView): Html =>
  html`<span class="lesson-name"${inSchool(page)}>${lesson.name}</span>`

// A lesson that somebody learns in, one that everybody may try, or one that is closed.
const lessonRow = (lesson: OutlineLesson, mine: OwnLesson | undefined, view: CoursePageView): Html => {
  const { page, course, own } = view
  const { language } = page
  const about = html`<small>${describeOpening(lesson, mine, view) || describeLesson(lesson, language)}</small>`
  const name = lessonName(lesson, view)
  if (mine?.is_open === true) {
    const isDone = mine.completed_at !== null
    const isNext = own.progress?.current_lesson_id === lesson.id
    return html`<a class="row-line" href="/learn/${course.slug}/${lesson.id}"${isNext && html` aria-current="step"`}>${isDone ? icons.done : lessonIcons[lesson.type]}${name}${isDone && html`<span class="unseen"> (${fill(marks.done, language)})</span>`}${about}</a>`
  }
  if (lesson.preview && own.progress === undefined)
    return html`<a class="row-line preview-link" href="/courses/${course.slug}/preview/${lesson.id}">${lessonIcons[lesson.type]}${name}<span class="badge">${fill(siteText.preview.badge, language)}</span>${about}</a>`
  return html`<span class="row-line">${icons.lock}${name}${about}</span>`
}

const renderLessons = ({ lessons }: OutlineSection, view: CoursePageView): Html => html`<ul class="lessons">
${lessons.map(lesson => {
  const mine = view.own.progress?.lessons.find(({ lesson_id: id }) => id === lesson.id)
  return html`<li${mine?.completed_at != null && html` class="is-done"`}>${lessonRow(lesson, mine, view)}</li>\n`
})}</ul>`

const renderSectionName = ({ name, lessons }: OutlineSection, { page }: CoursePageView): Html => {
  const seconds = lessons.reduce((sum, { duration_seconds: one }) => sum + (one ?? 0), 0)
  const size = sizeText({ lesson_count: lessons.length, duration_seconds: seconds }, page.language)
  return html`<h3 class="section-name"${inSchool(page)}>${name}</h3> <span class="section-size">${size}</span>`
}

const renderSection = (section: OutlineSection, view: CoursePageView, isOpen: boolean): Html =>
  html`<details${isOpen && html` open`}>
<summary class="section-line">${renderSectionName(section, view)}</summary>
${renderLessons(section, view)}
</details>
`

const renderOutline = (view: CoursePageView): Html | false => {
  const { page, outline } = view
  if (outline.sections.length === 0) return false
  const isShort = outline.sections.reduce((sum, { lessons }) => sum + lessons.length, 0) <= OPEN_LESSONS
  return html`<section aria-labelledby="outline">
<h2 id="outline">${fill(text.outline, page.language)}</h2>
${
  isShort
    ? outline.sections.map(
        section => html`<div class="section-line">${renderSectionName(section, view)}</div>
${renderLessons(section, view)}
`,
      )
    : outline.sections.map((section, index) =>
        renderSection(section, view, index === 0 && section.lessons.length <= OPEN_LESSONS),
      )
}</section>`
}

const renderAbout = ({ page, course }: CoursePageView): Html | false =>
  course.description !== '' &&
  html`<section aria-labelledby="about">
<h2 id="about">${fill(text.about, page.language)}</h2>
<div class="prose"${inSchool(page)}>${markdown(3, course.description)}</div>
</section>`

const renderLecturers = ({ page, course: { lecturers = [] } }: CoursePageView): Html | false =>
  lecturers.length > 0 &&
  html`<section aria-labelledby="lecturers">
<h2 id="lecturers">${fill(text.lecturers, page.language)}</h2>
${lecturerGrid(lecturers, page, 3)}
</section>`

const renderReviews = ({ page, course, reviews, own }: CoursePageView): Html | false =>
  (reviews.length > 0 || own.progress !== undefined) &&
  html`<section aria-labelledby="reviews">
<div class="section-head"><h2 id="reviews">${fill(text.reviews, page.language)}</h2> ${
    own.progress === undefined
      ? ratingLine(course, page)
      : html`<a class="button small" href="/account/reviews/${course.id}">${fill(texts.account.reviews.write, page.language)}</a>`
  }</div>
${
  reviews.length > 0 &&
  html`<ul class="reviews">
${reviews.map(review => reviewCard(review, page))}</ul>`
}
</section>`

const renderBody = (view: CoursePageView): readonly (Html | false)[] => {
  const parts = [renderAbout(view), renderOutline(view), renderLecturers(view), renderReviews(view)]
  const isEmpty = parts.every(part => part === false)
  const nothing = html`<p class="nothing">${fill(text.empty, view.page.language)}</p>`
  return [...(isEmpty ? [nothing] : parts), view.comments]
}

/** The content of the page of a course. */
export const courseMain = (view: CoursePageView): Html =>
  itemPage({ head: renderHead(view), offer: renderOffer(view), body: renderBody(view), bar: renderBar(view) })
