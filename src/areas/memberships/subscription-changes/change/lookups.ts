import type { SubscriptionRow } from '#src/areas/memberships/subscriptions/index.ts'
import type { Offer } from '#src/contract/offer.ts'
import type { WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { type ChangeQuote, quoteChange, runningPeriod, signedFor } from '../proration/lookups.ts'
import { type Figures, figuresIn } from '../proration/quotes.rules.ts'
import { expiredBy } from '../proration/rules.ts'
import { buildFigures } from '../proration/views.ts'
import { prorationOutdated } from './rules.ts'

/** The transaction of a change that is sent with what its preview showed. */
export type Quoting = Pick<WriteContext, 'db' | 'school' | 'now' | 'keyFor'>

const outdated = (detail: string): Refusal => new Refusal(prorationOutdated, detail)

// Refuses with 422 what is no quote of this subscription.
const figuresFor = (context: Quoting, row: SubscriptionRow, quote: string | undefined): Figures => {
  const figures = quote === undefined ? undefined : figuresIn(quote, signedFor(context, row))
  if (figures !== undefined) return figures
  const message = 'is that of a preview of this subscription, and says for which amounts the price changes'
  refuseInvalid([{ pointer: '/quote', code: quote === undefined ? 'required' : 'unknown', message }])
  throw new Error('a quote of somebody else was refused')
}

/**
 * What a change costs as a preview has shown it. Refuses with 422 a quote that is missing or not ours, and with 409 when that is
 * too long ago, or when anything is another amount by now: what was shown is what is charged.
 */
export const quoteAsShown = async (
  context: Quoting,
  row: SubscriptionRow,
  offer: Offer,
  text: string | undefined,
): Promise<ChangeQuote> => {
  const shown = figuresFor(context, row, text)
  const at = new Date(shown.proration_at)
  const period = runningPeriod(row)
  if (period === undefined || expiredBy(at, context.now, period) !== undefined)
    throw outdated('The amounts are not of the last hour and the period that runs.')
  const quote = await quoteChange(context, row, { offer, at, prorates: true })
  if (JSON.stringify(buildFigures(quote)) !== JSON.stringify(shown))
    throw outdated('The amounts have changed since they were shown.')
  return quote
}
