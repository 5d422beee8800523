import {
  type ChargingTerms,
  chargingTerms,
  computeCodeOff,
  findPaidPart,
  periodStart,
  type SubscriptionRow,
  secondAt,
  taxationFor,
} from '#src/areas/memberships/subscriptions/index.ts'
import { computeOrder, type LineAmounts, type PaidPart, type Taxation, type Totals } from '#src/areas/shop/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import { type Offer, offerOf } from '#src/contract/offer.ts'
import type { ReadContext } from '#src/contract/operation.ts'
import { type PaidPeriod, paidFor } from '#src/kit/proration.ts'
import { checkChangeable, offerRefusal } from '../change/rules.ts'
import type { Signed } from './quotes.rules.ts'
import { computeProration, isSameRhythm, NOTHING, type Proration, type Rhythm } from './rules.ts'

/** For what the figures of a subscription are signed. */
export const signedFor = (
  { school, keyFor }: Pick<ReadContext, 'school' | 'keyFor'>,
  { id }: SubscriptionRow,
): Signed => ({ key: keyFor('proration'), schoolId: school.id, subscriptionId: id })

/** What a price offers to somebody who has a subscription. Refuses with 409 or 422 what a subscription cannot change to. */
export const offerFor = async (context: TransactionContext, row: SubscriptionRow, priceId: string): Promise<Offer> => {
  const { now: at } = context
  // For nobody in particular: that the person has access already does not matter.
  const answers = await offerOf.call({ priceId, memberId: undefined, at }, context)
  const offer = answers.find(one => one !== undefined)
  if (offer === undefined || 'unavailable' in offer) throw offerRefusal(offer)
  checkChangeable(row, offer)
  return offer
}

/** The period of a subscription that runs; undefined before the first one. */
export const runningPeriod = ({ current_from: from, current_until: until }: SubscriptionRow): PaidPeriod | undefined =>
  from === null || until === null ? undefined : { from, until }

/** What a change of price would be at an instant: everything that is decided before anything is written. */
export type ChangeQuote = {
  readonly offer: Offer
  readonly at: Date
  readonly proration: Proration
  /** What paid for the period that runs. */
  readonly paid: PaidPart | undefined
  /** Whether the period that runs goes on, and no other one begins now. */
  readonly goesOn: boolean
  readonly terms: ChargingTerms
  readonly taxation: Taxation
  readonly line: LineAmounts
  readonly totals: Totals
  /** What stands of the credit afterwards. */
  readonly creditLeft: number
  /** What is due next, with tax, and when. */
  readonly next: { readonly at: Date; readonly amount: number }
}

const paidIn = (paid: PaidPart | undefined, period: PaidPeriod) => ({
  paid:
    paid === undefined
      ? { ...period, amount: 0, creditAmount: 0 }
      : { from: paid.period_from, until: paid.period_until, amount: paidFor(paid), creditAmount: paid.credit_amount },
})

// A period of another rhythm begins now, from an anchor of its own.
const nextStart = ({ anchor_zone: zone }: SubscriptionRow, rhythm: Rhythm, from: Date): Date => {
  if (zone === null) throw new Error('a subscription that runs has a time zone')
  return periodStart({ anchor_local: secondAt(from, zone), anchor_zone: zone, anchor_number: 1 }, rhythm, 2)
}

/** Computes what a change to the price of an offer costs at an instant; nothing during a trial. */
export const quoteChange = async (
  context: TransactionContext,
  row: SubscriptionRow,
  { offer, at, prorates }: { readonly offer: Offer; readonly at: Date; readonly prorates: boolean },
): Promise<ChangeQuote> => {
  const { payment, taxClass } = offer
  const terms = await chargingTerms(context, [row])
  const amount = payment.amount - computeCodeOff(row, terms, payment.amount)
  const period = row.status === 'trialing' ? undefined : runningPeriod(row)
  const isSame = row.price !== null && isSameRhythm(row.price, payment)
  const paid = await findPaidPart(context, row.id, at)
  const proration =
    period === undefined
      ? NOTHING
      : computeProration({
          period,
          at,
          amount,
          prorates,
          ...paidIn(paid, period),
          standing: row.credit,
          isSameRhythm: isSame,
        })
  const taxation = taxationFor(row, terms)
  const compute = (unitAmount: number, discount: number) =>
    computeOrder([{ unitAmount, quantity: 1, discount, taxClass }], taxation)
  const { lines, totals } = compute(proration.due, proration.used + proration.held)
  const [line] = lines
  if (line === undefined) throw new Error('an order has the amounts of its line')
  const goesOn = isSame || !prorates || period === undefined
  const creditLeft = row.credit - proration.held + proration.rest
  return {
    offer,
    at,
    proration,
    paid,
    goesOn,
    terms,
    taxation,
    line,
    totals,
    creditLeft,
    next: {
      at: goesOn ? (row.next_charge_at ?? at) : nextStart(row, payment, at),
      amount: compute(amount, Math.min(amount, creditLeft)).totals.total,
    },
  }
}
