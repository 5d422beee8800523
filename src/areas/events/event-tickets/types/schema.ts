import Type, { type Static } from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { MAX_AMOUNT } from '#src/kit/money.ts'
import { Closed, Id, Instant, Line, Markdown, Nullable, OneOf, Revision } from '#src/kit/shapes.ts'

/** To whom a ticket is sold. */
const audiences = ['everybody', 'groups', 'plans'] as const

const Amount = (description: string) => Type.Integer({ minimum: 0, maximum: MAX_AMOUNT, description })

const Sales = Closed(
  'TicketSales',
  { from: Nullable(Instant), until: Nullable(Instant) },
  'When it is sold; null for no limit',
)

const settings = {
  name: Line(120, 'What the ticket is called'),
  description: Markdown(2000, 'What is part of the ticket'),
  amount: Amount('The price of a seat in minor units; 0 for a free ticket. What was sold keeps its price'),
  least_amount: Nullable(
    Amount('The least that people may choose to pay, where they choose; `amount` is then what is suggested'),
  ),
  capacity: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 100_000,
      description: 'Seats of each date at this ticket; null: all of the event',
    }),
  ),
  sales: Sales,
  min_per_order: Type.Integer({ minimum: 1, maximum: 20, description: 'The fewest in one order' }),
  max_per_order: Type.Integer({ minimum: 1, maximum: 20, description: 'The most in one order' }),
  needs_approval: Type.Boolean({ description: 'Whether the host decides who comes; nothing is charged before' }),
  visibility: OneOf(['listed', 'unlisted'], 'In the list of tickets, or found by its price alone'),
  audience: OneOf(audiences, 'Who can have it: everybody, members of groups, or holders of plans'),
  group_ids: Type.Array(Id('grp'), { maxItems: 20, uniqueItems: true, description: 'For the audience `groups`' }),
  plan_ids: Type.Array(Id('mpl'), { maxItems: 20, uniqueItems: true, description: 'For the audience `plans`' }),
  position: Type.Integer({ minimum: 1, maximum: 100, description: 'The order in which tickets are shown' }),
} as const

/** One kind of ticket of an event, with its price. */
export const TicketType = Closed('TicketType', {
  id: Id('tkt'),
  event_id: Id('evt'),
  ...settings,
  price_id: { ...Id('prc'), description: 'What a checkout names' },
  currency: Type.String({ description: 'ISO 4217' }),
  seats_left: Type.Optional(
    Nullable(
      Type.Integer({ minimum: 0, description: 'With `occurrence_id`: seats left of that date; null: no limit' }),
    ),
  ),
  revision: Revision,
  created_at: Instant,
  updated_at: Instant,
})

const { name, amount, ...others } = settings

/** A new kind of ticket. */
export const NewTicketType = Closed('NewTicketType', { name, amount, ...Type.Partial(Type.Object(others)).properties })

/** Changes of a kind of ticket. */
export const TicketTypeChanges = Type.Partial(Type.Object(settings), {
  additionalProperties: false,
  title: 'TicketTypeChanges',
})

/** A new or changed kind of ticket, as values. */
export type TicketTypeInput = Static<typeof TicketTypeChanges>

/** One page of kinds of tickets. */
export const TicketTypePage = PageOf(TicketType, 'TicketTypePage')

/** A kind of ticket, in a path. */
export const TicketTypeRef = Type.Object({ ticket_type_id: Id('tkt') })

/** The query parameters of the list of tickets. */
export const TicketTypesQuery = Type.Object({
  ...PageQuery,
  occurrence_id: Type.Optional({ ...Id('occ'), description: 'Also the seats left of this date of the event' }),
})
