import Type, { type Static } from 'typebox'
import { InvoiceSummary } from '#src/areas/shop/invoices/index.ts'
import { PageOf } from '#src/contract/pagination.ts'
import { idPattern } from '#src/kit/ids.ts'
import { Closed, Id, Instant, Nullable, Line as OneLine, OneOf, Personal, Recorded } from '#src/kit/shapes.ts'
import { Dispute, OrderPayment, Refund } from './money.schema.ts'
import { orderKinds, shownStatuses } from './rules.ts'

const Amount = (description: string) => Type.Integer({ minimum: 0, description: `${description}, in minor units` })
const Percent = Type.String({ description: 'A percentage as a decimal string', examples: ['23'] })

/** The types of what an order may have. */
export const itemTypes = ['course', 'membership_plan', 'digital_product', 'ticket'] as const

/** What a line is about. */
const OrderedItem = Closed('OrderedItem', {
  type: OneOf(itemTypes, 'What it is'),
  id: Type.String({ description: 'Its id: crs_…, mpl_…, dpr_… or tkt_…' }),
})

/** One line of an address. */
const Field = (length: number, description: string) => Nullable(OneLine(length, description))

const Address = Closed('BillingAddress', {
  line1: OneLine(120, 'Street and number'),
  line2: Type.Optional(Field(120, 'A second line')),
  postal_code: Type.Optional(Field(20, 'The postal code, where the country has them')),
  city: OneLine(120, 'The town or city'),
  region: Type.Optional(Field(120, 'The state, province or district, where an address has one')),
})

const billing = {
  name: Field(120, 'The person to whom the invoice is made out; by default the name of the member'),
  company: Field(120, 'The company to which the invoice is made out'),
  address: Nullable(Personal(Address)),
  country: Nullable(
    Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2; needed where it decides the tax' }),
  ),
  tax_id: Field(30, 'In the EU the VAT identification number with its prefix; elsewhere any tax id'),
}

// To whom an order is billed.
const Billing = Personal(Closed('Billing', billing))

/** To whom an order is billed, as values. */
export type BillingValues = Static<typeof Billing>

/** Fields of the billing to set; those that are left out stay. */
export const BillingInput = Type.Partial(Type.Object(billing), { additionalProperties: false, title: 'BillingInput' })

/** Fields of the billing to set, as values. */
export type BillingInputValues = Static<typeof BillingInput>

const Access = Nullable(
  Closed(
    'OrderedAccess',
    {
      days: Type.Optional(Type.Integer({ description: 'The number of days from the payment' })),
      months: Type.Optional(Type.Integer({ description: 'The number of months from the payment' })),
      until: Type.Optional(Instant),
      subscription: Type.Optional(Type.Literal(true, { description: 'As long as the subscription is paid' })),
    },
    'For how long the line gives access; null without an end',
  ),
)

/** One thing of an order. */
const OrderLine = Closed('OrderLine', {
  id: Id('lin'),
  item: OrderedItem,
  price_id: Id('prc'),
  name: Type.String({ description: 'As it was called when the order was placed' }),
  quantity: Type.Integer({ minimum: 1 }),
  unit_amount: Amount('The price of one'),
  discount_amount: Amount('What codes took off the line'),
  tax_percent: Percent,
  tax_amount: Amount('The tax in the amount'),
  amount: Amount('What is paid for the line, with its tax'),
  refunded_amount: Amount('What was refunded of it, refunds on their way included'),
  refunded_quantity: Type.Integer({ minimum: 0 }),
  period: Nullable(Closed('OrderedPeriod', { from: Instant, until: Instant }, 'Of a renewal')),
  access: Access,
  fulfilled_at: Nullable(Instant),
})

/** The coupon of a code as it is now. */
const OrderedCoupon = Closed(
  'OrderedCoupon',
  {
    name: Type.String(),
    kind: OneOf(['percent', 'fixed', 'free_trial'], 'What it does'),
    percent_off: Nullable(Percent),
    amount_off: Nullable(Amount('What it takes off')),
    is_archived: Type.Boolean(),
  },
  'The coupon of the code as it is now; only with expand=coupon',
)

const OrderCode = Closed('OrderCode', {
  coupon_id: Id('cpn'),
  code: Type.String(),
  amount: Amount('What the code took off the order'),
  coupon: Type.Optional(OrderedCoupon),
})

