import Type, { type Static } from 'typebox'
import { FileView } from '#src/areas/files/index.ts'
import { AfterQuery, PageOf, PageQuery, SortQuery } from '#src/contract/pagination.ts'
import { ProviderName } from '#src/contract/payment-providers.ts'
import { languages } from '#src/kit/locale.ts'
import { Closed, Id, Instant, Nullable, OneOf, Personal, Revision } from '#src/kit/shapes.ts'
import { kinds, refundReasons } from './rules.ts'

/** A day in the time zone of the school, such as 2026-11-21. */
const Day = (description: string) =>
  Type.String({ format: 'date', pattern: '^\\d{4}-\\d\\d-\\d\\d$', description, examples: ['2026-11-21'] })

const Text = (description: string) => Nullable(Type.String({ description }))
const Amount = (description: string) => Type.Integer({ description: `${description}, in minor units` })
const Country = Nullable(Type.String({ description: 'ISO 3166-1 alpha-2' }))
const Percent = Type.String({ description: 'A percentage as a decimal string', examples: ['23'] })

const AddressLines = {
  line1: Type.String(),
  line2: Text('A second line'),
  postal_code: Text('The postal code'),
  city: Type.String(),
  region: Text('The state, province or district'),
}

const Seller = Closed('InvoiceSeller', {
  name: Type.String({ description: 'The name of the seller in law; that of the school where it has none' }),
  address: Nullable(Personal(Closed('InvoiceSellerAddress', { ...AddressLines, country: Country }))),
  tax_id: Text('The tax id of the seller'),
  registration: Text('The entry in the register of companies'),
  email: Nullable(Personal(Type.String({ description: 'Where buyers write to' }))),
})

const Buyer = Personal(
  Closed('InvoiceBuyer', {
    name: Text('The person'),
    company: Text('The company'),
    address: Nullable(Personal(Closed('InvoiceBuyerAddress', AddressLines))),
    country: Country,
    tax_id: Text('The tax id of the buyer'),
  }),
)

const Line = Closed('InvoiceLine', {
  line_id: Id('lin'),
  name: Type.String({ description: 'As it was called when it was ordered' }),
  quantity: Type.Integer({ minimum: 0, description: '0 where a credit note is over a part of an amount' }),
  unit_amount: Nullable(Amount('The price of one, with its tax if `tax.mode` is `inclusive`; null in a credit note')),
  discount_amount: Amount('What codes took off, with its tax if `tax.mode` is `inclusive`'),
  net_amount: Amount('The amount without tax'),
  tax_percent: Percent,
  tax_name: Text('What the tax is called'),
  tax_amount: Amount('The tax'),
  amount: Amount('The sum of both'),
  period: Nullable(
    Closed('InvoicePeriod', { from_on: Day('The first day'), until_on: Day('The last day') }, 'Of a renewal'),
  ),
})

const Rate = Closed('InvoiceRate', {
  percent: Percent,
  name: Text('What the tax is called'),
  net_amount: Amount('The sum of the lines with this rate, without tax'),
  tax_amount: Amount('Their tax'),
})

const Tax = Closed('InvoiceTax', {
  mode: OneOf(['none', 'inclusive', 'exclusive'], 'Whether prices contain the tax or it is added to them'),
  country: Country,
  reverse_charge: Type.Boolean({ description: 'Whether the buyer, a business of another EU country, owes the tax' }),
  rates: Type.Array(Rate),
})

const Payment = Closed('InvoicePayment', {
  provider: ProviderName('How it was paid; `outside`: elsewhere, as staff recorded it'),
  brand: Text('The brand of the card'),
  last4: Text('The last four digits of the card'),
})

/** An invoice or a credit note. */
export const Invoice = Closed('Invoice', {
  id: Id('inv'),
  kind: OneOf(kinds, 'The amounts of a credit note are what was refunded'),
  number: Type.String({ description: 'The number as printed, unique in the school', examples: ['INV-2026-000014'] }),
  series: Type.String({ description: 'What the number begins with' }),
  year: Type.Integer({ description: 'The year of issue' }),
  sequence: Type.Integer({
    minimum: 1,
    description: 'Counts without gaps for each kind and year, whatever the prefix was',
  }),
  is_test: Type.Boolean({
    description: 'Whether it is about a test payment: not an invoice, and numbered by itself',
  }),
  order_id: Id('ord'),
  order_number: Type.String(),
  invoice_id: Nullable({ ...Id('inv'), description: 'The invoice that a credit note corrects' }),
  invoice_number: Text('The number of that invoice'),
  member_id: Id('mem'),
  issued_on: Day('The day of issue'),
  paid_on: Nullable(Day('The day of payment; null for a credit note')),
  currency: Type.String({ description: 'ISO 4217' }),
  discount_total: Amount('What codes took off'),
  net_total: Amount('The total without tax'),
  tax_total: Amount('The tax in the total'),
  total: Amount('The total'),
  tax: Tax,
  seller: Seller,
  buyer: Nullable(Buyer),
  lines: Type.Array(Line),
  payment: Nullable(Payment),
  reason: Nullable(OneOf(refundReasons, 'Why it was refunded; only of a credit note')),
  withdrawal_waiver: Text('The sentence by which the buyer agreed to begin at once'),
  language: OneOf(languages, 'The language in which it is printed'),
  print_state: OneOf(
    ['pending', 'printed', 'failed'],
    'Whether it is printed as a PDF; after a failure it is tried again within a day',
  ),
  missing_characters: Type.Array(Type.String(), {
    description: 'The characters because of which it cannot be printed, since no font of the installation has them',
  }),
  file: Nullable(FileView),
  retain_until: Day('Until this day the buyer stays on the document, even if they are erased'),
  revision: Revision,
  created_at: Instant,
  updated_at: Instant,
})

/** An invoice or credit note as its order names it. */
export const InvoiceSummary = Closed('InvoiceSummary', {
  id: Id('inv'),
  kind: Invoice.properties.kind,
  number: Invoice.properties.number,
  is_test: Invoice.properties.is_test,
  invoice_id: Invoice.properties.invoice_id,
  issued_on: Invoice.properties.issued_on,
  total: Invoice.properties.total,
  print_state: Invoice.properties.print_state,
})

/** An invoice or credit note, as values. */
export type InvoiceView = Static<typeof Invoice>

/** One page of invoices and credit notes. */
export const InvoicePage = PageOf(Invoice, 'InvoicePage')

/** The invoice in a path. */
export const InvoiceRef = Type.Object({ invoice_id: Id('inv') })

/** The order in a path. */
export const InvoicedOrderRef = Type.Object({ order_id: Id('ord') })

/** The query parameters of the list of invoices. */
export const InvoicesQuery = Type.Object({
  ...PageQuery,
  ...AfterQuery,
  ...SortQuery(['created_at']),
  kind: Type.Optional(OneOf(kinds, 'Only this kind')),
  order_id: Type.Optional(Id('ord')),
  member_id: Type.Optional(Id('mem')),
  number: Type.Optional(Type.String({ minLength: 1, maxLength: 60, description: 'Exactly this number' })),
  is_test: Type.Optional(Type.Boolean({ description: 'Only those of test payments, or none of them' })),
  'issued_on[gte]': Type.Optional(Day('Issued on this day or later')),
  'issued_on[lt]': Type.Optional(Day('Issued before this day')),
})

/** The query parameters of the list of invoices, as values. */
export type ListInvoicesParams = Static<typeof InvoicesQuery>

/** The query parameters of the list of one's own invoices of an order. */
export const OwnInvoicesQuery = Type.Object({ ...PageQuery })
