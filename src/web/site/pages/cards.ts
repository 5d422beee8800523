import { fill, type Language } from '#src/contract/language.ts'
import { stripMarkdown } from '#src/kit/body/plain.ts'
import { formatDay, formatDuration, formatNumber, formatRating } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { shortened } from '../frame.ts'
import { inSchool } from '../header.ts'
import type { CourseView, LecturerView, ReviewView } from '../reads.ts'
import type { PageRequest } from '../respond.ts'
import { siteText } from '../text.ts'
import { renderStars } from './icons.ts'
import { courseFoot } from './own.ts'
import { coursePicture, portrait } from './picture.ts'
import { cardPrice } from './prices.ts'

const { course: text } = siteText

/** A rating in stars. */
export const drawRating = (rating: number, language: Language): Html =>
  renderStars(rating, fill(text.outOf, language, { rating: formatNumber(rating, language, 1) }))

/** The average rating of a course and how many reviews it has. */
export const ratingLine = (course: CourseView, { language }: PageRequest): Html | false =>
  course.rating_average !== null &&
  html`<span class="rating">${drawRating(course.rating_average, language)} <strong>${formatRating(course.rating_average, language)}</strong> <span class="fact">(${fill(text.reviewCount, language, { n: course.rating_count })})</span></span>`

/** How much there is to learn, such as `9 lessons · 1 hr 20 min`; empty where there is nothing. */
export const sizeText = (
  { lesson_count: lessons, duration_seconds: seconds }: Pick<CourseView, 'lesson_count' | 'duration_seconds'>,
  language: Language,
): string =>
  [
    ...(lessons === 0 ? [] : [fill(text.lessonCount, language, { n: lessons })]),
    ...(seconds === 0 ? [] : [formatDuration(seconds, language)]),
  ].join(' · ')

const SIZES = '(min-width: 70rem) 23rem, (min-width: 42rem) 46vw, 92vw'

/** The rating and the sizes of a course, and more about it. */
export const renderFacts = (
  course: CourseView,
  page: PageRequest,
  ...more: readonly (Html | false)[]
): Html | false => {
  const size = sizeText(course, page.language)
  const facts = [ratingLine(course, page), ...more, size !== '' && html`<span class="fact">${size}</span>`]
  return facts.some(fact => fact !== false) && html`<p class="facts">${facts}</p>`
}

const courseCard = (course: CourseView, page: PageRequest, level: 2 | 3): Html => {
  const attributes = inSchool(page)
  const name = html`<a class="cover" href="/courses/${course.slug}"${attributes}>${course.name}</a>`
  return html`<li class="card">
${coursePicture(course, SIZES)}
<div class="card-text">
${level === 2 ? html`<h2 class="card-name">${name}</h2>` : html`<h3 class="card-name">${name}</h3>`}
${course.subtitle !== '' && html`<p class="subtitle"${attributes}>${course.subtitle}</p>`}
${course.rating_average !== null && html`<p class="facts">${ratingLine(course, page)}</p>`}
${courseFoot(course.id, page, cardPrice(course, page.language), sizeText(course, page.language))}
</div>
</li>
`
}

/** A grid of courses; `level` is that of their headings. */
export const courseGrid = (
  courses: readonly CourseView[],
  page: PageRequest,
  level: 2 | 3,
): Html => html`<ul class="grid">
${courses.map(course => courseCard(course, page, level))}</ul>`

/** Lecturers with their pictures and the beginnings of their biographies; `level` is that of their headings. */
export const lecturerGrid = (
  lecturers: readonly LecturerView[],
  page: Pick<PageRequest, 'school' | 'language'>,
  level: 2 | 3,
): Html => html`<ul class="people">
${lecturers.map(lecturer => {
  const attributes = inSchool(page)
  const name = html`<a class="cover" href="/lecturers/${lecturer.slug}"${attributes}>${lecturer.display_name}</a>`
  return html`<li class="person">
${portrait(lecturer)}
<div>
${level === 2 ? html`<h2 class="person-name">${name}</h2>` : html`<h3 class="person-name">${name}</h3>`}
<p class="person-about"${attributes}>${shortened(stripMarkdown(lecturer.bio), 140)}</p>
</div>
</li>
`
})}</ul>`

/** One review; `about` says of which course, where that is not clear. */
export const reviewCard = (review: ReviewView, page: PageRequest, about?: Html): Html => {
  const { language } = page
  const attributes = inSchool(page)
  return html`<li class="review">
<p>${drawRating(review.rating, language)}</p>
<blockquote${attributes}>
${review.title !== null && html`<p class="review-title">${review.title}</p>`}
${review.body.split(/\n{2,}/).map(paragraph => html`<p>${paragraph}</p>\n`)}</blockquote>
<p class="author"><bdi>${review.author.name}</bdi>${review.published_at !== null && html` <time class="about" datetime="${review.published_at}">${formatDay(review.published_at, page.school.timeZone, language)}</time>`}${about !== undefined && html` <span class="about">${about}</span>`}</p>
${
  review.reply !== null &&
  html`<div class="reply"><p class="fact">${fill(text.reply, language, { name: review.reply.author.name })}</p>
<p${attributes}>${review.reply.body}</p></div>`
}</li>
`
}
