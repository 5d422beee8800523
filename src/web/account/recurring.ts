import { fill, type Language } from '#src/contract/language.ts'
import { formatMoney } from '#src/kit/format.ts'
import { texts } from '#src/texts/index.ts'

const text = texts.account.recurring

/** How something is paid again and again; amounts in minor units. */
export type RecurringPrice = {
  readonly payment_type: 'free' | 'one_time' | 'subscription' | 'payment_plan'
  readonly amount: number
  readonly currency: string
  readonly interval: 'week' | 'month' | 'year' | null
  readonly interval_count: number | null
  readonly number_of_payments: number | null
}

/** What a price costs and how often, such as `€19.00 every month` or `3 payments of €50.00, one every month`. */
export const termsText = (price: RecurringPrice, language: Language): string => {
  const { interval, interval_count: count, number_of_payments: payments } = price
  const amount = formatMoney(price.amount, price.currency, language)
  if (interval === null) return amount
  const phrase = payments === null ? text[interval] : text.payments[interval]
  return fill(phrase, language, { amount, n: count ?? 1, payments: payments ?? 0 })
}

/** What somebody agrees to who buys at a price that is paid again and again; undefined for one that is not. */
export const agreementText = (price: RecurringPrice, trialDays: number, language: Language): string | undefined => {
  if (price.interval === null) return undefined
  const terms = termsText(price, language)
  if (trialDays > 0) return fill(text.today.trial, language, { n: trialDays, terms })
  return fill(price.payment_type === 'payment_plan' ? text.today.plan : text.today.subscription, language, { terms })
}
