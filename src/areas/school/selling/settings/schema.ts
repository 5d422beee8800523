import Type, { type Static } from 'typebox'
import { languages } from '#src/kit/locale.ts'
import {
  AllowedActions,
  Closed,
  Email,
  Id,
  Instant,
  Line,
  Nullable,
  OneOf,
  Personal,
  Revision,
  Words,
} from '#src/kit/shapes.ts'
import { SaleState } from '../sale.schema.ts'

const Country = Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2' })

const Address = Closed('SellerAddress', {
  line1: Line(120, 'Street and number'),
  line2: Nullable(Line(120, 'A second line')),
  postal_code: Nullable(Line(20, 'The postal code, where the country has them')),
  city: Line(120, 'The town or city'),
  region: Nullable(Line(120, 'The state, province or district, where an address has one')),
  country: Country,
})

const Legal = Closed('SellerLegal', {
  name: Nullable(Line(120, 'The name of the seller in law, as on invoices')),
  address: Nullable(Personal(Address)),
  tax_id: Nullable(
    Line(30, 'In the EU the VAT identification number with its prefix, such as PT123456789; elsewhere any tax id'),
  ),
  registration: Nullable(Line(200, 'The entry in the register of companies, or a national tax number')),
  email: Nullable(Personal(Email('Where buyers write to about orders and invoices'))),
})

/** A percentage from 0 to 100 as a decimal string with at most four decimals. */
const Percent = Type.String({
  pattern: '^(?:100(?:\\.0{1,4})?|(?:0|[1-9][0-9]?)(?:\\.[0-9]{1,4})?)$',
  examples: ['23', '7.5'],
  description: 'A percentage from 0 to 100 as a decimal string with at most four decimals',
})

const Rate = Closed('TaxRate', {
  country: Type.String({
    pattern: '^(?:[A-Z]{2}|\\*)$',
    description: 'ISO 3166-1 alpha-2, or `*` for all countries without a rate of their own',
  }),
  percent: Percent,
  name: Line(40, 'What the tax is called on invoices, such as IVA'),
})

/** One for each country, and one for all others. */
const MAX_RATES = 250

const Tax = Closed('SellerTax', {
  mode: OneOf(['none', 'inclusive', 'exclusive'], 'Whether amounts contain the tax or it is added to them'),
  rates: Type.Array(Rate, {
    maxItems: MAX_RATES,
    description: 'One rate for each country; what is taxed in a country without a rate, and without `*`, has no tax',
  }),
  taxed_at: Closed('TaxedAt', {
    online: OneOf(['buyer', 'school'], 'Whether sales online are taxed where the buyer or where the school is'),
    in_person: OneOf(['place'], 'Events are taxed where they take place'),
  }),
  reverse_charge: Type.Boolean({
    description:
      'Whether businesses of other EU countries that give a VAT identification number pay no tax to the school',
  }),
})

const Prefix = (description: string) =>
  Type.String({ minLength: 1, maxLength: 12, pattern: '^[A-Z0-9]+(?:-[A-Z0-9]+)*$', description })

const Checkout = Closed('SellerCheckout', {
  hold_minutes: Type.Integer({
    minimum: 30,
    maximum: 120,
    description: 'How many minutes an unpaid order keeps its places and discounts',
  }),
  manual_hold_days: Type.Integer({
    minimum: 1,
    maximum: 30,
    description: 'How many days an order that is paid by bank transfer keeps them',
  }),
  terms_page_id: Nullable(Id('pag')),
  withdrawal_waiver: Closed('WithdrawalWaiver', {
    text: Nullable(Words(2000, 'The sentence by which the buyer agrees to begin at once, as plain text')),
    required: Type.Boolean({ description: 'Whether digital content is sold only to buyers who agree' }),
  }),
  invoice_prefix: Prefix('What the numbers of invoices begin with: capital letters, digits and single hyphens'),
  invoice_language: Nullable(OneOf(languages, 'The language of invoices; null for that of the school')),
  order_prefix: Prefix('What the numbers of orders begin with; another one than that of invoices'),
  retain_years: Type.Integer({
    minimum: 1,
    maximum: 30,
    description: 'For how many years issued invoices keep name and address of a buyer who was erased',
  }),
})

const Subscriptions = Closed('SellerSubscriptions', {
  past_due_access: OneOf(['keep', 'stop'], 'Whether a subscription whose payment failed still gives access'),
  retry_days: Type.Array(Type.Integer({ minimum: 1, maximum: 30 }), {
    minItems: 1,
    maxItems: 10,
    description: 'On which days after a failed payment it is tried again, in ascending order',
  }),
  after_retries: OneOf(['cancel', 'keep'], 'What happens to a subscription when the last retry has failed'),
  credit_on_end: OneOf(
    ['ask', 'pay_back'],
    'What happens to the credit of a subscription that ends: it waits until the school decides, or it is paid back',
  ),
  trial_needs_method: Type.Boolean({ description: 'Whether a trial begins only with a payment method' }),
  one_trial_per_member: Type.Boolean({ description: 'Whether a member gets one trial only' }),
  members_may_pause: Type.Boolean({ description: 'Whether members may pause their own subscriptions' }),
})

const CommentMode = (what: string) =>
  OneOf(['open', 'approval', 'off'], `Whether ${what} can be commented on, and whether staff approve comments first`)

const Comments = Closed('CommentSettings', {
  posts: CommentMode('posts'),
  courses: CommentMode('courses'),
  lessons: CommentMode('lessons'),
  events: CommentMode('events'),
})

const parts = { legal: Legal, tax: Tax, checkout: Checkout, subscriptions: Subscriptions, comments: Comments }

/** All that a school decides about selling, as one replaces it. */
export const NewSellingSettings = Closed('NewSellingSettings', parts)

/** All that a school decides about selling. */
export const SellingSettings = Closed('SellingSettings', {
  ...parts,
  sale_state: SaleState,
  revision: Revision,
  allowed_actions: AllowedActions,
  created_at: Instant,
  updated_at: Instant,
})

/** The settings as values. */
export type SellingValues = Static<typeof NewSellingSettings>

/** The name of a part of the settings. */
export type Part = keyof SellingValues
