import type { Static } from 'typebox'
import type { Proration } from '#src/areas/memberships/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { fill } from '#src/contract/language.ts'
import { formatMoney } from '#src/kit/format.ts'
import type { Html } from '#src/kit/html.ts'
import { orderTable } from '../pages/order-table.ts'
import { dayText, type Reader } from './status.ts'
import { subscriptionText } from './text.ts'

const { change: text } = subscriptionText

/** What a change of the price costs, as the API returns it. */
export type ProrationShown = Encoded<Static<typeof Proration>>

/** What a change of the price costs now, line by line, and what follows. */
export const prorationTable = (proration: ProrationShown, reader: Reader): Html => {
  const { language } = reader
  const { currency, lines, to_pay: toPay, credit, next_amount: next, next_charge_at: nextAt } = proration
  const money = (amount: number): string => formatMoney(amount, currency, language)
  const day = dayText(nextAt, reader)
  return orderTable({
    language,
    lines: lines.map(({ type, name, amount }) => ({
      name: type === 'price' ? name : fill(text.lines[type], language, { name }),
      amount: money(amount),
    })),
    sums: credit === 0 ? [] : [{ label: fill(text.credit, language), amount: money(credit) }],
    total: { label: fill(text.toPay, language), amount: money(toPay) },
    notes: [fill(text.nextCharge, language, { amount: money(next), day })],
  })
}
