import type { Static } from 'typebox'
import { StudentPage } from '#src/areas/learning/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { formatNumber } from '#src/kit/format.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Column,
  createList,
  type ListShown,
  momentColumn,
  page,
  redirect,
  renderName,
} from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../../audience.ts'
import { showList } from '../../pages/list-page.ts'
import { renderBulk } from '../../people/members/bulk-bar.ts'
import { addressWith, courseFilter } from '../../teaching/lists.ts'
import { personName } from '../../teaching/names.ts'
import { ENROLLMENTS, stateFilter } from './enrollments.ts'
import { studentsText } from './text.ts'

const { list: text } = texts.staff.students
const { heads } = texts.staff.lists

type StudentShown = Encoded<Static<typeof StudentPage>>['data'][number]

const PATH = '/staff/students'

const buildList = (context: TeacherContext) =>
  createList({
    path: PATH,
    operation: 'listStudents',
    returns: StudentPage,
    sort: 'name',
    filters: { q: 'search', course_id: courseFilter(context), state: stateFilter },
    texts: {
      filters: { q: text.search, course_id: texts.words.course, state: texts.words.access },
      all: studentsText.title,
      none: text.nobody,
      empty: text.empty,
    },
  })

const buildColumns = (context: TeacherContext): Column<StudentShown>[] => {
  const { language } = context
  const count = (n: number): string => formatNumber(n, language)
  const courses = ({ id }: StudentShown): string => addressWith(ENROLLMENTS, { member_id: id })
  return [
    {
      name: texts.words.name,
      kind: 'main',
      sort: 'name',
      cell: one => renderName(`/staff/people/${one.id}`, personName(one, context), one.email),
    },
    {
      name: texts.words.courses,
      kind: 'num',
      isNamed: true,
      cell: one => html`<a href="${courses(one)}">${count(one.enrollment_count)}</a>`,
    },
    { name: texts.words.completed, kind: 'num', isNamed: true, cell: one => count(one.completed_count) },
    momentColumn(context, { name: heads.lastActivity, at: one => one.last_activity_at }),
  ]
}

// Everybody of a course is a filter of the list of people too, which has the acts; what else is searched here is not.
const renderTicks = (context: TeacherContext, { given, page: { total } }: ListShown<{ readonly total?: number }>) => ({
  bar: renderBulk(context, given.every(([name]) => name === 'course_id') ? given : [], total),
  tick: (one: StudentShown) => ({
    value: one.id,
    label: context.t(texts.staff.peopleList.select, { name: personName(one, context) }),
  }),
})

/** GET /staff/students: the students of the courses of the person. */
export const studentList = page(`GET ${PATH}`, teachers, async context => {
  const { t, query, isStaff } = context
  const course = (query.get('course_id') ?? '').trim()
  const member = (query.get('member_id') ?? '').trim()
  if (member !== '') return redirect(addressWith(ENROLLMENTS, { member_id: member, course_id: course }))
  const list = buildList(context)
  const shown = await list.read(context)
  return context.frame({
    title: t(studentsText.title),
    ...showList(context, list, shown, {
      columns: buildColumns(context),
      rows: shown.page.data,
      bulk: isStaff ? renderTicks(context, shown) : undefined,
      more: html`<a class="button" href="/staff/imports/new?kind=learning">${t(texts.staff.imports.create.learning)}</a>\n`,
      action: html`<a class="button main" href="${addressWith(`${PATH}/new`, { course_id: course })}">${t(studentsText.enroll)}</a>`,
    }),
  })
})
