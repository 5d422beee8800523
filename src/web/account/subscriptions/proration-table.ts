import type { Static } from 'typebox'
import type { Proration } from '#src/areas/memberships/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { fill, type Language } from '#src/contract/language.ts'
import { formatMoney } from '#src/kit/format.ts'
import type { Html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type PageContext, showDay } from '#src/web/page/index.ts'
import { orderTable } from '../orders/index.ts'

const { change: text } = texts.account.subscriptions.subscription

/** What a change of the price costs, as the API returns it. */
export type ProrationShown = Encoded<Static<typeof Proration>>

/** What a change of the price costs now, line by line, and what follows. */
export const prorationTable = (
  proration: ProrationShown,
  { language, person }: { readonly language: Language; readonly person: PageContext['viewer'] },
): Html => {
  const { currency, lines, to_pay: toPay, credit, next_amount: next, next_charge_at: nextAt } = proration
  const money = (amount: number): string => formatMoney(amount, currency, language)
  const day = showDay(nextAt, language, person)
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
