import type { Static } from 'typebox'
import type { EnrollmentPage, PendingEnrollmentPage, Student, StudentPage } from '#src/areas/learning/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Phrase } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { dayOf, doneIn, endOf, formOf, framed, hidden, select } from '#src/web/page/index.ts'
import type { TeacherContext } from '../../audience.ts'
import { csvLinks, downloadLinks, schoolOf } from '../../csv.ts'
import { field, inputs } from '../../pages/fields.ts'
import { noneOn } from '../../pages/none.ts'
import { addressWith, courseSelect, turning } from '../../teaching/lists.ts'
import { personName } from '../../teaching/names.ts'
import { teachingLink } from '../../teaching/parts.ts'
import { teachingText } from '../../teaching/text.ts'
import { listText as text } from './list-text.ts'
import { studentsText } from './text.ts'

/** The filters of the list; empty ones do not filter. */
export type Filters = {
  readonly q: string
  readonly course_id: string
  readonly member_id: string
  readonly state: string
  readonly completed: string
  readonly cursor: string
}

type Enrollments = Encoded<Static<typeof EnrollmentPage>>
type Pending = Encoded<Static<typeof PendingEnrollmentPage>>['data']

type ListView = {
  readonly context: TeacherContext
  readonly filters: Filters
  readonly done: string
  /** The people that were searched for. */
  readonly people?: Encoded<Static<typeof StudentPage>>
  readonly enrollments?: Enrollments
  readonly pending?: Pending
  /** The person to whom the list is limited. */
  readonly student?: Encoded<Static<typeof Student>> | undefined
}

const PATH = '/staff/students'

const choicesOf = (any: Phrase, names: Readonly<Record<string, Phrase>>, { t }: TeacherContext) => [
  { value: '', label: t(any) },
  ...Object.entries(names).map(([value, name]) => ({ value, label: t(name) })),
]

const { unpublished: _unpublished, ...states } = studentsText.states

const search = ({ context, filters }: ListView): Html => {
  const { t } = context
  const isUsed = filters.state !== '' || filters.completed !== ''
  return html`<form method="get" action="${PATH}">
${field({ name: 'q', label: t(text.search), value: filters.q, attributes: inputs.search })}
${courseSelect(context, filters.course_id)}
<details class="filters"${isUsed && html` open`}>
<summary>${t(text.more)}</summary>
${select('state', t(text.state), filters.state, choicesOf(text.any, states, context))}
${select('completed', t(text.progress), filters.completed, choicesOf(text.any, text.progresses, context))}
</details>
<div class="buttons row"><button type="submit">${t(teachingText.find)}</button></div>
</form>`
}

const peopleList = (
  { data, next_cursor: next }: NonNullable<ListView['people']>,
  { context, filters }: ListView,
): Html => {
  const { t, language } = context
  if (data.length === 0) return html`<p>${noneOn(text.nobody, next, language)}</p>`
  return html`<ul class="list menu">
${data.map(one => {
  const facts = [t(text.enrollments, { n: one.enrollment_count }), t(text.finished, { n: one.completed_count })]
  const href = addressWith(PATH, { member_id: one.id, course_id: filters.course_id })
  return html`<li><a href="${href}"><bdi>${personName(one, context)}</bdi></a><span class="quiet"><bdi>${one.email}</bdi> · ${facts.join(' · ')}</span></li>\n`
})}</ul>`
}

const enrollmentFacts = (one: Enrollments['data'][number], { context }: ListView): string => {
  const { t, language, viewer } = context
  const { access, completed_at: completed, percent_complete: n, created_at } = one
  const until =
    access.state === 'active' && access.until !== null
      ? [t(studentsText.until, { day: endOf(access.until, language, viewer) })]
      : []
  return [
    completed === null ? t(studentsText.percent, { n }) : t(studentsText.completed),
    [t(studentsText.states[access.state]), ...until].join(' '),
    t(studentsText.enrolled, { day: dayOf(new Date(created_at), language, viewer) }),
  ].join(' · ')
}

