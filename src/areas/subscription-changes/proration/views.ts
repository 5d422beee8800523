import type { SubscriptionRow } from '#src/areas/subscriptions/index.ts'
import type { ChangeQuote } from './lookups.ts'
import { usualTime } from './rules.ts'
import type { ProrationView } from './schema.ts'

const linesOf = ({ offer, line, taxation, totals, proration }: ChangeQuote, before: string): ProrationView['lines'] => [
  { type: 'price', name: offer.name, amount: proration.due },
  ...(proration.used === 0 ? [] : [{ type: 'credit' as const, name: before, amount: -proration.used }]),
  ...(taxation.mode === 'exclusive' && totals.tax_total > 0
    ? [{ type: 'tax' as const, name: line.tax_name ?? '', amount: totals.tax_total }]
    : []),
]

/** What a change of price costs, as the API shows it. */
export const prorationView = (row: SubscriptionRow, quote: ChangeQuote): ProrationView => {
  const { offer, at, proration, totals, next } = quote
  const { payment } = offer
  return {
    subscription_id: row.id,
    price_id: offer.priceId,
    when: row.price === null ? 'now' : usualTime(row.price.amount, row.price, payment.amount, payment),
    proration_at: at,
    currency: payment.currency,
    lines: linesOf(quote, row.name),
    to_pay: totals.total,
    tax_amount: totals.tax_total,
    credit: proration.rest,
    next_charge_at: next.at,
    next_amount: next.amount,
  }
}
