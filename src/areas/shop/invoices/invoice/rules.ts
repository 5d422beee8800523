import type { Language } from '#src/contract/language.ts'
import type { NumberedKind } from '#src/db/number-series.ts'
import { computeSum } from '#src/kit/money.ts'

/** The kinds of documents. */
export const kinds = ['invoice', 'credit_note'] as const

/** The kind of a document. */
export type Kind = (typeof kinds)[number]

/** Why something was refunded. */
export const refundReasons = [
  'requested',
  'duplicate',
  'fraud',
  'late_payment',
  'event_cancelled',
  'overpaid',
  'dispute',
  'billing_changed',
  'payment_undone',
  'other',
] as const

/** Why something was refunded, as a value. */
export type RefundReason = (typeof refundReasons)[number]

/** A line as it was issued: amounts in minor units; `net_amount` and `tax_amount` sum to `amount`. */
export type Line = {
  readonly line_id: string
  readonly name: string
  /** 0 in a credit note over a part of an amount. */
  readonly quantity: number
  /** Null in a credit note. */
  readonly unit_amount: number | null
  readonly discount_amount: number
  readonly net_amount: number
  /** A decimal string, such as `23`. */
  readonly tax_percent: string
  readonly tax_name: string | null
  readonly tax_amount: number
  readonly amount: number
  /** The days that are paid for, of a renewal. */
  readonly period: { readonly from_on: string; readonly until_on: string } | null
}

/** The sums of all lines with one rate, in minor units. */
export type Rate = {
  readonly percent: string
  readonly name: string | null
  readonly net_amount: number
  readonly tax_amount: number
}

const sumBy = (lines: readonly Line[], field: 'net_amount' | 'tax_amount' | 'discount_amount'): number =>
  computeSum(lines.map(line => line[field]))

/** The sums of lines by their rates, in the order in which the rates appear. */
export const computeRates = (lines: readonly Line[]): Rate[] => {
  const groups = Map.groupBy(lines, ({ tax_percent: percent, tax_name: name }) => JSON.stringify([percent, name]))
  return [...groups.values()].map(some => ({
    percent: some[0]?.tax_percent ?? '0',
    name: some[0]?.tax_name ?? null,
    net_amount: sumBy(some, 'net_amount'),
    tax_amount: sumBy(some, 'tax_amount'),
  }))
}

/** The sums of all lines, in minor units. */
export const computeTotals = (lines: readonly Line[]) => {
  const [net, tax] = [sumBy(lines, 'net_amount'), sumBy(lines, 'tax_amount')]
  return {
    discount_total: sumBy(lines, 'discount_amount'),
    net_total: net,
    tax_total: tax,
    total: computeSum([net, tax]),
  }
}

/** What of a line is refunded, in minor units; the tax is in the amount. */
export type CreditedLine = {
  readonly lineId: string
  readonly quantity: number
  readonly amount: number
  readonly taxAmount: number
}

/** What earlier credit notes refunded of a line. */
export type EarlierCredit = {
  readonly line_id: string
  readonly quantity: number
  readonly amount: number
  readonly tax_amount: number
}

const buildCredit = (line: Line, credit: CreditedLine, earlier: EarlierCredit | undefined): Line => {
  const { quantity, amount, taxAmount } = credit
  const isTooMuch =
    quantity > line.quantity - (earlier?.quantity ?? 0) ||
    amount > line.amount - (earlier?.amount ?? 0) ||
    taxAmount > line.tax_amount - (earlier?.tax_amount ?? 0)
  if (isTooMuch) throw new RangeError(`more is refunded of a line than is left of it: ${amount}`)
  if (quantity < 0 || taxAmount < 0 || taxAmount > amount) throw new RangeError('a refund is not a part of the line')
  return {
    ...line,
    quantity,
    unit_amount: null,
    discount_amount: 0,
    net_amount: amount - taxAmount,
    tax_amount: taxAmount,
    amount,
  }
}

/** The lines of a credit note; throws a RangeError for an unknown line, and for more than is left of one. */
export const creditedLines = (
  lines: readonly Line[],
  credits: readonly CreditedLine[],
  earlier: readonly EarlierCredit[],
): Line[] => {
  const byId = new Map(lines.map(line => [line.line_id, line]))
  const used = new Map(earlier.map(credit => [credit.line_id, credit]))
  if (new Set(credits.map(({ lineId }) => lineId)).size < credits.length)
    throw new RangeError('a line is refunded twice in one credit note')
  return credits.map(credit => {
    const line = byId.get(credit.lineId)
    if (line === undefined) throw new RangeError(`the invoice has no line ${credit.lineId}`)
    return buildCredit(line, credit, used.get(credit.lineId))
  })
}

// A series of documents that are numbered without gaps.
type Series = {
  readonly kind: Kind
  readonly isTest: boolean
  readonly prefix: string
  readonly year: number
}

const numberedKinds = {
  invoice: { live: 'invoice', test: 'test_invoice' },
  credit_note: { live: 'credit_note', test: 'test_credit_note' },
} as const

/** The kind under which the database numbers a series; the prefix has no part in it. */
export const getNumberedKind = ({ kind, isTest }: Pick<Series, 'kind' | 'isTest'>): NumberedKind =>
  numberedKinds[kind][isTest ? 'test' : 'live']

/**
 * The name of a series, such as `INV-2026` or `INV-2026-CN`. What marks it follows the year, so that no prefix makes two
 * series equal.
 */
export const seriesName = ({ kind, isTest, prefix, year }: Series): string =>
  [prefix, year, ...(isTest ? ['TEST'] : []), ...(kind === 'credit_note' ? ['CN'] : [])].join('-')

const DIGITS = 6

/** The number of a document, such as `INV-2026-000014`. */
export const numberIn = (series: string, sequence: number): string =>
  `${series}-${String(sequence).padStart(DIGITS, '0')}`

/** The day until which a document keeps its buyer: the end of the year, so many years after that of its issue. */
export const retainUntil = (issuedOn: string, years: number): string => `${Number(issuedOn.slice(0, 4)) + years}-12-31`

/** The locale of amounts and dates: that of the school if it has the language, in the country of the seller without another. */
export const chooseLocale = (language: Language, schoolLocale: string, country: string | undefined): string => {
  const own = new Intl.Locale(schoolLocale)
  const base = own.language === language ? own : new Intl.Locale(language)
  return base.region !== undefined || country === undefined ? base.baseName : `${base.baseName}-${country}`
}
