import { LecturerPage } from '#src/areas/courses/index.ts'
import { Event, OccurrencePage, RecurrenceChange, TicketTypePage } from '#src/areas/events/index.ts'
import { GroupPage } from '#src/areas/learning/index.ts'
import { MembershipPlanPage } from '#src/areas/memberships/index.ts'
import { School } from '#src/areas/school/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { type FormWithFiles, fileForm, isReply, isShown, page, shownAgain } from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../../audience.ts'
import { errorsIn, noticeFor } from '../../forms/errors.ts'
import { recentStaffOf } from '../../page-request.ts'
import type { StaffSection } from '../../section.ts'
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

const pageOf = (context: TeacherContext, view: EventView): Promise<Reply> => {
  const { t, language, isStaff } = context
  const { event, again } = view
  const refusal = again?.refusal
  const errors = errorsIn(refusal, language, text.errors)
  const mayChange = isStaff || event.status === 'draft'
  return eventsPage(context, {
    title: event.name,
    above: [listAbove(language)],
    refusal,
    notice: noticeFor(refusal, language, { errors, fields: FIELDS, refusals: eventRefusals }),
    body: html`<p class="course-head">${statusBadge(event, context)}${event.status === 'published' && html` <a href="/events/${event.slug}">${t(text.onSite)}</a>`}</p>
${event.status !== 'draft' && html`<p class="buttons row"><a class="button" href="${pathOf(event)}/registrations">${t(text.people)}</a> <a class="button" href="${pathOf(event)}/check-in">${t(text.checkIn)}</a></p>`}
${datesPart(context, view)}
${ticketsPart(context, view)}
${publicationPart(context, view)}
${mayChange ? html`${eventForm(context, view)}\n${imagePart(context, view)}` : html`<p class="note">${t(text.readOnly)}</p>`}
${endingPart(context, view)}`,
  })
}

const choicesFor = async (context: TeacherContext): Promise<EventView['choices']> => {
  const courses = context.courses.map(({ id, name }) => ({ value: id, label: name }))
  if (!context.isStaff) return { hosts: [], groups: [], plans: [], courses }
  const query: Pairs = [['limit', '100']]
  const [lecturers, groups, plans] = await Promise.all([
    context.call({ operation: 'listLecturers', query, returns: LecturerPage }),
    context.call({ operation: 'listGroups', query, returns: GroupPage }),
    context.call({ operation: 'listMembershipPlans', query, returns: MembershipPlanPage }),
  ])
  return {
    hosts: lecturers.data.map(({ id, display_name: label }) => ({ value: id, label })),
    groups: groups.data.map(({ id, name }) => ({ value: id, label: name })),
    plans: plans.data.map(({ id, name }) => ({ value: id, label: name })),
    courses,
  }
}

const show = async (context: TeacherContext, again?: Again): Promise<Reply> => {
  const event = await getManaged(context)
  const params = { event_id: event.id }
  const coming: Pairs = [
    ['ended', 'false'],
    ['limit', '100'],
  ]
  const [dates, tickets, choices, { currency }] = await Promise.all([
    context.call({ operation: 'listOccurrences', params, query: coming, returns: OccurrencePage }),
    context.call({ operation: 'listTicketTypes', params, query: [['limit', '100']], returns: TicketTypePage }),
    choicesFor(context),
    context.call({ operation: 'getSchool', returns: School }),
  ])
  const shown = { dates: dates.data, hasMore: dates.has_more, tickets: tickets.data }
  return pageOf(context, { event, ...shown, choices, currency, again })
}

// What a change of the dates would do is shown by a dry run of it.
const checkDates = async (context: TeacherContext, event: EventShown, form: Pairs): Promise<Again> => {
  const params = { event_id: event.id }
  const call = { operation: 'setEventRecurrence', params, body: recurrenceIn(form), dryRun: true } as const
  const { result } = await context.call({ ...call, returns: RecurrenceChange })
  return { form, dates: result }
}

const checkCancel = async (context: TeacherContext, event: EventShown, form: Pairs): Promise<Again> => {
  const call = { operation: 'cancelEvent', params: { event_id: event.id }, body: termsIn(form), dryRun: true } as const
  const { effects } = await context.call({ ...call, returns: Event })
  return { form, effects: sentencesOf(effects, context) }
}

const checks = { check_dates: checkDates, check_cancel: checkCancel } as const

const checked = async (context: TeacherContext, check: () => Promise<Again>, form: Pairs): Promise<Reply> => {
  try {
    return await show(context, await check())
  } catch (refusal) {
    if (!isShown(refusal)) throw refusal
    return show(context, { form, refusal })
  }
}

const submit = async (context: TeacherContext, { form, files }: FormWithFiles): Promise<Reply> => {
  const name = formField(form, 'act')
  if (name === 'cancel') {
    // What cannot be undone needs a recent sign-in, which leads back to this page.
    const recent = await recentStaffOf(context.request)
    if (context.isStaff && isReply(recent)) return recent
  }
  const event = await getManaged(context)
  if (name === 'check_dates' || name === 'check_cancel')
    return checked(context, () => checks[name](context, event, form), form)
  const act = actOf(form)
  const { currency } = await context.call({ operation: 'getSchool', returns: School })
  return shownAgain(
    () => act(context, event, { form, files, currency }),
    refusal => show(context, { form, refusal }),
  )
}

/** GET and POST /staff/events/:event: an event with its dates, tickets, settings and publication. */
export const eventEditor: StaffSection = {
  // The list leads to each of them.
  entries: [],
  pages: [
    page(`GET ${PATH}/:event`, teachers, context => show(context)),
    fileForm(`POST ${PATH}/:event`, teachers, submit),
  ],
}
