import type { Static } from 'typebox'
import { EnrollmentPage, PendingEnrollmentPage, Student, StudentPage } from '#src/areas/learning/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Phrase } from '#src/contract/language.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { doneIn, field, form, hidden, inputs, page, readDone, redirect, select, showEnd } from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../../audience.ts'
import { csvLinks, downloadLinks, exportList } from '../../csv.ts'
import { noneOn } from '../../pages/none.ts'
import { addressWith, courseSelect, turning } from '../../teaching/lists.ts'
import { personName } from '../../teaching/names.ts'
import { teachingLink } from '../../teaching/parts.ts'
import { studentsText } from './text.ts'

const { list: text } = texts.staff.students

/** The filters of the list; empty ones do not filter. */
type Filters = {
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
  /** The people that were searched for. */
  readonly people?: Encoded<Static<typeof StudentPage>>
  readonly enrollments?: Enrollments
  readonly pending?: Pending
  /** The person to whom the list is limited. */
  readonly student?: Encoded<Static<typeof Student>> | undefined
}

const PATH = '/staff/students'

const listChoices = (any: Phrase, names: Readonly<Record<string, Phrase>>, { t }: TeacherContext) => [
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
<summary>${t(texts.words.moreFilters)}</summary>
${select('state', t(texts.words.access), filters.state, listChoices(texts.words.any, states, context))}
${select('completed', t(text.progress), filters.completed, listChoices(texts.words.any, text.progresses, context))}
</details>
<div class="buttons row"><button type="submit">${t(texts.words.find)}</button></div>
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
  const facts = [t(texts.words.courseCount, { n: one.enrollment_count }), t(text.finished, { n: one.completed_count })]
  const href = addressWith(PATH, { member_id: one.id, course_id: filters.course_id })
  return html`<li><a href="${href}"><bdi>${personName(one, context)}</bdi></a><span class="quiet"><bdi>${one.email}</bdi> · ${facts.join(' · ')}</span></li>\n`
})}</ul>`
}

const enrollmentFacts = (one: Enrollments['data'][number], { context }: ListView): string => {
  const { t, day, language, viewer } = context
  const { access, completed_at: completed, percent_complete: n, created_at } = one
  const until =
    access.state === 'active' && access.until !== null
      ? [t(texts.words.until, { day: showEnd(access.until, language, viewer) })]
      : []
  return [
    completed === null ? t(studentsText.percent, { n }) : t(studentsText.completed),
    [t(studentsText.states[access.state]), ...until].join(' '),
    t(studentsText.enrolled, { day: day(created_at) }),
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
  const { t, day, courses, form } = context
  const course = courses.find(one => one.id === course_id)?.name ?? ''
  const label = t(texts.words.takeBack)
  const inside = html`${hidden({ act: 'take_back', enrollment: id })}<button type="submit" aria-label="${label}: ${email}">${label}</button>`
  return html`<li class="act"><span><bdi>${email}</bdi><br><span class="quiet"><bdi>${course}</bdi> · ${day(created_at)}</span></span>${form(inside, addressWith(PATH, { course_id: filters.course_id }))}</li>
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
${context.isStaff && downloadLinks('listPendingEnrollments', context)}
</section>`
  )
}

const studentPart = ({ student, context }: ListView): Html | false => {
  if (student === undefined) return false
  const { t } = context
  const enroll = addressWith(`${PATH}/new`, { member_id: student.id })
  return html`<p><strong><bdi>${personName(student, context)}</bdi></strong> <span class="quiet"><bdi>${student.email}</bdi></span></p>
<p><a href="${enroll}">${t(text.enrollPerson)}</a> · <a href="/staff/people/${student.id}">${t(text.person)}</a> · <a href="${PATH}">${t(text.clear)}</a></p>`
}

const found = (view: ListView): Html => {
  const { context, filters, people, enrollments } = view
  const parameters = { ...filters }
  if (people !== undefined)
    return html`<h2>${context.t(texts.words.found)}</h2>
