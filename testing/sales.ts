// One thing: an area of the tests that settles sales, until orders do; it issues invoices and credit notes as they will.
import Type, { type Static } from 'typebox'
import { issueCreditNote, issueInvoice, readInvoices } from '#src/areas/shop/index.ts'
import { area } from '#src/contract/area.ts'
import { operation } from '#src/contract/operation.ts'
import { ProviderName } from '#src/contract/payment-providers.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { includedTax, parsePercent } from '#src/kit/money.ts'
import { Id, Instant, Nullable, OneOf } from '#src/kit/shapes.ts'
import type { Actor } from './actor.ts'
import type { TestApp } from './app.ts'
import { approveAs } from './confirming.ts'

const closed = { additionalProperties: false } as const
const Text = Nullable(Type.String())

const SoldLine = Type.Object(
  {
    line_id: Id('lin'),
    name: Type.String(),
    quantity: Type.Integer(),
    unit_amount: Type.Integer(),
    discount_amount: Type.Integer(),
    tax_percent: Type.String(),
    tax_name: Text,
    tax_amount: Type.Integer(),
    amount: Type.Integer(),
    period: Nullable(Type.Object({ from: Instant, until: Instant }, closed)),
  },
  { ...closed, title: 'SoldLine' },
)

const Sale = Type.Object(
  {
    order_id: Id('ord'),
    order_number: Type.String(),
    member_id: Id('mem'),
    currency: Type.String(),
    tax: Type.Object(
      {
        mode: OneOf(['none', 'inclusive', 'exclusive'], 'How tax is in amounts'),
        country: Text,
        reverse_charge: Type.Boolean(),
      },
      closed,
    ),
    lines: Type.Array(SoldLine),
    buyer: Type.Object(
      {
        name: Text,
        company: Text,
        address: Nullable(
          Type.Object({ line1: Type.String(), postal_code: Type.Optional(Text), city: Type.String() }, closed),
        ),
        country: Text,
        tax_id: Text,
      },
      closed,
    ),
    payment: Type.Object(
      {
        provider: ProviderName('How it was paid'),
        brand: Text,
        last4: Text,
        paid_at: Instant,
      },
      closed,
    ),
    withdrawal_waiver: Text,
    is_test: Type.Boolean(),
  },
  { ...closed, title: 'Sale' },
)

const SaleRefund = Type.Object(
  {
    invoice_id: Id('inv'),
    reason: OneOf(['requested', 'other'], 'Why'),
    lines: Type.Array(
      Type.Object(
        { line_id: Id('lin'), quantity: Type.Integer(), amount: Type.Integer(), tax_amount: Type.Integer() },
        closed,
      ),
    ),
    /** Whether the transaction fails after the document was issued. */
    fails: Type.Optional(Type.Boolean()),
  },
  { ...closed, title: 'SaleRefund' },
)

const IssuedDocument = Type.Object({ id: Id('inv'), number: Type.String() }, { ...closed, title: 'IssuedDocument' })

const sell = operation({
  id: 'sell',
  route: 'POST /sales',
  summary: 'Settle a sale',
  description: 'Settles a sale, which issues an invoice.',
  scope: 'none',
  section: 'school',
  who: 'staff',
  mode: 'write',
  body: Sale,
  returns: IssuedDocument,
  status: 201,
  async handle({ db, school, now, body, changed, record }) {
    const { tax, payment } = body
    const { id, number, fact } = await issueInvoice(
      { db, school, now },
      {
        orderId: body.order_id,
        orderNumber: body.order_number,
        memberId: body.member_id,
        currency: body.currency,
        tax: { mode: tax.mode, country: tax.country, reverseCharge: tax.reverse_charge },
        lines: body.lines.map(line => ({
          lineId: line.line_id,
          name: line.name,
          quantity: line.quantity,
          unitAmount: line.unit_amount,
          discountAmount: line.discount_amount,
          taxPercent: line.tax_percent,
          taxName: line.tax_name,
          taxAmount: line.tax_amount,
          amount: line.amount,
          period: line.period ?? undefined,
        })),
        buyer: body.buyer,
        payment: { ...payment, paidAt: payment.paid_at },
        withdrawalWaiver: body.withdrawal_waiver,
        isTest: body.is_test,
      },
    )
    changed({ ids: [toId('inv', id)], fields: ['number'], memberId: body.member_id })
    record(fact)
    return { id, number }
  },
})

const refundSale = operation({
  id: 'refundSale',
  route: 'POST /sales/refunds',
  summary: 'Refund a sale',
  description: 'Refunds lines of a sale, which issues a credit note.',
  scope: 'none',
  section: 'school',
  who: 'staff',
  mode: 'write',
  body: SaleRefund,
  returns: IssuedDocument,
  status: 201,
  async handle({ db, school, now, body, changed, record }) {
    const { id, number, fact } = await issueCreditNote(
      { db, school, now },
      {
        invoiceId: body.invoice_id,
        reason: body.reason,
        lines: body.lines.map(line => ({
          lineId: line.line_id,
          quantity: line.quantity,
          amount: line.amount,
          taxAmount: line.tax_amount,
        })),
      },
    )
    if (body.fails === true) throw new Error('the refund fails')
    changed({ ids: [toId('inv', id)], fields: ['number'] })
    record(fact)
    return { id, number }
  },
})

