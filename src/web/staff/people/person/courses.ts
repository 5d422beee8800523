import type { Static } from 'typebox'
import { RegistrationPage } from '#src/areas/events/index.ts'
import { AttemptPage, EnrollmentPage, Explanation, SubmissionPage } from '#src/areas/learning/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type Column, orNothing, page, renderProgress, renderTable } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { pill, statusPill } from '../../console/frame.ts'
import { isAllHeld } from '../../learning/students/access-part.ts'
import { studentsText } from '../../learning/students/text.ts'
import { framePerson } from './frame.ts'
import { buildQuery, type Person, personPath, readPerson, showShortDay } from './read.ts'

const text = texts.staff.personPage

type Enrollment = Encoded<Static<typeof EnrollmentPage>>['data'][number]
type Registration = Encoded<Static<typeof RegistrationPage>>['data'][number]

const renderAccess = ({ access, completed_at: done }: Enrollment, { t }: StaffContext): Html =>
  done !== null && access.state === 'active'
    ? statusPill(t(texts.words.completed), 'completed')
    : statusPill(t(studentsText.states[access.state]), access.state)

// How much of a course is completed, as a bar with its figure.
const progressBar = (percent: number, name: string, { t, language }: Pick<StaffContext, 't' | 'language'>): Html =>
  renderProgress(percent, t(text.progressIn, { name }), language)

const buildColumns = (context: StaffContext): Column<Enrollment>[] => {
  const { t } = context
  return [
    {
      name: texts.words.course,
      kind: 'main',
      cell: ({ id, course_name: name, created_at, source }) =>
        html`<a href="/staff/students/${id}"><bdi>${name}</bdi></a><small class="sub">${t(text.enrolledSince, { day: showShortDay(context, created_at), source: t(studentsText.sources[source]) })}</small>`,
    },
    { name: texts.words.access, cell: one => renderAccess(one, context) },
    {
      name: text.lastLearned,
      kind: 'date c-low',
      cell: ({ last_activity_at: at }) => (at === null ? '–' : showShortDay(context, at)),
    },
    {
      name: text.progress,
      kind: 'lead',
      cell: ({ percent_complete: percent, course_name: name }) => progressBar(percent, name, context),
    },
  ]
}

/** Reads the courses of a member, the newest first. */
export const readEnrollments = ({ call }: StaffContext, id: string, limit: number, cursor?: string) =>
  call({
    operation: 'listEnrollments',
    query: [...buildQuery(id, limit, cursor), ['sort', '-created_at']],
    returns: EnrollmentPage,
  })

/** The courses of a member as a table in a card. */
export const coursesCard = (
  rows: readonly Enrollment[],
  person: { readonly id: string },
  context: StaffContext,
): Html => {
  const { t } = context
  return html`<section class="card flush">
<header><h2>${t(texts.words.courses)}</h2><a href="/staff/students/new?member_id=${person.id}">${t(text.enrollIn)}</a></header>
${rows.length === 0 ? html`<div class="empty"><p>${t(text.noCourses)}</p></div>` : renderTable(context, { caption: t(texts.words.courses), columns: buildColumns(context), rows })}
</section>
`
}

const readExplanation = ({ call, language }: StaffContext, memberId: string, courseId: string) =>
  orNothing(
    call({
      operation: 'explainStudentAccess',
      params: { student_id: memberId },
      query: [
        ['course_id', courseId],
        ['language', language],
      ],
      returns: Explanation,
    }),
  )

const chooseCourse = (
  all: readonly Enrollment[],
  chosen: Enrollment,
  path: string,
  { t }: StaffContext,
): Html | false =>
  all.length > 1 &&
  html`<form method="get" action="${path}" class="filter">
<div><select name="course" aria-label="${t(text.explained)}">
${all.map(({ course_id: id, course_name: name }) => html`<option value="${id}"${id === chosen.course_id && html` selected`}>${name}</option>\n`)}</select></div>
<button type="submit">${t(texts.words.show)}</button></form>`

