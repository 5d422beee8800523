import { LecturerPage } from '#src/areas/courses/index.ts'
import { Event, OccurrencePage, RecurrenceChange, TicketTypePage } from '#src/areas/events/index.ts'
import { GroupPage } from '#src/areas/learning/index.ts'
import { MembershipPlanPage } from '#src/areas/memberships/index.ts'
import { School } from '#src/areas/school/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { type FormFile, isReply } from '#src/web/page/index.ts'
import { errorsIn, noticeFor } from '../../forms/errors.ts'
import { recentStaffOf } from '../../page-request.ts'
import type { StaffSection } from '../../section.ts'
import { type TeachingVisit, teachingFileForm, teachingPage } from '../../teaching/visit.ts'
import { isShown, perform, shownAgain } from '../../visit.ts'
import { sentencesOf } from './effects.ts'
import { actOf, termsIn } from './event-acts.ts'
import { eventForm, imagePart } from './event-form.ts'
import { type EventShown, eventsPage, listAbove, PATH, pathOf, statusBadge } from './frame.ts'
import { getManaged } from './managed.ts'
import { datesPart, endingPart, publicationPart, ticketsPart } from './parts.ts'
import { recurrenceIn } from './recurrence-form.ts'
import type { Again, EventView } from './shown.ts'
import { eventRefusals, eventsText as text } from './text.ts'

const FIELDS = [
  ...['name', 'description', 'kind', 'meeting_url', 'capacity', 'visibility', 'cancellation_until'],
  ...['slug', 'seo_title', 'seo_description', 'external_id', 'starts_at', 'duration_minutes', 'rule', 'until', 'count'],
  ...['except', 'amount', 'reason', 'message', 'confirm'],
]

const pageOf = (visit: TeachingVisit, view: EventView): Promise<Reply> => {
  const { language, isStaff } = visit
  const { event, again } = view
  const refusal = again?.refusal
  const errors = errorsIn(refusal, language, text.errors)
  const mayChange = isStaff || event.status === 'draft'
  return eventsPage(visit, {
    title: event.name,
    above: [listAbove(language)],
    refusal,
    notice: noticeFor(refusal, language, { errors, fields: FIELDS, refusals: eventRefusals }),
    body: html`<p class="course-head">${statusBadge(event, visit)}${event.status === 'published' && html` <a href="/events/${event.slug}">${fill(text.onSite, language)}</a>`}</p>
${event.status !== 'draft' && html`<p class="buttons row"><a class="button" href="${pathOf(event)}/registrations">${fill(text.people, language)}</a> <a class="button" href="${pathOf(event)}/check-in">${fill(text.checkIn, language)}</a></p>`}
${datesPart(visit, view)}
${ticketsPart(visit, view)}
${publicationPart(visit, view)}
${mayChange ? html`${eventForm(visit, view)}\n${imagePart(visit, view)}` : html`<p class="note">${fill(text.readOnly, language)}</p>`}
${endingPart(visit, view)}`,
  })
}

const choicesFor = async (visit: TeachingVisit): Promise<EventView['choices']> => {
  const courses = visit.courses.map(({ id, name }) => ({ value: id, label: name }))
  if (!visit.isStaff) return { hosts: [], groups: [], plans: [], courses }
  const query: Pairs = [['limit', '100']]
  const [lecturers, groups, plans] = await Promise.all([
    perform(visit, { operation: 'listLecturers', query, returns: LecturerPage }),
    perform(visit, { operation: 'listGroups', query, returns: GroupPage }),
    perform(visit, { operation: 'listMembershipPlans', query, returns: MembershipPlanPage }),
  ])
  return {
    hosts: lecturers.data.map(({ id, display_name: label }) => ({ value: id, label })),
    groups: groups.data.map(({ id, name }) => ({ value: id, label: name })),
    plans: plans.data.map(({ id, name }) => ({ value: id, label: name })),
    courses,
  }
}

const show = async (visit: TeachingVisit, again?: Again): Promise<Reply> => {
  const event = await getManaged(visit)
  const params = { event_id: event.id }
  const coming: Pairs = [
    ['ended', 'false'],
    ['limit', '100'],
  ]
  const [dates, tickets, choices, { currency }] = await Promise.all([
    perform(visit, { operation: 'listOccurrences', params, query: coming, returns: OccurrencePage }),
    perform(visit, { operation: 'listTicketTypes', params, query: [['limit', '100']], returns: TicketTypePage }),
    choicesFor(visit),
    perform(visit, { operation: 'getSchool', returns: School }),
  ])
  const shown = { dates: dates.data, hasMore: dates.has_more, tickets: tickets.data }
  return pageOf(visit, { event, ...shown, choices, currency, again })
}

// What a change of the dates would do is shown by a dry run of it.
const checkDates = async (visit: TeachingVisit, event: EventShown, form: Pairs): Promise<Again> => {
  const params = { event_id: event.id }
  const call = { operation: 'setEventRecurrence', params, body: recurrenceIn(form), dryRun: true } as const
  const { result } = await visit.parts.performAs(visit.person, { ...call, returns: RecurrenceChange })
  return { form, dates: result }
}

const checkCancel = async (visit: TeachingVisit, event: EventShown, form: Pairs): Promise<Again> => {
  const call = { operation: 'cancelEvent', params: { event_id: event.id }, body: termsIn(form), dryRun: true } as const
  const { effects } = await visit.parts.performAs(visit.person, { ...call, returns: Event })
  return { form, effects: sentencesOf(effects, visit) }
}

const checks = { check_dates: checkDates, check_cancel: checkCancel } as const

const checked = async (visit: TeachingVisit, check: () => Promise<Again>, form: Pairs): Promise<Reply> => {
  try {
    return await show(visit, await check())
  } catch (refusal) {
    if (!isShown(refusal)) throw refusal
    return show(visit, { form, refusal })
  }
}

const submit = async (visit: TeachingVisit, form: Pairs, files: readonly FormFile[]): Promise<Reply> => {
  const name = formField(form, 'act')
  if (name === 'cancel') {
    // What cannot be undone needs a recent sign-in, which leads back to this page.
    const recent = await recentStaffOf(visit.request)
    if (visit.isStaff && isReply(recent)) return recent
  }
  const event = await getManaged(visit)
  if (name === 'check_dates' || name === 'check_cancel')
    return checked(visit, () => checks[name](visit, event, form), form)
  const act = actOf(form)
  const { currency } = await perform(visit, { operation: 'getSchool', returns: School })
  return shownAgain(
    () => act(visit, event, { form, files, currency }),
    refusal => show(visit, { form, refusal }),
  )
}

/** GET and POST /staff/events/:event: an event with its dates, tickets, settings and publication. */
export const eventEditor: StaffSection = {
  // The list leads to each of them.
  entries: [],
  endpoints: parts => [
    teachingPage(`GET ${PATH}/:event`, parts, visit => show(visit)),
    teachingFileForm(`POST ${PATH}/:event`, parts, submit),
  ],
}
