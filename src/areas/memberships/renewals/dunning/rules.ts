import { type Anchor, anchorTimeAfter, chargeAt } from '#src/areas/memberships/subscriptions/index.ts'

/** What a failed payment of a period says about the next one. */
type FailedCharge = {
  /** Since when the subscription is past due. */
  readonly since: Date
  readonly now: Date
  /** How often the payment was tried again so far. */
  readonly retries: number
  /** The days after it was due first on which it is tried again, in ascending order. */
  readonly retryDays: readonly number[]
  /** Whether the same payment method may be tried again. */
  readonly mayRetry: boolean
}

/** What follows a failed payment: another try, waiting for another method until an instant, or the end. */
type NextStep =
  | { readonly retryAt: Date; readonly givesUpAt: Date }
  | { readonly retryAt: null; readonly givesUpAt: Date }
  | 'give_up'

/**
 * What follows a failed payment. It is tried again on local days at the time of day at which periods begin, and at least a day
 * after the last time; a payment method that may not be tried again leaves the person until the last of these days. Nothing ends
 * before that day, however often somebody tries in between.
 */
export const nextStep = (anchor: Anchor, { since, now, retries, retryDays, mayRetry }: FailedCharge): NextStep => {
  const last = anchorTimeAfter(since, retryDays.at(-1) ?? 0, anchor)
  const givesUpAt = chargeAt(last, now)
  if (!mayRetry) return { retryAt: null, givesUpAt }
  const day = retryDays[retries]
  if (day === undefined) return last <= now ? 'give_up' : { retryAt: givesUpAt, givesUpAt }
  return { retryAt: chargeAt(anchorTimeAfter(since, day, anchor), now), givesUpAt }
}