/** Why a member has access to a course or has none, and where that is changed. */
export const accessCard = async (
  all: readonly Enrollment[],
  person: { readonly id: string; readonly name: string },
  context: StaffContext,
): Promise<Html | false> => {
  const { t, query, request } = context
  const chosen = all.find(one => one.course_id === query.get('course')) ?? all[0]
  if (chosen === undefined) return false
  const found = await readExplanation(context, person.id, chosen.course_id)
  if (found === undefined) return false
  return html`<section class="card" id="access">
<header><h2>${t(found.has_access ? text.whyAccess : text.whyNoAccess, { course: chosen.course_name })}</h2>${chooseCourse(all, chosen, request.path, context)}</header>
<ul class="effects">
${found.explanation.map(sentence => html`<li>${sentence}</li>\n`)}</ul>
<p><a href="/staff/students/${chosen.id}">${t(text.changeAccess)}</a></p>
${context.isStaff && isAllHeld(found) && html`<p><a href="${personPath(person.id)}/acts/lift">${t(text.acts.lift.title)}</a></p>\n`}</section>
`
}

const workCard = async (person: Person, context: StaffContext): Promise<Html | false> => {
  const { t, call } = context
  const newest = [...buildQuery(person.id, 10), ['sort', '-created_at']] as const
  const [works, attempts] = await Promise.all([
    call({ operation: 'listSubmissions', query: newest, returns: SubmissionPage }),
    call({ operation: 'listQuizAttempts', query: newest, returns: AttemptPage }),
  ])
  const rows = [
    ...works.data.map(({ id, status, submitted_at: at }) => ({
      href: `/staff/grading/works/${id}`,
      name: t(text.handedIn),
      at,
      waits: status === 'submitted',
    })),
    ...attempts.data.map(({ id, status, submitted_at: at, started_at }) => ({
      href: `/staff/grading/attempts/${id}`,
      name: t(texts.words.quiz),
      at: at ?? started_at,
      waits: status === 'submitted',
    })),
  ].sort((one, other) => Date.parse(other.at) - Date.parse(one.at))
  return (
    rows.length > 0 &&
    html`<section class="card flush">
<header><h2>${t(text.work)}</h2></header>
${renderTable(context, {
  caption: t(text.work),
  columns: [
    { name: texts.words.name, kind: 'main', cell: ({ href, name }) => html`<a href="${href}">${name}</a>` },
    {
      name: texts.words.status,
      kind: 'lead',
      cell: ({ waits }) => (waits ? pill(t(text.waits), 'warn') : pill(t(text.seen), 'good')),
    },
    { name: texts.words.date, kind: 'date', cell: ({ at }) => showShortDay(context, at) },
  ],
  rows,
})}
</section>
`
  )
}

const renderRegistration = ({ event_id: id, event_name: name }: Registration): Html =>
  html`<a href="/staff/events/${id}"><bdi>${name}</bdi></a>`

const eventsCard = async (person: Person, context: StaffContext): Promise<Html | false> => {
  const { t, time, call } = context
  const { data } = await call({
    operation: 'listMemberRegistrations',
    params: { member_id: person.id },
    query: [['limit', '20']],
    returns: RegistrationPage,
  })
  return (
    data.length > 0 &&
    html`<section class="card flush">
<header><h2>${t(texts.words.events)}</h2></header>
${renderTable(context, {
  caption: t(texts.words.events),
  columns: [
    { name: texts.words.event, kind: 'main', cell: renderRegistration },
    {
      name: texts.words.status,
      kind: 'lead',
      cell: ({ status }) => statusPill(t(texts.staff.registrations.common.statuses[status]), status),
    },
    { name: texts.words.date, kind: 'date', cell: ({ starts_at: at }) => time(at.utc) },
  ],
  rows: data,
})}
</section>
`
  )
}

/** GET /staff/people/:id/courses: courses, access, work and events of a member. */
export const coursesPart = page('GET /staff/people/:id/courses', staff, async context => {
  const person = await readPerson(context)
  const [{ data }, work, events] = await Promise.all([
    readEnrollments(context, person.id, 50),
    workCard(person, context),
    eventsCard(person, context),
  ])
  const access = await accessCard(data, person, context)
  return framePerson(context, person, 'courses', {
    body: html`<div class="stack">${coursesCard(data, person, context)}${access}${work}${events}</div>`,
  })
})
