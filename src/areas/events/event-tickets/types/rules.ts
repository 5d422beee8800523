import { type FieldError, problem } from '#src/contract/problem.ts'
import type { TicketTypeInput } from './schema.ts'

/** The event has the maximum number of tickets. */
export const tooManyTicketTypes = problem(
  409,
  'too_many_ticket_types',
  'There are too many kinds of tickets',
  'An event has at most 20 kinds of tickets. Delete one that nobody has, or change it.',
)

/** Somebody has or had the ticket. */
export const ticketTypeInUse = problem(
  409,
  'ticket_type_in_use',
  'Somebody has this ticket',
  'A ticket that somebody has or had cannot be deleted. Set sales.until to an instant that is over, or make it unlisted.',
)

/** How many kinds of tickets an event may have. */
export const MAX_TICKET_TYPES = 20

/** What is stored of a kind of ticket as its settings say, without the price. */
export type TicketTypeValues = {
  readonly name: string
  readonly description: string
  readonly position: number
  readonly capacity: number | null
  readonly sales_from: Date | null
  readonly sales_until: Date | null
  readonly min_per_order: number
  readonly max_per_order: number
  readonly needs_approval: boolean
  readonly visibility: 'listed' | 'unlisted'
  readonly audience: 'everybody' | 'groups' | 'plans'
  readonly group_ids: readonly string[]
  readonly plan_ids: readonly string[]
  readonly least_amount: number | null
}

/** The values of a kind of ticket of which nothing is said. */
export const BLANK_TICKET_TYPE: TicketTypeValues = {
  name: '',
  description: '',
  position: 1,
  capacity: null,
  sales_from: null,
  sales_until: null,
  min_per_order: 1,
  max_per_order: 10,
  needs_approval: false,
  visibility: 'listed',
  audience: 'everybody',
  group_ids: [],
  plan_ids: [],
  least_amount: null,
}

/** The values after a change; the price is stored apart. */
export const mergedTicketType = (
  before: TicketTypeValues,
  { amount: _amount, sales, ...input }: TicketTypeInput,
): TicketTypeValues => {
  const audience = input.audience ?? before.audience
  return {
    ...before,
    ...input,
    ...(sales === undefined ? {} : { sales_from: sales.from, sales_until: sales.until }),
    // Another audience has no use for the groups or plans of before.
    group_ids: audience === 'groups' ? (input.group_ids ?? before.group_ids) : (input.group_ids ?? []),
    plan_ids: audience === 'plans' ? (input.plan_ids ?? before.plan_ids) : (input.plan_ids ?? []),
  }
}

const error = (pointer: string, code: string, message: string): FieldError => ({ pointer, code, message })

const errorsOfAudience = ({ audience, group_ids: groups, plan_ids: plans }: TicketTypeValues): FieldError[] => [
  ...((audience === 'groups') === groups.length > 0
    ? []
    : [error('/group_ids', 'audience', 'is there with the audience groups, and only with it')]),
  ...((audience === 'plans') === plans.length > 0
    ? []
    : [error('/plan_ids', 'audience', 'is there with the audience plans, and only with it')]),
]

/** Why values cannot be those of a kind of ticket that costs so much. */
export const errorsOfTicketType = (values: TicketTypeValues, amount: number): FieldError[] => {
  const { min_per_order: min, max_per_order: max, sales_from: from, sales_until: until, least_amount: least } = values
  return [
    ...(min <= max ? [] : [error('/max_per_order', 'minimum', 'is less than min_per_order')]),
    ...(from === null || until === null || from < until
      ? []
      : [error('/sales/until', 'order', 'is not after the begin of the sale')]),
    ...(least === null || least <= amount ? [] : [error('/least_amount', 'maximum', 'is more than amount')]),
    ...(least !== null && amount === 0 ? [error('/amount', 'minimum', 'is what is suggested, and more than 0')] : []),
    ...errorsOfAudience(values),
  ]
}
