import { TicketTypePage } from '#src/areas/events/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, roleRequired } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { form, hidden, mainButton, page, revisionIn, shownAgain } from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../../audience.ts'
import type { StaffSection } from '../../section.ts'
import { previewButton } from '../../texts/index.ts'
import { readGroupsAndPlans } from './event.ts'
import { ticketFields } from './fields.ts'
import { buildPath, eventsPage, PATH, readManaged } from './frame.ts'

const { acts, ticket: text } = texts.staff.events

const ROUTE = `${PATH}/:event/tickets/:ticket` as const

const read = async (context: TeacherContext) => {
  if (!context.isStaff) throw new Refusal(roleRequired, 'Only staff change tickets.')
  const event = await readManaged(context)
  const params = { event_id: event.id }
  const query: Pairs = [['limit', '100']]
  const { data } = await context.call({ operation: 'listTicketTypes', params, query, returns: TicketTypePage })
  const ticket = data.find(({ id }) => id === context.params.ticket)
  if (ticket === undefined) throw new Refusal(notFound, 'There is no such ticket.')
  const reader = { language: context.language, currency: ticket.currency, timeZone: event.starts_at.time_zone }
  return { event, ticket, reader }
}

const show = async (
  context: TeacherContext,
  again?: { readonly typed: Pairs; readonly refusal: Refusal },
): Promise<Reply> => {
  const [{ event, ticket, reader }, choices] = await Promise.all([read(context), readGroupsAndPlans(context)])
  const typed = again?.typed ?? ticketFields.pairs(ticket, reader)
  const isStale = again === undefined || again.refusal.problem.code === 'precondition_failed'
  const revision = isStale ? ticket.revision : formField(typed, 'revision')
  const rows = ticketFields.rows({ ...reader, typed, refusal: again?.refusal, choices }, [
    ...(['name', 'description', 'amount', 'least_amount', 'capacity', 'needs_approval'] as const),
    ...(['sales_from', 'sales_until', ['min_per_order', 'max_per_order'], 'visibility', 'audience'] as const),
    ...(['group_ids', 'plan_ids', 'position'] as const),
  ])
  return eventsPage(context, {
    title: ticket.name,
    parents: [{ path: buildPath(event), name: event.name }],
    again,
    fields: ticketFields,
    body: html`<p class="quiet">${context.t(text.ticketAbout)}</p>
${context.form(html`${hidden({ revision })}${rows}${mainButton(context.t(acts.save.button))}
${previewButton(context.t, 'description')}`)}`,
  })
}

const store = async (context: TeacherContext, typed: Pairs): Promise<string> => {
  const { event, ticket, reader } = await read(context)
  const body = ticketFields.body(typed, reader)
  const isFor = { groups: body.audience === 'groups', plans: body.audience === 'plans' }
  const audience = { ...(isFor.groups ? {} : { group_ids: [] }), ...(isFor.plans ? {} : { plan_ids: [] }) }
  await context.call({
    operation: 'updateTicketType',
    params: { ticket_type_id: ticket.id },
    body: { ...body, ...audience },
    revision: revisionIn(typed),
  })
  return `${buildPath(event)}?done=ticket#tickets`
}

/** GET and POST /staff/events/:event/tickets/:ticket: everything that staff decide about a ticket. */
export const eventTicket: StaffSection = {
  // The event leads to each of them.
  pages: [
    page(`GET ${ROUTE}`, teachers, context => show(context)),
    form(`POST ${ROUTE}`, teachers, (context, typed) =>
      shownAgain(
        () => store(context, typed),
        refusal => show(context, { typed, refusal }),
      ),
    ),
  ],
}
