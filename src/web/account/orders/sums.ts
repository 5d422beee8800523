import { fill, type Language } from '#src/contract/language.ts'
import { formatDays, formatEnd, formatMoney, formatPercent } from '#src/kit/format.ts'
import type { Html } from '#src/kit/html.ts'
import { computeSum } from '#src/kit/money.ts'
import { texts } from '#src/texts/index.ts'
import type { OrderTableLine, OrderTableSum, OrderTableView } from './table.ts'

const text = texts.account.orderSums

/** What the table shows of a line of an order or a quote; amounts are in minor units. */
type PricedLine = {
  readonly name: string
  readonly quantity: number
  readonly unit_amount: number
  readonly tax_percent: string
  readonly tax_amount: number
  readonly access?: { readonly days?: number; readonly months?: number; readonly until?: string } | null
  /** What time is paid for, of a subscription. */
  readonly period?: { readonly from: string; readonly until: string } | null
}

/** What the table shows of an order or a quote. */
type Priced = {
  readonly currency: string
  readonly subtotal: number
  readonly total: number
  readonly tax: { readonly mode: 'none' | 'inclusive' | 'exclusive'; readonly reverse_charge: boolean }
  readonly lines: readonly PricedLine[]
  readonly codes: readonly { readonly code: string; readonly amount: number }[]
}

/** What is said of a line beside its name. */
export type LineFacts = { readonly picture?: Html; readonly facts?: readonly string[] }

const accessDetail = (access: PricedLine['access'], timeZone: string, language: Language): string | undefined => {
  if (access?.days !== undefined) return fill(text.days, language, { n: access.days })
  if (access?.months !== undefined) return fill(text.months, language, { n: access.months })
  if (access?.until === undefined) return undefined
  return fill(text.until, language, { day: formatEnd(access.until, timeZone, language) })
}

const periodDetail = (period: PricedLine['period'], timeZone: string, language: Language): string | undefined =>
  period == null ? undefined : formatDays(period.from, period.until, timeZone, language)

const computeTaxes = ({ lines }: Priced): { readonly percent: string; readonly amount: number }[] =>
  [...Map.groupBy(lines, line => line.tax_percent)]
    .map(([percent, group]) => ({ percent, amount: computeSum(group.map(line => line.tax_amount)) }))
    .filter(({ amount }) => amount > 0)

/**
 * The table of an order or a quote; `timeZone` decides on which day access ends, `buildHref` where a line is. A line may have a picture
 * and more about it, and a code a button that takes it away.
 */
export const buildTable = (
  priced: Priced,
  view: {
    readonly language: Language
    readonly timeZone: string
    readonly buildHref?: (position: number) => string | undefined
    readonly describeLine?: (position: number) => LineFacts
    readonly renderRemoval?: (code: string) => Html
  },
): OrderTableView => {
  const { language, timeZone, buildHref = () => undefined, describeLine, renderRemoval } = view
  const { currency, tax, lines, codes } = priced
  const money = (amount: number) => formatMoney(amount, currency, language)
  const rows = lines.map(({ name, quantity, unit_amount: unit, access, period }, position): OrderTableLine => {
    const many = quantity === 1 ? undefined : fill(text.times, language, { n: quantity, amount: money(unit) })
    const days = periodDetail(period, timeZone, language)
    const { picture, facts = [] }: LineFacts = describeLine?.(position) ?? {}
    const details = [many, ...facts, days, accessDetail(access, timeZone, language)].filter(one => one !== undefined)
    return { name, href: buildHref(position), details, amount: money(unit * quantity), picture }
  })
  const taxes = computeTaxes(priced)
  const added = tax.mode === 'exclusive' ? taxes : []
  const changes: OrderTableSum[] = [
    ...codes.map(({ code, amount }) => ({
      label: fill(text.code, language, { code }),
      amount: money(-amount),
      action: renderRemoval?.(code),
    })),
    ...added.map(({ percent, amount }) => ({
      label: fill(text.tax, language, { percent: formatPercent(percent, language) }),
      amount: money(amount),
    })),
  ]
  const subtotal = { label: fill(text.subtotal, language), amount: money(priced.subtotal) }
  const included = tax.mode === 'inclusive' ? taxes : []
  return {
    language,
    lines: rows,
    sums: changes.length === 0 ? [] : [subtotal, ...changes],
    total: { label: fill(text.total, language), amount: money(priced.total) },
    notes: [
      ...included.map(({ percent, amount }) =>
        fill(text.included, language, { percent: formatPercent(percent, language), amount: money(amount) }),
      ),
      ...(tax.reverse_charge ? [fill(text.reverse, language)] : []),
    ],
  }
}