const enrollmentLine = (one: Enrollments['data'][number], view: ListView): Html => {
  const person = one.member === undefined ? '' : personName(one.member, view.context)
  const [first, second] = view.student === undefined ? [person, one.course_name] : [one.course_name, undefined]
  return html`<li><a href="${PATH}/${one.id}"><bdi>${first}</bdi></a><span class="quiet">${second !== undefined && html`<bdi>${second}</bdi> · `}${enrollmentFacts(one, view)}</span></li>
`
}

const enrollmentList = ({ data, next_cursor: next }: Enrollments, view: ListView): Html => {
  const { language } = view.context
  if (data.length === 0) return html`<p>${noneOn(isFiltered(view) ? text.none : text.empty, next, language)}</p>`
  return html`<ul class="list menu">
${data.map(one => enrollmentLine(one, view))}</ul>`
}

const isFiltered = ({ filters }: ListView): boolean => Object.values(filters).some(value => value !== '')

const pendingItem = ({ id, email, course_id, created_at }: Pending[number], { context, filters }: ListView): Html => {
  const { t, language, viewer, courses, token } = context
  const course = courses.find(one => one.id === course_id)?.name ?? ''
  const label = t(text.takeBack)
  const inside = html`${hidden({ act: 'take_back', enrollment: id })}<button type="submit" aria-label="${label}: ${email}">${label}</button>`
  return html`<li class="act"><span><bdi>${email}</bdi><br><span class="quiet"><bdi>${course}</bdi> · ${dayOf(new Date(created_at), language, viewer)}</span></span>${formOf(addressWith(PATH, { course_id: filters.course_id }), token, inside)}</li>
`
}

const pendingPart = (view: ListView): Html | false => {
  const { pending = [], context } = view
  return (
    pending.length > 0 &&
    html`<section class="card">
<h2>${context.t(text.pending)}</h2>
<p class="quiet">${context.t(text.pendingAbout)}</p>
<ul class="list">
${pending.map(one => pendingItem(one, view))}</ul>
${context.isStaff && downloadLinks('listPendingEnrollments', schoolOf(context))}
</section>`
  )
}

const studentPart = ({ student, context }: ListView): Html | false => {
  if (student === undefined) return false
  const { t } = context
  const enroll = addressWith(`${PATH}/new`, { member_id: student.id })
  return html`<p><strong><bdi>${personName(student, context)}</bdi></strong> <span class="quiet"><bdi>${student.email}</bdi></span></p>
<p><a href="${enroll}">${t(text.enrollPerson)}</a>${context.isStaff && html` · <a href="/staff/people/${student.id}">${t(text.person)}</a>`} · <a href="${PATH}">${t(text.clear)}</a></p>`
}

const found = (view: ListView): Html => {
  const { context, filters, people, enrollments } = view
  const parameters = { ...filters }
  if (people !== undefined)
    return html`<h2>${context.t(text.found)}</h2>
${peopleList(people, view)}
${turning(context, PATH, { parameters, next: people.next_cursor })}
${
  context.isStaff &&
  downloadLinks('listStudents', schoolOf(context), [
    ['q', filters.q],
    ['course_id', filters.course_id],
    ['state', filters.state],
  ])
}`
  if (enrollments === undefined) return html``
  const csv = addressWith(`${PATH}/csv`, { ...filters, cursor: '' })
  return html`<h2>${context.t(isFiltered(view) ? text.found : text.all)}</h2>
${enrollmentList(enrollments, view)}
${turning(context, PATH, { parameters, next: enrollments.next_cursor })}
${enrollments.data.length > 0 && context.isStaff && csvLinks(csv, schoolOf(context))}`
}

/** Who learns in the courses of a person: enrollments with filters, or the people that were searched for. */
export const listPage = (view: ListView): Reply => {
  const { context, done, filters } = view
  const { t, language, request } = context
  const enroll = addressWith(`${PATH}/new`, { course_id: filters.course_id })
  return framed({
    school: request.school,
    language,
    title: t(studentsText.title),
    notice: doneIn(text.done, done, language),
    body: html`<p><a class="button main" href="${enroll}">${t(studentsText.enroll)}</a></p>
${search(view)}
${pendingPart(view)}
${studentPart(view)}
${found(view)}
${teachingLink(language)}`,
  })
}
