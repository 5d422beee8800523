import { getSelling } from '#src/areas/selling/index.ts'
import type { SubscriptionRow } from '#src/areas/subscriptions/index.ts'
import type { Offer } from '#src/contract/offer.ts'
import { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { type At, type ChangeQuote, quoteChange, runningPeriod } from '../proration/lookups.ts'
import { expiredBy } from '../proration/rules.ts'
import { changedSince, prorationOutdated } from './rules.ts'

const outdated = (detail: string): Refusal => new Refusal(prorationOutdated, detail)

/**
 * What a change costs as it was shown at an instant. Refuses with 409 when that is too long ago, or when anything that decides
 * the amounts has changed since: what was shown is what is charged.
 */
export const quoteAsShown = async (
  where: At,
  row: SubscriptionRow,
  offer: Offer,
  at: Date | undefined,
): Promise<ChangeQuote> => {
  const { db, school, now } = where
  const period = runningPeriod(row)
  if (at === undefined) {
    refuseInvalid([{ pointer: '/proration_at', code: 'required', message: 'says for which amounts the price changes' }])
    throw new Error('a missing instant was refused')
  }
  if (period === undefined || expiredBy(at, now, period) !== undefined)
    throw outdated('The instant is not within the last hour and the period that runs.')
  const quote = await quoteChange(where, row, { offer, at, prorates: true })
  const selling = await getSelling(db, school.id)
  const coupons = [...quote.terms.coupons.values()].map(({ updated_at }) => updated_at)
  const settings = selling.revision === 1 ? undefined : selling.updated_at
  if (changedSince(at, [row.updated_at, settings, ...coupons]))
    throw outdated('The subscription, its code or the tax has changed since then.')
  return quote
}
