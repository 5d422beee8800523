import type { Static } from 'typebox'
import { type AttemptPage, StudentPage, type SubmissionPage } from '#src/areas/learning/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Phrase } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { page } from '#src/web/page/index.ts'
import { type OwnCourse, type TeacherContext, teachers } from '../audience.ts'
import { attemptLine, workLine } from '../learning/grading/entries.ts'
import { listAttempts, listWorks } from '../learning/grading/waiting.ts'
import { staffLink } from '../pages/link.ts'
import type { StaffSection } from '../section.ts'
import { addressWith } from './lists.ts'
import { type Names, namesFor } from './names.ts'
import { teachingText } from './text.ts'

const { homePage: text } = texts.staff.teaching

type TeachingView = {
  readonly context: TeacherContext
  readonly works: Encoded<Static<typeof SubmissionPage>>
  readonly attempts: Encoded<Static<typeof AttemptPage>>
  readonly names: Names
  readonly studentCount: number
}

const figures = ({ context: { t, courses }, works, attempts, studentCount }: TeachingView): Html => {
  const waiting = (works.total ?? 0) + (attempts.total ?? 0)
  const figure = (href: string, n: number | string, name: Phrase): Html =>
    html`<li><a href="${href}"><strong>${n}</strong> ${t(name)}</a></li>\n`
  // The list of courses has at most 100.
  const count = courses.length < 100 ? courses.length : '100+'
  return html`<ul class="counts">
${figure('/staff/grading', waiting, text.waiting)}${figure('/staff/students', studentCount, texts.words.students)}${figure('#courses', count, texts.words.courses)}</ul>`
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

const courseItem = (course: OwnCourse, { t }: TeacherContext): Html => {
  const { id, name, status, enrollment_count: n, rating_average: rating, rating_count: count } = course
  const facts = [
    t(teachingText.statuses[status]),
    t(text.enrolled, { n }),
    ...(rating === null ? [] : [t(text.rated, { rating, n: count })]),
  ]
  const link = (path: string, phrase: Phrase): Html => {
    const label = t(phrase)
    return html`<a href="${addressWith(path, { course_id: id })}" aria-label="${label}: ${name}">${label}</a>`
  }
  return html`<li><a class="name" href="/staff/courses/${id}"><bdi>${name}</bdi></a><br><span class="quiet">${facts.join(' · ')}</span><br>${link('/staff/students', texts.words.students)} · ${link('/staff/grading', texts.words.grading)} · ${link('/staff/reviews', texts.words.opinions)}</li>
`
}

const SHOWN = 5

// The work that waits, and how many students there are.
const readTeaching = async (context: TeacherContext): Promise<TeachingView> => {
  const filter = { isGraded: false, courseId: '', limit: SHOWN }
  const [works, attempts, students] = await Promise.all([
    listWorks(context, filter),
    listAttempts(context, filter),
    context.call({
      operation: 'listStudents',
      query: [
        ['limit', '1'],
        ['include_total', 'true'],
      ],
      returns: StudentPage,
    }),
  ])
  const names = await namesFor(context, [...works.data, ...attempts.data])
  return { context, works, attempts, names, studentCount: students.total ?? 0 }
}

/** GET /staff/teaching: the first page of those who teach, with figures, the work that waits, and their courses. */
export const teachingHome: StaffSection = {
  pages: [
    page('GET /staff/teaching', teachers, async context => {
      const { t, courses, isStaff, language } = context
      const view = await readTeaching(context)
      return context.frame({
        title: t(texts.words.teaching),
        body: html`${figures(view)}
${workPart(view)}
<h2 id="courses">${t(texts.words.yourCourses)}</h2>
${courses.length === 0 ? html`<p>${t(text.none)} <a href="/staff/courses/new">${t(texts.words.createCourse)}</a></p>` : html`<ul class="list">\n${courses.map(course => courseItem(course, context))}</ul>`}
${isStaff && staffLink(language)}`,
      })
    }),
  ],
}
