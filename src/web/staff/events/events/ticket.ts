import { TicketTypePage } from '#src/areas/events/index.ts'
import { GroupPage } from '#src/areas/learning/index.ts'
import { MembershipPlanPage } from '#src/areas/memberships/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, roleRequired } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { revisionOf } from '../../form-fields.ts'
import { noticeFor } from '../../forms/errors.ts'
import type { StaffSection } from '../../section.ts'
import { type TeachingVisit, teachingForm, teachingPage } from '../../teaching/visit.ts'
import { perform, shownAgain } from '../../visit.ts'
import { eventsPage, listAbove, PATH, pathOf } from './frame.ts'
import { getManaged } from './managed.ts'
import { stateOf, type TicketShown } from './shown.ts'
import { eventRefusals, eventsText as text } from './text.ts'
import { pairsOf, type TicketChoices, ticketBody, ticketFields } from './ticket-fields.ts'

const ROUTE = `${PATH}/:event/tickets/:ticket` as const
const ALL: Pairs = [['limit', '100']]
const FIELDS = [
  ...['name', 'description', 'amount', 'least_amount', 'capacity', 'sales', 'min_per_order', 'max_per_order'],
  ...['visibility', 'audience', 'group_ids', 'plan_ids', 'position'],
]

const named = ({ data }: { readonly data: readonly { readonly id: string; readonly name: string }[] }) =>
  data.map(({ id, name }) => ({ value: id, label: name }))

const choicesFor = async (visit: TeachingVisit): Promise<TicketChoices> => {
  const [groups, plans] = await Promise.all([
    perform(visit, { operation: 'listGroups', query: ALL, returns: GroupPage }),
    perform(visit, { operation: 'listMembershipPlans', query: ALL, returns: MembershipPlanPage }),
  ])
  return { groups: named(groups), plans: named(plans) }
}

const read = async (visit: TeachingVisit) => {
  if (!visit.isStaff) throw new Refusal(roleRequired, 'Only staff change tickets.')
  const event = await getManaged(visit)
  const params = { event_id: event.id }
  const { data } = await perform(visit, { operation: 'listTicketTypes', params, query: ALL, returns: TicketTypePage })
  const ticket = data.find(({ id }) => id === visit.request.params.ticket)
  if (ticket === undefined) throw new Refusal(notFound, 'There is no such ticket.')
  return { event, ticket }
}

const show = async (visit: TeachingVisit, sent?: Pairs, refusal?: Refusal): Promise<Reply> => {
  const { language, request, token } = visit
  const [{ event, ticket }, choices] = await Promise.all([read(visit), choicesFor(visit)])
  const zone = event.starts_at.time_zone
  const again = sent === undefined || refusal === undefined ? undefined : { form: sent, refusal }
  const state = stateOf(visit, again, [''], pairsOf(ticket, zone, language))
  const revision = formField(sent ?? [], 'revision') || ticket.revision
  const isStale = refusal?.problem.code === 'precondition_failed'
  return eventsPage(visit, {
    title: ticket.name,
    above: [listAbove(language), { path: pathOf(event), name: event.name }],
    refusal,
    notice: noticeFor(refusal, language, { errors: state.errors, fields: FIELDS, refusals: eventRefusals }),
    body: html`<p class="quiet">${fill(text.ticketAbout, language)}</p>
<form method="post" action="${request.path}"><input type="hidden" name="token" value="${token}"><input type="hidden" name="revision" value="${isStale ? ticket.revision : revision}">
${ticketFields(state, visit, { ticket, zone, choices })}
<div class="buttons row"><button class="main" type="submit">${fill(text.save, language)}</button></div>
</form>`,
  })
}

const save = async (visit: TeachingVisit, form: Pairs, ticket: TicketShown, zone: string): Promise<void> => {
  const params = { ticket_type_id: ticket.id }
  const body = ticketBody(form, { currency: ticket.currency, zone, language: visit.language })
  await perform(visit, { operation: 'updateTicketType', params, body, revision: revisionOf(form) })
}

const submit = async (visit: TeachingVisit, form: Pairs): Promise<Reply> => {
  const { event, ticket } = await read(visit)
  const work = async () => {
    await save(visit, form, ticket, event.starts_at.time_zone)
    return `${pathOf(event)}?done=tickets#tickets`
  }
  return shownAgain(work, refusal => show(visit, form, refusal))
}

/** GET and POST /staff/events/:event/tickets/:ticket: everything that staff decide about a ticket. */
export const eventTicket: StaffSection = {
  // The event leads to each of them.
  entries: [],
  endpoints: parts => [
    teachingPage(`GET ${ROUTE}`, parts, visit => show(visit)),
    teachingForm(`POST ${ROUTE}`, parts, submit),
  ],
}
