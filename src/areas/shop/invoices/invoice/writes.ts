import { getSelling, type SellingValues } from '#src/areas/school/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import { buildFactAbout, type Fact } from '#src/contract/fact.ts'
import { fillEach, formatMoneyInEach, type Phrase, toLanguage } from '#src/contract/language.ts'
import { putJob } from '#src/db/jobs.ts'
import { takeNumber } from '#src/db/number-series.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { dayAt } from '#src/kit/local-time.ts'
import { texts } from '#src/texts/index.ts'
import { INVOICE_JOB } from '../printing/queries.ts'
import {
  findInvoice,
  type InvoiceRow,
  insertInvoice,
  listCredits,
  lockInvoice,
  type NewInvoice,
  schoolNow,
  shareBuyer,
} from './queries.ts'
import {
  type CreditedLine,
  chooseLocale,
  computeRates,
  computeTotals,
  creditedLines,
  getNumberedKind,
  type Kind,
  type Line,
  numberIn,
  type RefundReason,
  retainUntil,
  seriesName,
} from './rules.ts'
import type { InvoiceView } from './schema.ts'

/** A line of an order that is paid: amounts in minor units, `amount` with the tax. */
type InvoicedLine = {
  readonly lineId: string
  readonly name: string
  readonly quantity: number
  readonly unitAmount: number
  readonly discountAmount: number
  readonly taxPercent: string
  readonly taxName: string | null
  readonly taxAmount: number
  readonly amount: number
  /** Of a renewal: the period that is paid for, without its last instant. */
  readonly period?: { readonly from: Date; readonly until: Date } | undefined
}

type Buyer = NonNullable<InvoiceView['buyer']>
type BuyerAddress = NonNullable<Buyer['address']>

/** To whom an order is billed; lines of the address may be left out. */
type BuyerInput = Omit<Buyer, 'address'> & {
  readonly address: (Pick<BuyerAddress, 'line1' | 'city'> & Partial<BuyerAddress>) | null
}

/** An order that was paid. */
type InvoiceInput = {
  readonly orderId: string
  readonly orderNumber: string
  readonly memberId: string
  readonly currency: string
  readonly tax: {
    readonly mode: InvoiceRow['tax_mode']
    readonly country: string | null
    readonly reverseCharge: boolean
  }
  readonly lines: readonly InvoicedLine[]
  readonly buyer: BuyerInput
  readonly payment: NonNullable<InvoiceView['payment']> & {
    readonly paidAt: Date
    /** The day on which a transfer arrived, such as `2026-11-23`; by default that of `paidAt`. */
    readonly receivedOn?: string | undefined
  }
  /** The sentence by which the buyer agreed to begin at once. */
  readonly withdrawalWaiver?: string | null
  /** Whether the payment was a test, so that this is not an invoice. */
  readonly isTest: boolean
}

/** A part of an invoice that is refunded. */
export type CreditNoteInput = {
  readonly invoiceId: string
  readonly lines: readonly CreditedLine[]
  readonly reason: RefundReason
}

/** A document that was issued, and the fact of it, which the caller records. */
type Issued = { readonly id: string; readonly number: string; readonly fact: Fact }

const describeEffect = ({ kind, currency, total }: NewInvoice): Phrase => {
  const { invoice, creditNote } = texts.shop.invoices.invoice.writes
  return fillEach(kind === 'invoice' ? invoice : creditNote, { sum: formatMoneyInEach(total, currency) })
}

const buildFact = (one: NewInvoice): Fact => {
  const ids = { order_id: toId('ord', one.order_id), member_id: toId('mem', one.member_id) }
  const credited = one.invoice_id === null ? {} : { credited_invoice_id: toId('inv', one.invoice_id) }
  return buildFactAbout(
    `${one.kind}.issued`,
    toId('inv', one.id),
    { ...ids, ...credited },
    { money: describeEffect(one) },
  )
}

type Unnumbered = Omit<NewInvoice, 'sequence' | 'series' | 'number'> & { readonly prefix: string }

// The number is taken last: the series is locked from then on, and its other takers wait for this transaction.
const issue = async ({ db, school, now }: TransactionContext, { prefix, ...one }: Unnumbered): Promise<Issued> => {
  const series = { kind: one.kind, isTest: one.is_test, prefix, year: one.year }
  await putJob(db, school.id, { kind: INVOICE_JOB, id: one.id, dueAt: now })
  const sequence = await takeNumber(db, school.id, { kind: getNumberedKind(series), year: one.year })
  const name = seriesName(series)
  const numbered: NewInvoice = { ...one, sequence, series: name, number: numberIn(name, sequence) }
  await insertInvoice(db, school.id, numbered)
  return { id: one.id, number: numbered.number, fact: buildFact(numbered) }
}

const DAY_BEFORE_END = 1

