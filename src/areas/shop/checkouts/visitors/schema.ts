import Type, { type Static } from 'typebox'
import { Price } from '#src/contract/price.ts'
import { Closed, Id, Instant, Nullable, OneOf } from '#src/kit/shapes.ts'

const Amount = (description: string) => Type.Integer({ minimum: 0, description: `${description}, in minor units` })

const itemTypes = ['course', 'membership_plan', 'digital_product', 'ticket'] as const

const Access = Nullable(
  Closed('QuotedAccess', {
    days: Type.Optional(Type.Integer()),
    months: Type.Optional(Type.Integer()),
    until: Type.Optional(Instant),
    subscription: Type.Optional(Type.Literal(true)),
  }),
)

const { payment_type, amount, currency, interval, interval_count, number_of_payments } = Price.properties

const QuotedPayment = Closed(
  'QuotedPayment',
  { payment_type, amount, currency, interval, interval_count, number_of_payments },
  'The price, and how often it is paid',
)

const QuotedLine = Closed('CheckoutQuoteLine', {
  price_id: Id('prc'),
  item_type: OneOf(itemTypes, 'What it is'),
  item_id: Type.String({ description: 'The id of what it is' }),
  name: Type.String(),
  quantity: Type.Integer({ minimum: 1 }),
  most_per_order: Type.Integer({ minimum: 1 }),
  unit_amount: Amount('The price of one'),
  discount_amount: Amount('What codes take off the line'),
  tax_percent: Type.String(),
  tax_amount: Amount('The tax in the amount'),
  amount: Amount('What is paid for the line, with its tax'),
  access: Access,
  payment: QuotedPayment,
  occurrence_id: Nullable(Id('occ')),
})

const RefusedLine = Closed('CheckoutRefusedLine', {
  price_id: Id('prc'),
  reason: Type.String({ description: 'The code of the refusal' }),
  name: Nullable(Type.String({ description: 'Null where the buyer may not know that it exists' })),
  item_type: Nullable(OneOf(itemTypes, 'What it is')),
})

/** What a purchase would be now: what can be bought with the codes that apply, and the rest with the reasons. */
export const CheckoutQuote = Closed('CheckoutQuote', {
  quote: Type.String({ description: 'The hash of what the buyer is shown' }),
  currency: Type.String({ description: 'ISO 4217' }),
  subtotal: Amount('What the lines cost'),
  discount_total: Amount('What codes take off'),
  tax_total: Amount('The tax in the total'),
  total: Amount('What is paid'),
  trial_days: Type.Integer({ minimum: 0, description: 'The free days before the first payment of a subscription' }),
  tax: Closed('QuotedTax', {
    mode: OneOf(['none', 'inclusive', 'exclusive'], 'Whether amounts contain the tax or it is added to them'),
    country: Nullable(Type.String()),
    reverse_charge: Type.Boolean(),
  }),
  lines: Type.Array(QuotedLine),
  refused: Type.Array(RefusedLine),
  waiting: Type.Array(
    Closed('WaitingItem', {
      item_type: OneOf(itemTypes, 'What it is'),
      name: Type.String(),
      order_number: Type.String(),
    }),
    { description: 'What an order of the buyer has that waits for payment' },
  ),
  codes: Type.Array(Closed('QuotedCode', { code: Type.String(), amount: Amount('What it takes off') })),
  refused_codes: Type.Array(Closed('RefusedCode', { code: Type.String(), reason: Type.String() })),
  billing: OneOf(['none', 'optional', 'required'], 'Whether the tax depends on the country and the tax id'),
  country: Nullable(Type.String({ description: 'The country of the school, where most of its buyers are' })),
  seller: Nullable(Type.String({ description: 'Who sells: the legal name of the school, and its city' })),
  terms_page_id: Nullable(Id('pag')),
  waiver: Nullable(Closed('QuotedWaiver', { text: Type.String(), required: Type.Boolean() })),
  can_sell: Type.Boolean({
    description: 'Whether nothing is due, or the school has a way to be paid and has said who it is in law',
  }),
  time_zone: Type.String({ description: "The school's" }),
})

/** What a purchase would be, as values. */
export type CheckoutQuoteValues = Static<typeof CheckoutQuote>

/** A checkout, by its id. */
export const CheckoutRef = Type.Object({ checkout_id: Id('chk') })

/** What the browser proves, and what its buyer was shown. */
export const Placing = Closed('Placing', {
  browser: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'The hash of what binds the checkout to a browser',
  }),
  quote: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'The hash of the quote that the buyer was shown' }),
})
