import type { Static } from 'typebox'
import type { AttemptPage, SubmissionPage } from '#src/areas/learning/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { fill, type Phrase } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import type { OwnCourse, TeacherContext } from '../audience.ts'
import { attemptLine, workLine } from '../learning/grading/entries.ts'
import { addressWith } from './lists.ts'
import type { Names } from './names.ts'
import { teachingText } from './text.ts'

const text = texts.staff.teaching.homePage

/** What the first page of somebody who teaches shows. */
export type TeachingView = {
  readonly context: TeacherContext
  readonly works: Encoded<Static<typeof SubmissionPage>>
  readonly attempts: Encoded<Static<typeof AttemptPage>>
  readonly names: Names
  readonly studentCount: number
}

const figures = ({ context: { courses, language }, works, attempts, studentCount }: TeachingView): Html => {
  const waiting = (works.total ?? 0) + (attempts.total ?? 0)
  const figure = (href: string, n: number | string, name: Phrase): Html =>
    html`<li><a href="${href}"><strong>${n}</strong> ${fill(name, language)}</a></li>\n`
  // The list of courses has at most 100.
  const count = courses.length < 100 ? courses.length : '100+'
  return html`<ul class="counts">
${figure('/staff/grading', waiting, text.waiting)}${figure('/staff/students', studentCount, text.students)}${figure('#courses', count, text.courses)}</ul>`
}

const workPart = (view: TeachingView): Html => {
  const { context, works, attempts } = view
  const { t } = context
  const [first, second] = [works.data, attempts.data]
  const all = html`${first.map(work => workLine(work, view))}${second.map(attempt => attemptLine(attempt, view))}`
  const shown = first.length + second.length
  const total = (works.total ?? 0) + (attempts.total ?? 0)
  return html`<h2>${t(text.work)}</h2>
${shown === 0 ? html`<p>${t(text.nothing)}</p>` : html`<ul class="list menu">\n${all}</ul>`}
${total > shown && html`<p><a href="/staff/grading">${t(text.all)}</a></p>`}`
}

const courseItem = (course: OwnCourse, { context: { language } }: TeachingView): Html => {
  const { id, name, status, enrollment_count: n, rating_average: rating, rating_count: count } = course
  const facts = [
    fill(teachingText.statuses[status], language),
    fill(text.enrolled, language, { n }),
    ...(rating === null ? [] : [fill(text.rated, language, { rating, n: count })]),
  ]
  const link = (path: string, phrase: Phrase): Html => {
    const label = fill(phrase, language)
    return html`<a href="${addressWith(path, { course_id: id })}" aria-label="${label}: ${name}">${label}</a>`
  }
  return html`<li><a class="name" href="/staff/courses/${id}"><bdi>${name}</bdi></a><br><span class="quiet">${facts.join(' · ')}</span><br>${link('/staff/students', text.students)} · ${link('/staff/grading', text.grade)} · ${link('/staff/reviews', text.reviews)}</li>
`
}

/** The parts of the first page of somebody who teaches: figures, the work that waits, and their courses. */
export const teachingParts = (view: TeachingView): Html => {
  const { t, courses } = view.context
  return html`${figures(view)}
${workPart(view)}
<h2 id="courses">${t(text.own)}</h2>
${courses.length === 0 ? html`<p>${t(text.none)} <a href="/staff/courses/new">${t(text.create)}</a></p>` : html`<ul class="list">\n${courses.map(course => courseItem(course, view))}</ul>`}
`
}
