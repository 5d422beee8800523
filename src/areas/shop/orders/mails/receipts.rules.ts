import { fill, type Phrase, toLanguage } from '#src/contract/language.ts'
import { findProviderTitle } from '#src/contract/payment-providers.ts'
import { formatPercent } from '#src/kit/format.ts'
import { toId } from '#src/kit/ids.ts'
import { computeSum, percentText } from '#src/kit/money.ts'
import { texts } from '#src/texts/index.ts'
import type { OrderRow } from '../order/list.conditions.ts'
import type { MoneyRows } from '../order/money.rules.ts'
import type { DiscountRow, LineRow } from '../order/queries.ts'
import type { Reader } from './queries.ts'
import { formatName, periodText } from './text.ts'

const text = texts.shop.orderMails.buyers.subscribers
const { words, contract } = texts

type Payment = MoneyRows['payments'][number]

/** What a receipt is about: the order with its lines, what codes took off, and its payments. */
export type ReceiptInput = {
  readonly order: OrderRow
  readonly lines: readonly LineRow[]
  readonly discounts: readonly Pick<DiscountRow, 'code' | 'amount'>[]
  readonly payments: readonly Payment[]
}

type Formats = { readonly reader: Reader; readonly money: (amount: number) => string }

// What is paid again says for which period.
const nameFor = (line: LineRow, reader: Reader): string => {
  const { period_from: from, period_until: until } = line
  return from === null || until === null ? formatName(line) : `${formatName(line)} (${periodText(from, until, reader)})`
}

const listTaxes = (lines: readonly LineRow[], { reader, money }: Formats) => {
  const language = toLanguage(reader.locale)
  return [...Map.groupBy(lines, line => `${line.tax_rate} ${line.tax_name ?? ''}`).values()].flatMap(group => {
    const [first] = group
    const amount = computeSum(group.map(line => line.tax_amount))
    if (first === undefined || amount === 0) return []
    const rate = formatPercent(percentText(first.tax_rate), language)
    return [{ tax: `${first.tax_name ?? fill(words.tax, language)} ${rate}`, amount: money(amount) }]
  })
}

const formatMethod = (payment: Payment, language: ReturnType<typeof toLanguage>): string => {
  const { brand, last4 } = payment.method ?? {}
  if (last4 == null) return fill(findProviderTitle(payment.provider), language)
  return fill(words.cardEndingIn, language, { brand: brand ?? '', last4 })
}

const formatTotal = ({ order, payments }: ReceiptInput, reader: Reader): string => {
  const language = toLanguage(reader.locale)
  const paying = payments.findLast(({ state }) => state === 'succeeded')
  if (order.total === 0 || paying === undefined) return fill(words.total, language)
  return fill(text.paidBy, language, { method: formatMethod(paying, language) })
}

/** What was bought, less what codes and a credit took off, with the tax that comes on top, and its sums: the total, and the tax in it. */
export const buildRows = (input: ReceiptInput, formats: Formats) => {
  const { order, lines, discounts } = input
  const { reader, money } = formats
  const language = toLanguage(reader.locale)
  const taxes = listTaxes(lines, formats)
  const credit = order.discount_total - computeSum(discounts.map(({ amount }) => amount))
  return {
    lines: [
      ...lines.map(line => [nameFor(line, reader), money(line.unit_amount * line.quantity)]),
      ...discounts.map(({ code, amount }) => [fill(texts.account.orderSums.code, language, { code }), money(-amount)]),
      ...(credit > 0 ? [[fill(text.credit, language), money(-credit)]] : []),
      ...(order.tax_mode === 'exclusive' ? taxes.map(({ tax, amount }) => [tax, amount]) : []),
    ],
    sums: [
      [formatTotal(input, reader), money(order.total)],
      ...(order.tax_mode === 'inclusive' ? taxes : []).map(({ tax, amount }) => [
        fill(text.ofWhich, language, { tax }),
        amount,
      ]),
    ],
  }
}

type Way = { readonly action: Phrase; readonly link: string }

/** Where a buyer begins with what an order gave: at the course or the files, or at the order, which lists what is open. */
export const chooseStart = ({ order, lines }: Pick<ReceiptInput, 'order' | 'lines'>): Way => {
  const { start, files, order: see } = contract.mail.buttons
  const ownOrder = `/account/orders/${order.number}`
  const given = lines.filter(({ fulfilled_at: at }) => at !== null)
  const [line] = given
  if (order.kind === 'renewal' || order.kind === 'instalment' || line === undefined)
    return { action: see, link: ownOrder }
  if (given.length > 1) return { action: start, link: ownOrder }
  if (line.item_type === 'course') return { action: start, link: `/learn/${toId('crs', line.item_id)}` }
  if (line.item_type === 'digital_product') return { action: files, link: '/account/downloads' }
  return { action: line.item_type === 'membership_plan' ? start : see, link: ownOrder }
}
