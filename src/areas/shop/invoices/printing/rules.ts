import { fill, type Phrase } from '#src/contract/language.ts'
import type { Document, DocumentBlock, DocumentColumn, DocumentText, PrintedPair } from '#src/contract/print.ts'
import { formatDate, formatMoney, formatNumber, formatPercent } from '#src/kit/format.ts'
import { texts } from '#src/texts/index.ts'
import type { InvoiceRow } from '../invoice/queries.ts'
import type { Line, Rate } from '../invoice/rules.ts'

const { words, reason: reasons } = texts.shop.invoices.printing

// What is printed of a document.
type PrintedInvoice = Omit<InvoiceRow, 'file_id' | 'print_state' | 'missing_characters' | 'retain_until'>

const say = ({ language }: PrintedInvoice, phrase: Phrase, values = {}): string => fill(phrase, language, values)

const money = ({ currency, locale }: PrintedInvoice, amount: number): string => formatMoney(amount, currency, locale)

const day = ({ locale }: PrintedInvoice, date: string, month: 'long' | 'short' = 'long'): string =>
  formatDate(date, locale, month)

const percent = ({ locale }: PrintedInvoice, text: string): string => formatPercent(text, locale)

const countryName = ({ locale }: PrintedInvoice, code: string | null): string | null =>
  code === null ? null : (new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' }).of(code) ?? code)

type Address = NonNullable<NonNullable<InvoiceRow['buyer']>['address']>

const addressLines = (one: PrintedInvoice, address: Address | null, country: string | null): string[] => {
  const { line1 = null, line2 = null, postal_code = null, city = null, region = null } = address ?? {}
  const place = [postal_code, city].filter(part => part !== null).join(' ')
  return [line1, line2, place, region, countryName(one, country)].filter(
    line => line !== null && line !== '',
  ) as string[]
}

const text = (lines: string | readonly (string | null)[], look: { isBold?: boolean; isQuiet?: boolean } = {}) => {
  const shown = typeof lines === 'string' ? [lines] : lines.filter(line => line !== null && line !== '')
  return shown.length === 0 ? [] : [{ type: 'text', text: shown.join('\n'), ...look } satisfies DocumentText]
}

const taxIdLine = (one: PrintedInvoice, id: string | null): string | null =>
  id === null ? null : say(one, words.taxId, { id })

const sellerBlocks = (one: PrintedInvoice): DocumentText[] => {
  const { name, address, tax_id, registration, email } = one.seller
  const lines = [...addressLines(one, address, address?.country ?? null), taxIdLine(one, tax_id), registration, email]
  return [...text(name, { isBold: true }), ...text(lines, { isQuiet: true })]
}

const buyerBlocks = (one: PrintedInvoice): DocumentText[] => {
  const heading = text(say(one, words.billedTo), { isQuiet: true })
  if (one.buyer === null) return [...heading, ...text(say(one, words.erased))]
  const { name, company, address, country, tax_id } = one.buyer
  const [first, ...rest] = [company, name].filter(line => line !== null)
  const lines = [...rest, ...addressLines(one, address, country), taxIdLine(one, tax_id)]
  return [...heading, ...text(first ?? '', { isBold: true }), ...text(lines)]
}

const pair = (one: PrintedInvoice, label: Phrase, value: string | null): PrintedPair[] =>
  value === null ? [] : [{ label: say(one, label), value }]

const buildData = (one: PrintedInvoice): PrintedPair[] => [
  ...pair(one, words.number, one.number),
  ...pair(one, words.issuedOn, day(one, one.issued_on)),
  ...pair(one, words.paidOn, one.paid_on && day(one, one.paid_on)),
  ...pair(one, words.creditedInvoice, one.invoice_number),
  ...pair(one, words.order, one.order_number),
  ...pair(one, words.reason, one.reason && say(one, reasons[one.reason])),
]

type Column = DocumentColumn & { readonly formatCell: (line: Line) => string }

const formatName = (one: PrintedInvoice, { name, period }: Line): string => {
  if (period === null) return name
  const [from, until] = [day(one, period.from_on, 'short'), day(one, period.until_on, 'short')]
  return `${name}\n${say(one, words.period, { from, until })}`
}

const listColumns = (one: PrintedInvoice): Column[] => {
  const column = (title: Phrase, width: number, formatCell: Column['formatCell'], isShown = true): Column[] =>
    isShown ? [{ title: say(one, title), width, align: 'end', formatCell }] : []
  const isTaxed = one.tax_mode !== 'none'
  return [
    { title: say(one, words.description), width: 42, formatCell: line => formatName(one, line) },
    ...column(words.quantity, 6, ({ quantity }) => (quantity === 0 ? '' : formatNumber(quantity, one.locale))),
    ...column(
      words.unitPrice,
      13,
      ({ unit_amount: amount }) => (amount === null ? '' : money(one, amount)),
      one.kind === 'invoice',
    ),
    ...column(
      words.discount,
      13,
      ({ discount_amount: amount }) => (amount === 0 ? '' : money(one, 0 - amount)),
      Number(one.discount_total) > 0,
    ),
    ...column(words.net, 13, line => money(one, line.net_amount), isTaxed),
    ...column(words.tax, 8, line => percent(one, line.tax_percent), isTaxed),
    ...column(words.amount, 13, line => money(one, line.amount)),
  ]
}

const rateTotal = (one: PrintedInvoice, { name, percent: rate, net_amount, tax_amount }: Rate): PrintedPair => ({
  label: say(one, words.taxOn, {
    tax: name ?? say(one, words.tax),
    percent: percent(one, rate),
    net: money(one, net_amount),
  }),
  value: money(one, tax_amount),
})

const buildTable = (one: PrintedInvoice): DocumentBlock => {
  const columns = listColumns(one)
  const total = say(one, one.kind === 'invoice' ? words.total : words.creditTotal)
  const isTaxed = one.tax_mode !== 'none'
  return {
    type: 'table',
    columns: columns.map(({ formatCell: _, ...column }) => column),
    rows: one.lines.map(line => columns.map(({ formatCell }) => formatCell(line))),
    totals: [
      ...(isTaxed ? pair(one, words.netTotal, money(one, Number(one.net_total))) : []),
      ...(isTaxed ? one.rates.map(rate => rateTotal(one, rate)) : []),
      { label: total, value: money(one, Number(one.total)), isBold: true },
    ],
  }
}

const paidText = (one: PrintedInvoice): string | null => {
  const { payment, paid_on: on } = one
  if (payment === null || on === null) return null
  const { provider, brand, last4 } = payment
  if (provider === 'free') return say(one, words.paidFree)
  const values = { day: day(one, on), brand, last4 }
  if (provider === 'test') return say(one, words.paidTest, values)
  if (provider === 'manual') return say(one, words.paidManual, values)
  return say(one, brand === null || last4 === null ? words.paid : words.paidCard, values)
}

const taxNote = (one: PrintedInvoice): string => {
  if (one.reverse_charge) return say(one, words.reverseCharge)
  if (one.tax_mode === 'none') return say(one, words.untaxed)
  return say(one, words[one.tax_mode])
}

const buildNotes = (one: PrintedInvoice): DocumentText[] => {
  const waiver = one.withdrawal_waiver
  return [
    ...text(paidText(one) ?? say(one, words.creditNote, { number: one.invoice_number }), { isBold: true }),
    ...text(taxNote(one)),
    ...(waiver === null ? [] : text([say(one, words.waiver), waiver], { isQuiet: true })),
  ]
}

const ACCENT = '#2b3a4a'

/** An invoice or a credit note as it is printed. */
export const buildDocument = (one: PrintedInvoice): Document => {
  const title = say(one, words.foot, { kind: say(one, words[one.kind]), number: one.number })
  const test = one.is_test ? [say(one, words.test)] : []
  const { name, tax_id } = one.seller
  return {
    title: [...test, title].join(' · '),
    locale: one.locale,
    createdAt: one.created_at,
    accent: ACCENT,
    blocks: [
      ...sellerBlocks(one),
      { type: 'heading', text: [...test, say(one, words[one.kind])].join('\n'), level: 1 },
      ...(one.is_test ? text(say(one, words.testNote)) : []),
      { type: 'beside', start: buyerBlocks(one), end: [{ type: 'pairs', pairs: buildData(one) }] },
      buildTable(one),
      ...buildNotes(one),
    ],
    foot: [[name, taxIdLine(one, tax_id)].filter(part => part !== null).join(' · '), [...test, title].join(' · ')],
  }
}
