import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import { formatMoney, sumOf } from '#src/kit/money.ts'
import type { OrderTableLine, OrderTableSum, OrderTableView } from './order-table.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

const text = {
  subtotal: say('Subtotal', 'Subtotal'),
  code: say('Code {code}', 'Código {code}'),
  tax: say('Tax {percent}', 'Imposto {percent}'),
  total: say('Total', 'Total'),
  included: say('Includes {amount} of tax ({percent}).', 'Inclui {amount} de imposto ({percent}).'),
  reverse: say(
    'Reverse charge: your business owes the tax in its country.',
    'Autoliquidação: o imposto é devido pela sua empresa no seu país.',
  ),
  times: say('{n} × {amount}', '{n} × {amount}'),
  days: say('{n} days of access', '{n} dias de acesso'),
  oneDay: say('1 day of access', '1 dia de acesso'),
  months: say('{n} months of access', '{n} meses de acesso'),
  oneMonth: say('1 month of access', '1 mês de acesso'),
  until: say('Access until {day}', 'Acesso até {day}'),
} as const

const TAGS = { en: 'en-GB', pt: 'pt-PT' } as const

/** An amount in minor units with its currency, as people of a language write it. */
export const amountIn = (amount: number, currency: string, language: Language): string =>
  formatMoney(amount, currency, TAGS[language])

const percentIn = (percent: string, language: Language): string =>
  new Intl.NumberFormat(TAGS[language], { style: 'percent', maximumFractionDigits: 4 }).format(Number(percent) / 100)

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

const dayText = (at: Date, timeZone: string, language: Language): string =>
  new Intl.DateTimeFormat(TAGS[language], { dateStyle: 'long', timeZone }).format(at)

const accessDetail = (access: PricedLine['access'], timeZone: string, language: Language): string | undefined => {
  if (access?.days !== undefined)
    return access.days === 1 ? fill(text.oneDay, language) : fill(text.days, language, { n: access.days })
  if (access?.months !== undefined)
    return access.months === 1 ? fill(text.oneMonth, language) : fill(text.months, language, { n: access.months })
  if (access?.until === undefined) return undefined
  return fill(text.until, language, { day: dayText(new Date(access.until), timeZone, language) })
}

// A period ends where the next one begins.
const periodDetail = (period: PricedLine['period'], timeZone: string, language: Language): string | undefined => {
  if (period == null) return undefined
  const last = new Date(Date.parse(period.until) - 1)
  return `${dayText(new Date(period.from), timeZone, language)} – ${dayText(last, timeZone, language)}`
}

const taxesOf = ({ lines }: Priced): { readonly percent: string; readonly amount: number }[] =>
  [...Map.groupBy(lines, line => line.tax_percent)]
    .map(([percent, group]) => ({ percent, amount: sumOf(group.map(line => line.tax_amount)) }))
    .filter(({ amount }) => amount > 0)

/** The table of an order or a quote; `timeZone` decides on which day access ends, `hrefOf` where a line is. */
export const tableOf = (
  priced: Priced,
  view: {
    readonly language: Language
    readonly timeZone: string
    readonly hrefOf?: (position: number) => string | undefined
  },
): OrderTableView => {
  const { language, timeZone, hrefOf = () => undefined } = view
  const { currency, tax, lines, codes } = priced
  const money = (amount: number) => amountIn(amount, currency, language)
  const rows = lines.map(({ name, quantity, unit_amount: unit, access, period }, position): OrderTableLine => {
    const many = quantity === 1 ? undefined : fill(text.times, language, { n: quantity, amount: money(unit) })
    const days = periodDetail(period, timeZone, language)
    const details = [many, days, accessDetail(access, timeZone, language)].filter(detail => detail !== undefined)
    return { name, href: hrefOf(position), details, amount: money(unit * quantity) }
  })
  const taxes = taxesOf(priced)
  const added = tax.mode === 'exclusive' ? taxes : []
  const changes: OrderTableSum[] = [
    ...codes.map(({ code, amount }) => ({ label: fill(text.code, language, { code }), amount: money(-amount) })),
    ...added.map(({ percent, amount }) => ({
      label: fill(text.tax, language, { percent: percentIn(percent, language) }),
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
        fill(text.included, language, { percent: percentIn(percent, language), amount: money(amount) }),
      ),
      ...(tax.reverse_charge ? [fill(text.reverse, language)] : []),
    ],
  }
}
