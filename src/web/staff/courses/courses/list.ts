import { CoursePage } from '#src/areas/courses/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { field, hidden, inputs, page } from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import { downloadLinks } from '../../csv.ts'
import { addressWith } from '../../teaching/lists.ts'
import { tabs } from '../../teaching/parts.ts'
import type { CourseView } from './course.ts'
import { badge, pathOf, renderCoursePage } from './frame.ts'
import { coursesText } from './text.ts'

const text = texts.staff.courses.listPage

// In the order in which the list offers them.
const statuses = ['draft', 'scheduled', 'published', 'archived'] as const

type Filters = { readonly q: string; readonly status: (typeof statuses)[number] | ''; readonly cursor: string }

const PATH = '/staff/courses'

const statusLinks = ({ t }: StaffContext, filters: Filters): Html =>
  tabs(
    t(text.statuses),
    (['', ...statuses] as const).map(status => ({
      href: addressWith(PATH, { ...filters, status, cursor: '' }),
      name: t(status === '' ? text.all : coursesText.statuses[status]),
      isCurrent: status === filters.status,
    })),
  )

const priceOf = ({ primary_price: price }: CourseView, { t, money }: StaffContext): string => {
  if (price === null) return t(text.noPrice)
  return price.amount === 0 ? t(text.free) : money(price.amount, price.currency)
}

const item = (course: CourseView, context: StaffContext): Html => {
  const { t } = context
  const { name, status, lesson_count, enrollment_count } = course
  const facts = [
    t(text.lessons, { n: lesson_count }),
    t(text.students, { n: enrollment_count }),
    priceOf(course, context),
  ]
  return html`<li><a href="${pathOf(course)}"><bdi>${name}</bdi></a><span class="quiet">${badge(t(coursesText.statuses[status]), status)} ${facts.join(' · ')}</span></li>
`
}

const filtersOf = ({ query }: StaffContext): Filters => {
  const part = (name: string): string => (query.get(name) ?? '').trim()
  const status = statuses.find(one => one === part('status')) ?? ''
  return { q: part('q').slice(0, 200), status, cursor: part('cursor') }
}

const showList = async (context: StaffContext): Promise<Reply> => {
  const { t, call, isStaff } = context
  const filters = filtersOf(context)
  const managed: Pairs = [['managed', 'true'], ...Object.entries(filters).filter(([, value]) => value !== '')]
  const query: Pairs = [['sort', '-created_at'], ...managed]
  const { data: courses, next_cursor: next } = await call({ operation: 'listCourses', query, returns: CoursePage })
  const isSearch = filters.q !== '' || filters.status !== ''
  return renderCoursePage(context, {
    title: t(coursesText.title),
    body: html`<p><a class="button main" href="${PATH}/new">${t(coursesText.create)}</a></p>
<form method="get" action="${PATH}" class="search">
${filters.status !== '' && hidden({ status: filters.status })}${field({ name: 'q', label: t(text.search), value: filters.q, attributes: inputs.search })}
<button type="submit">${t(text.find)}</button>
</form>
${statusLinks(context, filters)}
${courses.length === 0 ? html`<p>${t(isSearch ? text.none : text.empty)}</p>` : html`<ul class="list menu">\n${courses.map(course => item(course, context))}</ul>`}
${isStaff && courses.length > 0 && downloadLinks('listCourses', context, managed)}
${next !== undefined && html`<p><a rel="next" href="${addressWith(PATH, { ...filters, cursor: next })}">${t(text.next)}</a></p>`}
${filters.cursor !== '' && html`<p><a href="${addressWith(PATH, { ...filters, cursor: '' })}">${t(text.first)}</a></p>`}`,
  })
}

/** GET /staff/courses: the courses of the school for staff, and their own for lecturers. */
export const courseList = page('GET /staff/courses', courseTeachers, showList)