const Terms = Closed('AcceptedTerms', {
  page_version: Nullable(Type.Integer({ description: 'The version of the page of terms' })),
  accepted_at: Instant,
})

const Waiver = Closed('AcceptedWaiver', {
  text: Type.String({ description: 'The sentence to which the buyer agreed' }),
  accepted_at: Instant,
})

const Buyer = Closed('OrderMember', {
  id: Id('mem'),
  name: Type.String(),
  email: Type.Optional(Personal(Type.String({ description: 'The address now; only with expand=member' }))),
  phone: Type.Optional(Personal(Nullable(Type.String({ description: 'Only with expand=member' })))),
})

/** How to pay an order that waits for it. */
const NextPayment = Closed('NextPayment', {
  state: OneOf(['open', 'paid', 'ended'], 'Whether the order waits for payment, is paid, or ended without'),
  page_url: Nullable(
    Type.String({
      description: 'The page on which the person pays, signed in to the school; null when nothing is due',
    }),
  ),
  expires_at: Nullable(Instant),
})

/** An order. */
export const Order = Closed('Order', {
  id: Id('ord'),
  number: Type.String({ description: 'The number that people see; unique in the school' }),
  kind: OneOf(orderKinds, 'What it came from'),
  status: OneOf(
    shownStatuses,
    'Where it is; `partially_refunded` and `refunded` are paid orders of which some or all was refunded',
  ),
  member: Buyer,
  email: Nullable(Personal(Type.String({ description: 'The address of the buyer when the order was placed' }))),
  currency: Type.String({ description: 'ISO 4217' }),
  subtotal: Amount('The sum of quantities times prices'),
  discount_total: Amount('What codes took off'),
  tax_total: Amount('The tax in the total'),
  total: Amount('What is to be paid'),
  paid_total: Amount('What was paid'),
  refunded_total: Amount('What was paid back'),
  tax: Closed('OrderTax', {
    mode: OneOf(['none', 'inclusive', 'exclusive'], 'Whether prices contain the tax or it is added to them'),
    country: Nullable(Type.String({ description: 'The country whose rate applies' })),
    reverse_charge: Type.Boolean({
      description: 'Whether the buyer, a business of another EU country, owes the tax',
    }),
  }),
  billing: Billing,
  lines: Type.Array(OrderLine),
  codes: Type.Array(OrderCode),
  payment: NextPayment,
  payments: Type.Array(OrderPayment),
  refunds: Type.Array(Refund),
  dispute: Nullable(Dispute),
  invoices: Type.Array(InvoiceSummary, { description: 'Its invoices and credit notes, the oldest first' }),
  expires_at: Nullable(Instant),
  paid_at: Nullable(Instant),
  canceled_at: Nullable(Instant),
  cancel_reason: Nullable(OneOf(['buyer', 'staff', 'deletion', 'erasure'], 'Who canceled it')),
  subscription_id: Nullable(Id('sub')),
  source: Closed('OrderSource', {
    client_id: Nullable(Type.String({ description: 'The app through which it was placed' })),
    page: Nullable(Type.String({ description: 'The page on which it was placed' })),
    campaign: Nullable(Type.String()),
  }),
  terms: Nullable(Terms),
  withdrawal_waiver: Nullable(Waiver),
  note: Type.Optional(Nullable(Type.String({ description: 'A note of the staff; the buyer does not see it' }))),
  ...Recorded,
})

/** An order as values. */
export type OrderView = Static<typeof Order>

/** One page of orders. */
export const OrderPage = PageOf(Order, 'OrderPage')

/** The order in a path: its id, or `number:` and its number. */
export const OrderRef = Type.Object({
  order_id: Type.String({
    pattern: `${idPattern('ord')}|^number:[A-Z0-9-]{1,40}$`,
    description: 'An id (ord_…), or number: and the number',
  }),
})

/** What a line of an order gave, and what became of it. */
const OrderEntitlement = Closed('OrderEntitlement', {
  id: Id('ent'),
  line_id: Id('lin'),
  item: OrderedItem,
  starts_at: Instant,
  ends_at: Nullable(Instant),
  ended_at: Nullable(Instant),
  ended_by: Nullable(OneOf(['refund', 'dispute', 'expiry', 'staff'], 'What ended it; null while it is active')),
})

/** What the lines of an order gave. */
export const OrderEntitlements = Closed('OrderEntitlements', { data: Type.Array(OrderEntitlement) })