const SaleDocuments = Type.Object(
  { data: Type.Array(Type.Object({ id: Id('inv'), number: Type.String(), total: Type.Integer() }, closed)) },
  { ...closed, title: 'SaleDocuments' },
)

const listSaleDocuments = operation({
  id: 'listSaleDocuments',
  route: 'GET /sales/:order_id/documents',
  summary: 'List the documents of a sale',
  description: 'Lists the invoices and credit notes of a sale, as an order shows them.',
  scope: 'none',
  section: 'school',
  who: 'staff',
  mode: 'read',
  params: Type.Object({ order_id: Id('ord') }),
  returns: SaleDocuments,
  async handle(context) {
    const { order_id: orderId } = context.params
    const documents = (await readInvoices(context, [orderId])).get(orderId) ?? []
    return { data: documents.map(({ id, number, total }) => ({ id, number, total })) }
  },
})

/** The area. */
export const sales = area({ name: 'sales', operations: [sell, refundSale, listSaleDocuments] })

type OnWire<Value> = Value extends Date
  ? string
  : Value extends readonly (infer Item)[]
    ? readonly OnWire<Item>[]
    : Value extends object
      ? { readonly [Name in keyof Value]: OnWire<Value[Name]> }
      : Value

/** A line of a sale as JSON. */
export type SoldLine = OnWire<Static<typeof SoldLine>>
/** A sale as JSON. */
export type Sale = OnWire<Static<typeof Sale>>

/** A line of one piece that costs this much, tax included. */
export const soldLine = (name: string, amount: number, more: Partial<SoldLine> = {}): SoldLine => {
  const percent = more.tax_percent ?? '23'
  return {
    line_id: toId('lin', newUuid(0)),
    name,
    quantity: 1,
    unit_amount: amount,
    discount_amount: 0,
    tax_percent: percent,
    tax_name: 'IVA',
    tax_amount: includedTax(amount, parsePercent(percent) ?? 0).tax,
    amount,
    period: null,
    ...more,
  }
}

/** A sale to a member, of a course for 49 euros unless something else is said. */
export const saleTo = (memberId: string, more: Partial<Sale> = {}): Sale => ({
  order_id: toId('ord', newUuid(0)),
  order_number: 'ORD-231',
  member_id: memberId,
  currency: 'EUR',
  tax: { mode: 'inclusive', country: 'PT', reverse_charge: false },
  lines: [soldLine('Sourdough from scratch', 4900)],
  buyer: {
    name: 'Zoë Söderström',
    company: null,
    address: { line1: '14 Old Mill Lane', postal_code: 'BA1 5LZ', city: 'Bath' },
    country: 'GB',
    tax_id: null,
  },
  payment: { provider: 'cards', brand: 'Visa', last4: '4242', paid_at: '2026-11-20T10:00:00.000Z' },
  withdrawal_waiver: null,
  is_test: false,
  ...more,
})

/** Settles a sale as staff; returns its invoice as `GET /invoices/{id}` does. */
export const sold = async (staff: Actor, sale: Sale) => {
  const reply = await staff.write('POST', '/sales', sale)
  if (reply.status !== 201) throw new Error(reply.text)
  return (await staff.get(`/invoices/${reply.json.id}`)).json
}

/** A whole refund of lines of an invoice. */
export const buildRefund = (invoice: { id: string; lines: readonly SoldLine[] }, count = invoice.lines.length) => ({
  invoice_id: invoice.id,
  reason: 'requested',
  lines: invoice.lines
    .slice(0, count)
    .map(({ line_id, quantity, amount, tax_amount }) => ({ line_id, quantity, amount, tax_amount })),
})

/** Changes the seller settings of the first school as its owner, who approves it where needed. */
export const changeSeller = async (
  app: TestApp,
  change: (settings: Record<string, Record<string, unknown>>) => unknown,
): Promise<void> => {
  const staff = await app.actor('ada', { scopes: ['school:read', 'school:write'] })
  const read = await staff.get('/school/selling')
  const { legal, tax, checkout, subscriptions, comments } = read.json
  const body = structuredClone({ legal, tax, checkout, subscriptions, comments })
  change(body)
  const reply = await staff.write('PUT', '/school/selling', body, { 'if-match': String(read.headers.etag) })
  if (reply.status === 202) return approveAs(app, 'ada', reply.json.confirmation.url)
  if (reply.status !== 200) throw new Error(reply.text)
}
