import type { Static } from 'typebox'
import { type AttemptPage, StudentPage, type SubmissionPage } from '#src/areas/learning/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Phrase } from '#src/contract/language.ts'
import { formatNumber } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type Column, page, renderName } from '#src/web/page/index.ts'
import { type OwnCourse, type TeacherContext, teachers } from '../audience.ts'
import { statusPill } from '../console/frame.ts'
import { describeAttempt, describeWork, workColumns } from '../learning/grading/entries.ts'
import { listAttempts, listWorks } from '../learning/grading/waiting.ts'
import { renderPart } from '../pages/list-page.ts'
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
  const rows = [
    ...first.map(work => describeWork(work, view)),
    ...second.map(attempt => describeAttempt(attempt, view)),
  ]
  const total = (works.total ?? 0) + (attempts.total ?? 0)
  return renderPart(context, {
    id: 'work',
    title: t(text.work),
    link: total > rows.length && html`<a href="/staff/grading">${t(text.all)}</a>`,
    columns: workColumns(context),
    rows,
    none: t(text.nothing),
  })
}

const courseColumns = ({ t, language }: TeacherContext): Column<OwnCourse>[] => {
  const link = ({ id, name }: OwnCourse, path: string, phrase: Phrase): Html =>
    html`<a href="${addressWith(path, { course_id: id })}" aria-label="${t(phrase)}: ${name}">${t(phrase)}</a>`
  return [
    {
      name: texts.words.course,
      kind: 'main',
      cell: course => renderName(`/staff/courses/${course.id}`, course.name),
    },
    { name: texts.words.status, cell: ({ status }) => statusPill(t(teachingText.statuses[status]), status) },
    {
      name: texts.words.students,
      kind: 'num',
      cell: course =>
        html`${formatNumber(course.enrollment_count, language)} ${link(course, '/staff/enrollments', texts.words.students)}`,
    },
    { name: texts.words.grading, kind: 'low', cell: course => link(course, '/staff/grading', texts.words.grading) },
    {
      name: texts.words.opinions,
      kind: 'low',
      cell: course =>
        html`${link(course, '/staff/reviews', texts.words.opinions)}${course.rating_average !== null && html`<small class="sub">${t(text.rated, { rating: course.rating_average, n: course.rating_count })}</small>`}`,
    },
  ]
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
      const { t, courses } = context
      const view = await readTeaching(context)
      return context.frame({
        title: t(texts.words.teaching),
        actions: html`<a class="button main" href="/staff/courses/new">${t(texts.words.createCourse)}</a>`,
        isWide: true,
        hasCards: true,
        body: html`${figures(view)}
${workPart(view)}
${renderPart(context, {
  id: 'courses',
  title: t(texts.words.yourCourses),
  columns: courseColumns(context),
  rows: courses,
  none: t(text.none),
})}`,
      })
    }),
  ],
}
