import { texts } from '#src/texts/index.ts'
import { showEnd } from '#src/web/page/index.ts'
import type { OwnOrder } from '../orders/index.ts'
import { termsText } from '../recurring.ts'
import type { SubscriptionContext } from './own.ts'

const { about, ends, status: names } = texts.account.subscriptions.subscription

/** When something of a subscription ends: the last day, or the time where it is in the middle of a day. */
export const endText = (at: string, { language, viewer }: SubscriptionContext): string => showEnd(at, language, viewer)

/** Where a subscription is, in a word or two. */
export const statusName = (context: SubscriptionContext): string => {
  const { t, subscription } = context
  const { status, cancel_at: cancelAt } = subscription
  const isEnding = cancelAt !== null && (status === 'active' || status === 'trialing')
  return isEnding ? t(ends, { day: endText(cancelAt, context) }) : t(names[status])
}

/** An amount of a subscription; empty where nothing is paid. */
export const moneyText = (amount: number, { subscription: { price }, money }: SubscriptionContext): string =>
  price === null ? '' : money(amount, price.currency)

const listMade = ({ subscription: { price, payments_made: n }, t }: SubscriptionContext): string[] =>
  price?.number_of_payments == null ? [] : [t(about.payments, { n, total: price.number_of_payments })]

const listNext = (context: SubscriptionContext): string[] => {
  const { subscription, t, day } = context
  const { next_charge_at: at, next_amount: amount, collection } = subscription
  if (at === null) return []
  if (amount === null) return [t(about.nextUnknown, { day: day(at) })]
  const phrase = collection === 'manual' ? about.nextTransfer : about.next
  return [t(phrase, { day: day(at), amount: moneyText(amount, context) })]
}

const listGift = (context: SubscriptionContext): string[] => {
  const { subscription, t } = context
  const { ends_at: end } = subscription
  return [end === null ? t(about.gift) : t(about.giftUntil, { day: endText(end, context) })]
}

const plannedEnd = (at: string, context: SubscriptionContext): string =>
  context.t(about.cancelPlanned, { day: endText(at, context) })

const activeAbout = (context: SubscriptionContext): string[] => {
  const { cancel_at: cancelAt, collection } = context.subscription
  if (cancelAt !== null) return [...listMade(context), plannedEnd(cancelAt, context)]
  return collection === 'complimentary' ? listGift(context) : [...listMade(context), ...listNext(context)]
}

const pastDueAbout = (due: OwnOrder | undefined, context: SubscriptionContext): string[] => {
  const { subscription, t, money, day } = context
  const { retry_at: retryAt, access, collection } = subscription
  const noRetry = collection === 'automatic' ? [t(about.noRetry)] : []
  return [
    ...listMade(context),
    ...(due === undefined ? [] : [t(about.pastDue, { amount: money(due.total, due.currency) })]),
    ...(retryAt === null ? noRetry : [t(about.retry, { day: day(retryAt) })]),
    t(access.state === 'active' ? about.accessKept : about.accessStopped),
  ]
}

const trialAbout = (context: SubscriptionContext): string[] => {
  const { subscription, t, language } = context
  const { cancel_at: cancelAt, trial_end: end, price } = subscription
  if (cancelAt !== null) return [plannedEnd(cancelAt, context)]
  if (end === null || price === null) return []
  return [t(about.trialing, { day: endText(end, context), terms: termsText(price, language) })]
}

/** What a subscription is about to do, in sentences; `due` is the order that is not paid. */
export const statusAbout = (context: SubscriptionContext, due: OwnOrder | undefined): readonly string[] => {
  const { subscription, t, day } = context
  const { status, canceled_at: canceledAt, pause, price, payments_made: made } = subscription
  switch (status) {
    case 'incomplete':
      return [t(about.incomplete)]
    case 'trialing':
      return trialAbout(context)
    case 'active':
      return activeAbout(context)
    case 'past_due':
      return pastDueAbout(due, context)
    case 'paused': {
      const until = pause?.resumes_at ?? null
      return [t(about.paused), ...(until === null ? [] : [t(about.pausedUntil, { day: day(until) })])]
    }
    case 'completed':
      return [t(about.completed, { total: price?.number_of_payments ?? made })]
    case 'canceled':
      return canceledAt === null ? [] : [t(about.canceled, { day: day(canceledAt) })]
    case 'expired':
      return [t(about.expired)]
  }
}