const listLines = (lines: readonly InvoicedLine[], zone: string): Line[] =>
  lines.map(line => ({
    line_id: line.lineId,
    name: line.name,
    quantity: line.quantity,
    unit_amount: line.unitAmount,
    discount_amount: line.discountAmount,
    net_amount: line.amount - line.taxAmount,
    tax_percent: line.taxPercent,
    tax_name: line.taxName,
    tax_amount: line.taxAmount,
    amount: line.amount,
    period:
      line.period === undefined
        ? null
        : {
            from_on: dayAt(line.period.from, zone),
            until_on: dayAt(new Date(line.period.until.getTime() - DAY_BEFORE_END), zone),
          },
  }))

const buildSeller = (legal: SellingValues['legal'], schoolName: string): InvoiceView['seller'] => ({
  name: legal.name ?? schoolName,
  address: legal.address,
  tax_id: legal.tax_id,
  registration: legal.registration,
  email: legal.email,
})

const buildBuyer = ({ name, company, address, country, tax_id }: BuyerInput): Buyer => ({
  name,
  company,
  address: address && {
    line1: address.line1,
    line2: address.line2 ?? null,
    postal_code: address.postal_code ?? null,
    city: address.city,
    region: address.region ?? null,
  },
  country,
  tax_id,
})

// What every document takes from the school as it is now.
const prepareFrame = async ({ db, school, now }: TransactionContext, kind: Kind) => {
  const { legal, checkout } = await getSelling(db, school.id)
  const { name, locale, time_zone: zone } = await schoolNow(db, school.id)
  const language = checkout.invoice_language ?? toLanguage(locale)
  const issuedOn = dayAt(now, zone)
  return {
    zone,
    values: {
      id: newUuid(now.getTime()),
      kind,
      prefix: checkout.invoice_prefix,
      year: Number(issuedOn.slice(0, 4)),
      issued_on: issuedOn,
      language,
      locale: chooseLocale(language, locale, legal.address?.country),
      seller: buildSeller(legal, name),
      retain_until: retainUntil(issuedOn, checkout.retain_years),
    },
  }
}

/**
 * Issues the invoice of an order, in the transaction that settles it. Call it last: it takes a number of a series whose
 * other takers wait until the transaction ends. A job prints the PDF.
 */
export const issueInvoice = async (context: TransactionContext, input: InvoiceInput): Promise<Issued> => {
  const { zone, values } = await prepareFrame(context, 'invoice')
  const { paidAt, receivedOn, provider, brand, last4 } = input.payment
  const lines = listLines(input.lines, zone)
  const { erased_at } = await shareBuyer(context.db, context.school.id, input.memberId)
  return issue(context, {
    ...values,
    ...computeTotals(lines),
    is_test: input.isTest,
    order_id: input.orderId,
    order_number: input.orderNumber,
    invoice_id: null,
    member_id: input.memberId,
    paid_on: receivedOn ?? dayAt(paidAt, zone),
    currency: input.currency,
    tax_mode: input.tax.mode,
    tax_country: input.tax.country,
    reverse_charge: input.tax.reverseCharge,
    rates: computeRates(lines),
    lines,
    buyer: buildBuyer(input.buyer),
    payment: { provider, brand, last4 },
    reason: null,
    withdrawal_waiver: input.withdrawalWaiver ?? null,
    buyer_erased_at: erased_at,
  })
}

// The member is locked first, as an erasure does.
const lockCredited = async ({ db, school }: TransactionContext, id: string) => {
  const found = await findInvoice(db, school.id, id, { seesErased: true })
  if (found === undefined) throw new RangeError(`there is no invoice ${id}`)
  const { erased_at } = await shareBuyer(db, school.id, found.member_id)
  return { invoice: await lockInvoice(db, school.id, id), erasedAt: erased_at }
}

/**
 * Issues a credit note for parts of the lines of an invoice, in the transaction of the refund. Call it last, as
 * `issueInvoice`. Throws a RangeError for more than what earlier credit notes left of a line.
 */
export const issueCreditNote = async (context: TransactionContext, input: CreditNoteInput): Promise<Issued> => {
  const { db, school } = context
  const { invoice, erasedAt } = await lockCredited(context, input.invoiceId)
  const lines = creditedLines(invoice.lines, input.lines, await listCredits(db, school.id, invoice.id))
  const { values } = await prepareFrame(context, 'credit_note')
  return issue(context, {
    ...values,
    ...computeTotals(lines),
    is_test: invoice.is_test,
    order_id: invoice.order_id,
    order_number: invoice.order_number,
    invoice_id: invoice.id,
    member_id: invoice.member_id,
    paid_on: null,
    currency: invoice.currency,
    tax_mode: invoice.tax_mode,
    tax_country: invoice.tax_country,
    reverse_charge: invoice.reverse_charge,
    rates: computeRates(lines),
    lines,
    buyer: invoice.buyer,
    payment: null,
    reason: input.reason,
    withdrawal_waiver: null,
    buyer_erased_at: erasedAt,
  })
}