${peopleList(people, view)}
${turning(context, PATH, { parameters, next: people.next_cursor })}
${
  context.isStaff &&
  downloadLinks('listStudents', context, [
    ['q', filters.q],
    ['course_id', filters.course_id],
    ['state', filters.state],
  ])
}`
  if (enrollments === undefined) return html``
  const csv = addressWith(`${PATH}/csv`, { ...filters, cursor: '' })
  return html`<h2>${context.t(isFiltered(view) ? texts.words.found : text.all)}</h2>
${enrollmentList(enrollments, view)}
${turning(context, PATH, { parameters, next: enrollments.next_cursor })}
${enrollments.data.length > 0 && context.isStaff && csvLinks(csv, context)}`
}

const readFilters = ({ query }: TeacherContext): Filters => {
  const names = ['q', 'course_id', 'member_id', 'state', 'completed', 'cursor'] as const
  return Object.fromEntries(names.map(name => [name, (query.get(name) ?? '').trim()])) as Filters
}

const given = (values: Pairs): Pairs => values.filter(([, value]) => value !== '')

// The list of enrollments has no search, so words find people first.
const findPeople = (context: TeacherContext, { q, course_id, state, cursor }: Filters) =>
  context.call({
    operation: 'listStudents',
    query: given(Object.entries({ q, course_id, state, cursor })),
    returns: StudentPage,
  })

const enrollmentsQuery = ({ course_id, member_id, state, completed, cursor }: Filters): Pairs =>
  given([
    ['sort', '-created_at'],
    ['course_id', course_id],
    ['member_id', member_id],
    ['state', state],
    // Nothing is missing where all that is required is done.
    ['completed', completed === 'ready' ? 'false' : completed],
    ['percent_complete[gte]', completed === 'ready' ? '100' : ''],
    ['cursor', cursor],
  ])

const findEnrollments = (context: TeacherContext, filters: Filters) =>
  context.call({
    operation: 'listEnrollments',
    query: enrollmentsQuery(filters),
    expand: ['member'],
    returns: EnrollmentPage,
  })

const findPending = async (context: TeacherContext, { course_id, member_id, state, completed, cursor }: Filters) => {
  if ([member_id, state, completed, cursor].some(value => value !== '')) return []
  const query = given([
    ['course_id', course_id],
    ['limit', '20'],
  ])
  return (await context.call({ operation: 'listPendingEnrollments', query, returns: PendingEnrollmentPage })).data
}

const readList = async (context: TeacherContext, filters: Filters): Promise<ListView> => {
  if (filters.q !== '') return { context, filters, people: await findPeople(context, filters) }
  const { member_id: id } = filters
  const [enrollments, pending, student] = await Promise.all([
    findEnrollments(context, filters),
    findPending(context, filters),
    id === '' ? undefined : context.call({ operation: 'getStudent', params: { student_id: id }, returns: Student }),
  ])
  return { context, filters, enrollments, pending, student }
}

// Enrollments with filters, or the people that were searched for.
const showList = async (context: TeacherContext): Promise<Reply> => {
  const { t, language, request } = context
  const filters = readFilters(context)
  const view = await readList(context, filters)
  const enroll = addressWith(`${PATH}/new`, { course_id: filters.course_id })
  return context.frame({
    title: t(studentsText.title),
    notice: doneIn(text.done, readDone(request), language),
    body: html`<p><a class="button main" href="${enroll}">${t(studentsText.enroll)}</a></p>
${search(view)}
${pendingPart(view)}
${studentPart(view)}
${found(view)}
${teachingLink(language)}`,
  })
}

/** GET and POST /staff/students: enrollments in the courses of the person, and the same list as CSV. */
export const studentList = [
  page(`GET ${PATH}`, teachers, showList),
  form(`POST ${PATH}`, teachers, async (context, typed) => {
    if (formField(typed, 'act') !== 'take_back') throw new Refusal(formRefused, 'The form has no valid action.')
    const params = { enrollment_id: formField(typed, 'enrollment') }
    await context.call({ operation: 'deletePendingEnrollment', params })
    return redirect(addressWith(PATH, { course_id: readFilters(context).course_id, done: 'taken_back' }))
  }),
  page(`GET ${PATH}/csv`, teachers, context => {
    const query = enrollmentsQuery({ ...readFilters(context), cursor: '' })
    return exportList(context, { operation: 'listEnrollments', query })
  }),
]
