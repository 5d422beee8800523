import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { Session } from '#src/identity/index.ts'
import { formatMoney } from '#src/kit/format.ts'
import { dayOf, endOf } from '#src/web/page/index.ts'
import type { OwnOrder } from '../pages/order-status.ts'
import { termsText } from '../pages/recurring.ts'
import type { OwnSubscription } from './shown.ts'
import { subscriptionText as text } from './text.ts'

/** In whose words a subscription is described. */
export type Reader = { readonly language: Language; readonly person: Session['member'] }

/** A day that the API returned. */
export const dayText = (at: string, { language, person }: Reader): string => dayOf(at, language, person)

/** When something ends before an instant that the API returned. */
export const endText = (at: string, { language, person }: Reader): string => endOf(at, language, person)

/** Where a subscription is, in a word or two. */
export const statusName = (subscription: OwnSubscription, reader: Reader): string => {
  const { status, cancel_at: cancelAt } = subscription
  const isEnding = cancelAt !== null && (status === 'active' || status === 'trialing')
  return isEnding
    ? fill(text.ends, reader.language, { day: endText(cancelAt, reader) })
    : fill(text.status[status], reader.language)
}

/** An amount of a subscription; empty where nothing is paid. */
export const moneyText = ({ price }: OwnSubscription, amount: number, { language }: Reader): string =>
  price === null ? '' : formatMoney(amount, price.currency, language)

type Say = (phrase: Phrase, values?: Readonly<Record<string, string | number>>) => string

const madeOf = ({ price, payments_made: n }: OwnSubscription, say: Say): string[] =>
  price?.number_of_payments == null ? [] : [say(text.about.payments, { n, total: price.number_of_payments })]

const nextOf = (subscription: OwnSubscription, reader: Reader, say: Say): string[] => {
  const { next_charge_at: at, next_amount: amount, collection } = subscription
  if (at === null) return []
  const day = dayText(at, reader)
  if (amount === null) return [say(text.about.nextUnknown, { day })]
  const phrase = collection === 'manual' ? text.about.nextTransfer : text.about.next
  return [say(phrase, { day, amount: moneyText(subscription, amount, reader) })]
}

const giftOf = ({ ends_at: end }: OwnSubscription, reader: Reader, say: Say): string[] => [
  end === null ? say(text.about.gift) : say(text.about.giftUntil, { day: endText(end, reader) }),
]

const activeAbout = (subscription: OwnSubscription, reader: Reader, say: Say): string[] => {
  const { cancel_at: cancelAt, collection } = subscription
  if (cancelAt !== null)
    return [...madeOf(subscription, say), say(text.about.cancelPlanned, { day: endText(cancelAt, reader) })]
  if (collection === 'complimentary') return giftOf(subscription, reader, say)
  return [...madeOf(subscription, say), ...nextOf(subscription, reader, say)]
}

const pastDueAbout = (subscription: OwnSubscription, due: OwnOrder | undefined, reader: Reader, say: Say): string[] => {
  const { retry_at: retryAt, access, collection } = subscription
  const noRetry = collection === 'automatic' ? [say(text.about.noRetry)] : []
  return [
    ...madeOf(subscription, say),
    ...(due === undefined
      ? []
      : [say(text.about.pastDue, { amount: formatMoney(due.total, due.currency, reader.language) })]),
    ...(retryAt === null ? noRetry : [say(text.about.retry, { day: dayText(retryAt, reader) })]),
    say(access.state === 'active' ? text.about.accessKept : text.about.accessStopped),
  ]
}

const trialAbout = (subscription: OwnSubscription, reader: Reader, say: Say): string[] => {
  const { cancel_at: cancelAt, trial_end: end, price } = subscription
  if (cancelAt !== null) return [say(text.about.cancelPlanned, { day: endText(cancelAt, reader) })]
  if (end === null || price === null) return []
  return [say(text.about.trialing, { day: endText(end, reader), terms: termsText(price, reader.language) })]
}

/** What a subscription is about to do, in sentences; `due` is the order that is not paid. */
export const statusAbout = (
  subscription: OwnSubscription,
  due: OwnOrder | undefined,
  reader: Reader,
): readonly string[] => {
  const say: Say = (phrase, values) => fill(phrase, reader.language, values)
  const { status, canceled_at: canceledAt, pause, price } = subscription
  const { about } = text
  switch (status) {
    case 'incomplete':
      return [say(about.incomplete)]
    case 'trialing':
      return trialAbout(subscription, reader, say)
    case 'active':
      return activeAbout(subscription, reader, say)
    case 'past_due':
      return pastDueAbout(subscription, due, reader, say)
    case 'paused': {
      const until = pause?.resumes_at ?? null
      return [say(about.paused), ...(until === null ? [] : [say(about.pausedUntil, { day: dayText(until, reader) })])]
    }
    case 'completed':
      return [say(about.completed, { total: price?.number_of_payments ?? subscription.payments_made })]
    case 'canceled':
      return canceledAt === null ? [] : [say(about.canceled, { day: dayText(canceledAt, reader) })]
    case 'expired':
      return [say(about.expired)]
  }
}
