import type { Language } from '#src/contract/language.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { formatAmount } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { instantOf, isLocalTime, localAt } from '#src/kit/local-time.ts'
import { type Choice, typedAmount } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { area, box, choose, type FormState, line } from '../../forms/fields.ts'
import { isChecked, lineIn, numberOrNull, textIn, valuesIn } from '../../forms/values.ts'
import { inputs } from '../../pages/fields.ts'
import type { TicketShown } from './shown.ts'
import { eventsText as text } from './text.ts'

/** For whom a ticket can be. */
export type TicketChoices = { readonly groups: readonly Choice[]; readonly plans: readonly Choice[] }

const many = (name: string, values: readonly string[]): Pairs => values.map((value): [string, string] => [name, value])

const localIn = (at: string | null, zone: string): string =>
  at === null ? '' : localAt(new Date(at), zone).slice(0, 16)

/** A ticket as a form shows it; times are those of the event's zone. */
export const pairsOf = (ticket: TicketShown, zone: string, language: Language): Pairs => [
  ['name', ticket.name],
  ['description', ticket.description],
  ['amount', formatAmount(ticket.amount, ticket.currency, language)],
  ['least_amount', formatAmount(ticket.least_amount, ticket.currency, language)],
  ['capacity', ticket.capacity === null ? '' : String(ticket.capacity)],
  ['sales_from', localIn(ticket.sales.from, zone)],
  ['sales_until', localIn(ticket.sales.until, zone)],
  ['min_per_order', String(ticket.min_per_order)],
  ['max_per_order', String(ticket.max_per_order)],
  ['needs_approval', ticket.needs_approval ? 'yes' : ''],
  ['visibility', ticket.visibility],
  ['audience', ticket.audience],
  ...many('group_ids', ticket.group_ids),
  ...many('plan_ids', ticket.plan_ids),
  ['position', String(ticket.position)],
]

const instantIn = (form: Pairs, name: string, zone: string): string | null => {
  const local = lineIn(form, name).slice(0, 16)
  if (local === '') return null
  if (!isLocalTime(local)) refuseInvalid([{ pointer: `/${name}`, code: 'time', message: 'is not a time' }])
  return instantOf({ local, time_zone: zone }).toISOString()
}

/** The body of the change that the form of a ticket asks for. */
export const ticketBody = (
  form: Pairs,
  { zone, ...money }: { readonly currency: string; readonly zone: string; readonly language: Language },
) => {
  const amountIn = (name: string): number => typedAmount(lineIn(form, name), { pointer: `/${name}`, ...money })
  const audience = formField(form, 'audience')
  return {
    name: lineIn(form, 'name'),
    description: textIn(form, 'description'),
    amount: amountIn('amount'),
    least_amount: lineIn(form, 'least_amount') === '' ? null : amountIn('least_amount'),
    capacity: numberOrNull(form, 'capacity'),
    sales: { from: instantIn(form, 'sales_from', zone), until: instantIn(form, 'sales_until', zone) },
    min_per_order: numberOrNull(form, 'min_per_order'),
    max_per_order: numberOrNull(form, 'max_per_order'),
    needs_approval: isChecked(form, 'needs_approval'),
    visibility: formField(form, 'visibility'),
    audience,
    group_ids: audience === 'groups' ? valuesIn(form, 'group_ids') : [],
    plan_ids: audience === 'plans' ? valuesIn(form, 'plan_ids') : [],
    position: numberOrNull(form, 'position'),
  }
}

const boxes = (state: FormState, name: string, legend: string, choices: readonly Choice[]): Html | false =>
  choices.length > 0 &&
  html`<fieldset><legend>${legend}</legend>
${choices.map(({ value, label }) => box(state, { name, id: value, label }, value))}</fieldset>`

const moneyFields = (state: FormState, { t }: StaffContext, { currency }: TicketShown): Html =>
  html`${line(state, { name: 'amount', label: t(text.price, { currency }), attributes: inputs.amount })}
${line(state, { name: 'least_amount', label: t(text.least, { currency }), hint: t(text.leastHint), attributes: inputs.amount })}`

const salesFields = (state: FormState, { t }: StaffContext, zone: string): Html =>
  html`${line(state, { name: 'sales_from', label: t(text.salesFrom, { zone }), attributes: html`type="datetime-local"` })}
${line(state, { name: 'sales_until', label: t(text.salesUntil, { zone }), attributes: html`type="datetime-local"` })}
<div class="pair"><div>${line(state, { name: 'min_per_order', label: t(text.fewest), attributes: inputs.number })}</div>
<div>${line(state, { name: 'max_per_order', label: t(text.most), attributes: inputs.number })}</div></div>`

const audienceFields = (state: FormState, { t }: StaffContext, { groups, plans }: TicketChoices): Html => {
  const choices = (names: Readonly<Record<string, (typeof text)['all']>>): Choice[] =>
    Object.entries(names).map(([value, phrase]) => ({ value, label: t(phrase) }))
  return html`${choose(state, { name: 'visibility', label: t(text.ticketVisibility) }, choices(text.ticketVisibilities))}
${choose(state, { name: 'audience', label: t(text.visibility) }, choices(text.ticketAudiences))}
${boxes(state, 'group_ids', t(text.ticketGroups), groups)}
${boxes(state, 'plan_ids', t(text.ticketPlans), plans)}`
}

/** The fields of the form of a ticket. */
export const ticketFields = (
  state: FormState,
  context: StaffContext,
  { ticket, zone, choices }: { readonly ticket: TicketShown; readonly zone: string; readonly choices: TicketChoices },
): Html => {
  const { t } = context
  return html`${line(state, { name: 'name', label: t(text.ticketName), attributes: html`type="text" maxlength="120" required` })}
${area(state, { name: 'description', label: t(text.description), rows: 3, attributes: html`maxlength="2000"` })}
${moneyFields(state, context, ticket)}
${line(state, { name: 'capacity', label: t(text.ticketCapacity), attributes: inputs.number })}
${box(state, { name: 'needs_approval', label: t(text.needsApproval) })}
${salesFields(state, context, zone)}
${audienceFields(state, context, choices)}
${line(state, { name: 'position', label: t(text.position), attributes: inputs.number })}`
}
