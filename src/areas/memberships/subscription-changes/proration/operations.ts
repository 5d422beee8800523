import { clockNow } from '#src/areas/learning/index.ts'
import {
  chargedSubscription,
  getSubscription,
  OwnSubscriptionRef,
  ownSubscription,
  SubscriptionRef,
  type SubscriptionRow,
} from '#src/areas/memberships/subscriptions/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor, type ReadContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, refuseInvalid } from '#src/contract/problems.ts'
import { checkStatus, priceNotPossible } from '../change/rules.ts'
import { offerFor, quoteChange, runningPeriod, signedFor } from './lookups.ts'
import { signQuote } from './quotes.rules.ts'
import { chooseInstant } from './rules.ts'
import { Proration, ProrationQuery, type ProrationView } from './schema.ts'
import { buildFigures, prorationView } from './views.ts'

type Wanted = { readonly price_id: string; readonly at?: Date }

const preview = async (context: ReadContext, row: SubscriptionRow, query: Wanted): Promise<ProrationView> => {
  checkStatus(row)
  const now = await clockNow(context.db)
  const period = runningPeriod(row)
  if (query.at === undefined && period !== undefined && now >= period.until)
    throw new Refusal(
      invalidState,
      'The period has ended, and the next one is about to be charged. Try again afterwards.',
    )
  const { at = chooseInstant(now, period) } = query
  if (period !== undefined && (at < period.from || at >= period.until))
    refuseInvalid([{ pointer: '/at', code: 'range', message: 'is not within the period that runs' }])
  const where = { db: context.db, school: context.school, now }
  const offer = await offerFor(where, row, query.price_id)
  const quote = await quoteChange(where, row, { offer, at, prorates: true })
  // Nobody chooses the instant of the amounts that they pay.
  const signed = query.at === undefined ? signQuote(buildFigures(quote), signedFor(context, row)) : null
  return prorationView(row, quote, signed)
}

const description =
  'Returns what a change to another price costs now, or at an instant of the period that runs: the new price for the rest of the period, or for a whole one where it is paid at another interval, less a credit for what is not used and the credit that stands. The amounts are valid for an hour, if their `quote` is sent with the change. Nothing is changed.'

const price_id = exampleFrom('prc', 'listPlanPrices', { having: { interval: 'year' } })

const getSubscriptionProration = declareFor('staff', 'subscriptions', {
  id: 'getSubscriptionProration',
  route: 'GET /subscriptions/:subscription_id/proration',
  summary: 'Preview a price change',
  description,
  params: SubscriptionRef,
  query: ProrationQuery,
  returns: Proration,
  fails: [invalidState, priceNotPossible],
  example: { params: chargedSubscription, query: { price_id } },
  handle: async context =>
    preview(context, await getSubscription(context, context.params.subscription_id), context.query),
})

const getAccountSubscriptionProration = declareFor('self', 'account', {
  id: 'getAccountSubscriptionProration',
  route: 'GET /account/subscriptions/:subscription_id/proration',
  summary: 'Preview your price change',
  description,
  params: OwnSubscriptionRef,
  query: ProrationQuery,
  returns: Proration,
  fails: [invalidState, priceNotPossible],
  example: { params: ownSubscription, query: { price_id } },
  handle: async context =>
    preview(
      context,
      await getSubscription(context, context.params.subscription_id, context.caller.member.id),
      context.query,
    ),
})

/** The operations that say what a change of the price costs. */
export const prorationOperations = [getSubscriptionProration, getAccountSubscriptionProration]
