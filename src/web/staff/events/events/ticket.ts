import { TicketTypePage } from '#src/areas/events/index.ts'
import { GroupPage } from '#src/areas/learning/index.ts'
import { MembershipPlanPage } from '#src/areas/memberships/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, roleRequired } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { form, page, revisionIn, shownAgain } from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../../audience.ts'
import { noticeFor } from '../../forms/errors.ts'
import type { StaffSection } from '../../section.ts'
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

const choicesFor = async (context: TeacherContext): Promise<TicketChoices> => {
  const [groups, plans] = await Promise.all([
    context.call({ operation: 'listGroups', query: ALL, returns: GroupPage }),
    context.call({ operation: 'listMembershipPlans', query: ALL, returns: MembershipPlanPage }),
  ])
  return { groups: named(groups), plans: named(plans) }
}

const read = async (context: TeacherContext) => {
  if (!context.isStaff) throw new Refusal(roleRequired, 'Only staff change tickets.')
  const event = await getManaged(context)
  const params = { event_id: event.id }
  const { data } = await context.call({ operation: 'listTicketTypes', params, query: ALL, returns: TicketTypePage })
  const ticket = data.find(({ id }) => id === context.request.params.ticket)
  if (ticket === undefined) throw new Refusal(notFound, 'There is no such ticket.')
  return { event, ticket }
}

const show = async (context: TeacherContext, sent?: Pairs, refusal?: Refusal): Promise<Reply> => {
  const { t, language, request, token } = context
  const [{ event, ticket }, choices] = await Promise.all([read(context), choicesFor(context)])
  const zone = event.starts_at.time_zone
  const again = sent === undefined || refusal === undefined ? undefined : { form: sent, refusal }
  const state = stateOf(context, again, [''], pairsOf(ticket, zone, language))
  const revision = formField(sent ?? [], 'revision') || ticket.revision
  const isStale = refusal?.problem.code === 'precondition_failed'
  return eventsPage(context, {
    title: ticket.name,
    above: [listAbove(language), { path: pathOf(event), name: event.name }],
    refusal,
    notice: noticeFor(refusal, language, { errors: state.errors, fields: FIELDS, refusals: eventRefusals }),
    body: html`<p class="quiet">${t(text.ticketAbout)}</p>
<form method="post" action="${request.path}"><input type="hidden" name="token" value="${token}"><input type="hidden" name="revision" value="${isStale ? ticket.revision : revision}">
${ticketFields(state, context, { ticket, zone, choices })}
<div class="buttons row"><button class="main" type="submit">${t(text.save)}</button></div>
</form>`,
  })
}

const save = async (context: TeacherContext, form: Pairs, ticket: TicketShown, zone: string): Promise<void> => {
  const params = { ticket_type_id: ticket.id }
  const body = ticketBody(form, { currency: ticket.currency, zone, language: context.language })
  await context.call({ operation: 'updateTicketType', params, body, revision: revisionIn(form) })
}

const submit = async (context: TeacherContext, form: Pairs): Promise<Reply> => {
  const { event, ticket } = await read(context)
  const work = async () => {
    await save(context, form, ticket, event.starts_at.time_zone)
    return `${pathOf(event)}?done=tickets#tickets`
  }
  return shownAgain(work, refusal => show(context, form, refusal))
}

/** GET and POST /staff/events/:event/tickets/:ticket: everything that staff decide about a ticket. */
export const eventTicket: StaffSection = {
  // The event leads to each of them.
  entries: [],
  pages: [page(`GET ${ROUTE}`, teachers, context => show(context)), form(`POST ${ROUTE}`, teachers, submit)],
}
