import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { field, select } from '#src/web/page/index.ts'
import type { TeacherContext } from '../audience.ts'
import { addressWith, courseSelect } from '../teaching/lists.ts'
import { analyticsText as text } from './text.ts'

/** Where the figures are. */
export const PATH = '/staff/analytics'

/** What was chosen on the page; empty values are those of the API. */
export type Chosen = {
  readonly interval: string
  readonly from: string
  readonly to: string
  readonly course_id: string
}

/** The length of a point without a choice. */
const USUAL_INTERVAL = 'day'

/** What was chosen in the address of a page. */
export const chosenIn = ({ query, isStaff, courses }: TeacherContext): Chosen => {
  const part = (name: string): string => (query.get(name) ?? '').trim()
  const interval = part('interval')
  const course = part('course_id')
  return {
    interval: interval in text.intervals ? interval : USUAL_INTERVAL,
    from: part('from'),
    to: part('to'),
    course_id: isStaff || courses.some(({ id }) => id === course) ? course : '',
  }
}

/** The days of an address for an operation. */
export const listDays = ({ from, to }: Pick<Chosen, 'from' | 'to'>): Pairs =>
  [['from', from] as const, ['to', to] as const].filter(([, value]) => value !== '')

/** The address of a page with what was chosen. */
export const buildAddress = (path: string, chosen: Partial<Chosen>): string => addressWith(path, { ...chosen })

/** The form that chooses days, and on the first page also the length of points and a course. */
export const rangeForm = (context: TeacherContext, chosen: Chosen, path: string, isReport = false): Html => {
  const { t } = context
  const intervals = Object.entries(text.intervals).map(([value, name]) => ({ value, label: t(name) }))
  const day = (name: 'from' | 'to'): Html =>
    field({
      name,
      label: t(text[name]),
      value: chosen[name],
      attributes: html`type="date" min="1980-01-01"`,
    })
  return html`<form method="get" action="${path}" class="filter">
${!isReport && html`<div>${select('interval', t(text.interval), chosen.interval, intervals)}</div>`}
<div>${day('from')}</div>
<div>${day('to')}</div>
${!isReport && html`<div>${courseSelect(context, chosen.course_id, t(text.allCourses))}</div>`}
<button type="submit">${t(text.show)}</button>
</form>`
}
