import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import { amountIn } from './order-sums.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

const text = {
  week: [
    say('{amount} every week', '{amount} por semana'),
    say('{amount} every {n} weeks', '{amount} a cada {n} semanas'),
  ],
  month: [
    say('{amount} every month', '{amount} por mês'),
    say('{amount} every {n} months', '{amount} a cada {n} meses'),
  ],
  year: [say('{amount} every year', '{amount} por ano'), say('{amount} every {n} years', '{amount} a cada {n} anos')],
  payments: {
    week: [
      say('{payments} payments of {amount}, one every week', '{payments} pagamentos de {amount}, um por semana'),
      say(
        '{payments} payments of {amount}, one every {n} weeks',
        '{payments} pagamentos de {amount}, um a cada {n} semanas',
      ),
    ],
    month: [
      say('{payments} payments of {amount}, one every month', '{payments} pagamentos de {amount}, um por mês'),
      say(
        '{payments} payments of {amount}, one every {n} months',
        '{payments} pagamentos de {amount}, um a cada {n} meses',
      ),
    ],
    year: [
      say('{payments} payments of {amount}, one every year', '{payments} pagamentos de {amount}, um por ano'),
      say(
        '{payments} payments of {amount}, one every {n} years',
        '{payments} pagamentos de {amount}, um a cada {n} anos',
      ),
    ],
  },
  today: {
    trial: say(
      'You pay nothing today. The first {n} days are free, then it costs {terms}. Cancel before they end and you pay nothing.',
      'Hoje não paga nada. Os primeiros {n} dias são grátis e depois custa {terms}. Se cancelar antes de terminarem, não paga nada.',
    ),
    oneDayTrial: say(
      'You pay nothing today. The first day is free, then it costs {terms}. Cancel before it ends and you pay nothing.',
      'Hoje não paga nada. O primeiro dia é grátis e depois custa {terms}. Se cancelar antes de terminar, não paga nada.',
    ),
    subscription: say(
      '{terms}, until you cancel. You can cancel at any time.',
      '{terms}, até cancelar. Pode cancelar em qualquer altura.',
    ),
    plan: say('{terms}. The first one is due now.', '{terms}. O primeiro paga-se agora.'),
  },
} as const

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
  const amount = amountIn(price.amount, price.currency, language)
  if (interval === null) return amount
  const n = count ?? 1
  const [each, every] = payments === null ? text[interval] : text.payments[interval]
  return fill(n === 1 ? each : every, language, { amount, n, payments: payments ?? 0 })
}

/** What somebody agrees to who buys at a price that is paid again and again; undefined for one that is not. */
export const agreementText = (price: RecurringPrice, trialDays: number, language: Language): string | undefined => {
  if (price.interval === null) return undefined
  const terms = termsText(price, language)
  if (trialDays > 0)
    return fill(trialDays === 1 ? text.today.oneDayTrial : text.today.trial, language, { n: trialDays, terms })
  return fill(price.payment_type === 'payment_plan' ? text.today.plan : text.today.subscription, language, { terms })
}
