import type { Reply } from '#src/contract/endpoint.ts'
import { formatMoney } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { hidden } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { downloadLinks, schoolOf } from '../../csv.ts'
import { field, inputs } from '../../pages/fields.ts'
import type { CourseView } from './course.ts'
import { badge, coursePage, pathOf } from './frame.ts'
import { coursesText } from './text.ts'

const text = texts.staff.courses.listPage

/** The statuses of courses, in the order in which the list offers them. */
export const statuses = ['draft', 'scheduled', 'published', 'archived'] as const

/** What the list is limited to. */
export type Filters = { readonly q: string; readonly status: (typeof statuses)[number] | ''; readonly cursor: string }

type ListView = {
  readonly filters: Filters
  readonly courses: readonly CourseView[]
  readonly next: string | undefined
}

const PATH = '/staff/courses'

const pathWith = (filters: Filters): string => {
  const query = String(new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== '')))
  return query === '' ? PATH : `${PATH}?${query}`
}

const statusLinks = ({ t }: StaffContext, filters: Filters): Html =>
  html`<nav class="tabs" aria-label="${t(text.statuses)}"><ul>
${(['', ...statuses] as const).map(status => {
  const name = status === '' ? text.all : coursesText.statuses[status]
  return html`<li><a href="${pathWith({ ...filters, status, cursor: '' })}"${status === filters.status && html` aria-current="page"`}>${t(name)}</a></li>\n`
})}</ul></nav>`

const priceOf = ({ primary_price: price }: CourseView, { t, language }: StaffContext): string => {
  if (price === null) return t(text.noPrice)
  return price.amount === 0 ? t(text.free) : formatMoney(price.amount, price.currency, language)
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

const results = (context: StaffContext, { courses, filters }: ListView): Html => {
  const isSearch = filters.q !== '' || filters.status !== ''
  if (courses.length === 0) return html`<p>${context.t(isSearch ? text.none : text.empty)}</p>`
  return html`<ul class="list menu">\n${courses.map(course => item(course, context))}</ul>`
}

/** The list of courses. */
export const listPage = (context: StaffContext, view: ListView): Promise<Reply> => {
  const { t } = context
  const { filters, next, courses } = view
  const label = t(text.search)
  return coursePage(context, {
    title: t(coursesText.title),
    body: html`<p><a class="button main" href="${PATH}/new">${t(coursesText.create)}</a></p>
<form method="get" action="${PATH}" class="search">
${filters.status !== '' && hidden({ status: filters.status })}${field({ name: 'q', label, value: filters.q, attributes: inputs.search })}
<button type="submit">${t(text.find)}</button>
</form>
${statusLinks(context, filters)}
${results(context, view)}
${context.isStaff && courses.length > 0 && downloadLinks('listCourses', schoolOf(context), [['managed', 'true'], ...Object.entries(filters)])}
${next !== undefined && html`<p><a rel="next" href="${pathWith({ ...filters, cursor: next })}">${t(text.next)}</a></p>`}
${filters.cursor !== '' && html`<p><a href="${pathWith({ ...filters, cursor: '' })}">${t(text.first)}</a></p>`}`,
  })
}
