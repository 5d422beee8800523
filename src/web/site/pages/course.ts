import { fill, type Phrase } from '#src/contract/language.ts'
import { formatDuration } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { inSchool, signUpPath } from '../header.ts'
import type { CourseView, OutlineView, ReviewView } from '../reads.ts'
import type { PageRequest } from '../respond.ts'
import { siteText } from '../text.ts'
import { lecturerGrid, ratingLine, renderFacts, reviewCard } from './cards.ts'
import { lessonIcons } from './icons.ts'
import { markdown } from './markdown.ts'
import { courseOffer, type OwnCourse } from './own.ts'
import { coursePicture } from './picture.ts'
import { canBuy, type PriceTerms, priceList } from './prices.ts'

type CoursePageView = {
  readonly page: PageRequest
  readonly terms: PriceTerms
  readonly course: CourseView
  readonly outline: OutlineView
  readonly reviews: readonly ReviewView[]
  /** The comments below the page. */
  readonly comments: Html | false
  /** What holds for who is signed in. */
  readonly own: OwnCourse
}

type OutlineSection = OutlineView['sections'][number]
type OutlineLesson = OutlineSection['lessons'][number]

const { course: text, lessonTypes } = siteText

// A short outline shows all of its lessons at first, a longer one those of a short first section.
const OPEN_LESSONS = 15

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
${renderFacts(course, page, names.length > 0 && html`<span class="fact">${fill(text.by, language)} ${names}</span>`)}
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

const renderPrices = ({ page, terms, course }: CoursePageView): Html => {
  const { school, person } = page
  const isNew = person === undefined && school.signupMode === 'open'
  const signUp = !canBuy(course, 'free') && isNew && signUpLink(`/courses/${course.slug}`, page)
  return html`${priceList(course, terms, { elsewhere: 'free' })}
${hasFreeSeat(course) ? enrollLink(course, page) : signUp}`
}

const renderOffer = (view: CoursePageView): Html => {
  const { page, course, outline, own } = view
  const offer = courseOffer(own, course, outline, page)
  return html`<aside class="offer" aria-labelledby="prices">
${coursePicture(course, '(min-width: 60rem) 24rem, 92vw', true)}
<div class="offer-text">
<h2 class="offer-title" id="prices">${fill(offer?.title ?? text.prices, page.language)}</h2>
${offer?.body ?? renderPrices(view)}
</div>
</aside>`
}

const lessonLine = (lesson: OutlineLesson, { page, course, own }: CoursePageView): Html => {
  const { language } = page
  const isOpen = own.enrollment?.access.state === 'active'
  const name = isOpen
    ? html`<a href="/learn/${course.slug}/${lesson.id}"${inSchool(page)}>${lesson.name}</a>`
    : html`<span${inSchool(page)}>${lesson.name}</span>`
  const type: Phrase = lessonTypes[lesson.type]
  const label = fill(text.previewOf, language, { lesson: lesson.name })
  return html`<li>${lessonIcons[lesson.type]}<span class="lesson-name">${name} <span class="lesson-about">${fill(type, language)}${lesson.duration_seconds !== null && html`, ${formatDuration(lesson.duration_seconds, language)}`}</span></span>${
    lesson.preview &&
    !isOpen &&
    html` <a class="preview-link" href="/courses/${course.slug}/preview/${lesson.id}" aria-label="${label}">${fill(text.preview, language)}</a>`
  }</li>
`
}

const renderSection = (section: OutlineSection, view: CoursePageView, isOpen: boolean): Html => {
  const { page } = view
  const count = fill(text.lessonCount, page.language, { n: section.lessons.length })
  return html`<details${isOpen && html` open`}>
<summary class="section-line"><h3 class="section-name"${inSchool(page)}>${section.name}</h3> <span class="section-size">${count}</span></summary>
<ul class="lessons">
${section.lessons.map(lesson => lessonLine(lesson, view))}</ul>
</details>
`
}

const renderOutline = (view: CoursePageView): Html | false => {
  const { page, outline } = view
  if (outline.sections.length === 0) return false
  const lessons = outline.sections.reduce((sum, section) => sum + section.lessons.length, 0)
  return html`<section aria-labelledby="outline">
<h2 id="outline">${fill(text.outline, page.language)}</h2>
<div class="outline">
${outline.sections.map((section, index) => renderSection(section, view, lessons <= OPEN_LESSONS || (index === 0 && section.lessons.length <= OPEN_LESSONS)))}</div>
</section>`
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

const renderReviews = ({ page, course, reviews }: CoursePageView): Html | false =>
  reviews.length > 0 &&
  html`<section aria-labelledby="reviews">
<div class="section-head"><h2 id="reviews">${fill(text.reviews, page.language)}</h2> ${ratingLine(course, page)}</div>
<ul class="reviews">
${reviews.map(review => reviewCard(review, page))}</ul>
</section>`

const renderBody = (view: CoursePageView): readonly (Html | false)[] => {
  const parts = [renderAbout(view), renderOutline(view), renderLecturers(view), renderReviews(view)]
  const isEmpty = parts.every(part => part === false)
  const nothing = html`<p class="nothing">${fill(text.empty, view.page.language)}</p>`
  return [...(isEmpty ? [nothing] : parts), view.comments]
}

/** The content of the page of a course. */
export const courseMain = (view: CoursePageView): Html => html`<div class="band course-band"><div class="wrap">
${renderHead(view)}
</div></div>
<div class="wrap course-grid">
${renderOffer(view)}
<div class="course-body">
${renderBody(view).map(part => html`${part}\n`)}</div>
</div>`
