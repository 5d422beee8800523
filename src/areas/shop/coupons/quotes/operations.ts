import type { SchoolContext } from '#src/contract/context.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { type Offer, offerOf, type Unavailable } from '#src/contract/offer.ts'
import { declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidParameter } from '#src/contract/problems.ts'
import { computeSum } from '#src/kit/money.ts'
import { listKnownMembers, readSchool } from '../coupon/queries.ts'
import type { CodeLine } from '../rules.ts'
import { applyCodes } from './lookups.ts'
import { CouponQuote, QuoteQuery } from './schema.ts'

type Buyer = { readonly memberId: string | undefined; readonly at: Date }

// What each price offers, in the order of the request; refuses prices that the school does not have.
const readOffers = async (
  context: SchoolContext,
  priceIds: readonly string[],
  buyer: Buyer,
): Promise<(readonly [priceId: string, offer: Offer | Unavailable])[]> => {
  const found: (readonly [priceId: string, offer: Offer | Unavailable])[] = []
  for (const priceId of priceIds) {
    const answers = await offerOf.call({ priceId, ...buyer }, context)
    const offer = answers.find(answer => answer !== undefined)
    if (offer === undefined) throw new Refusal(invalidParameter, 'The parameter price_id[in] names no price.')
    found.push([priceId, offer])
  }
  return found
}

const buildLine = ({ priceId, item, payment }: Offer): CodeLine => ({
  lineId: priceId,
  priceId,
  item,
  payment,
  amount: payment.amount,
})

const getCouponQuote = declareFor('staff', 'coupons', {
  id: 'getCouponQuote',
  route: 'GET /coupons/quotes',
  summary: 'Quote a coupon',
  description:
    'Says what a code does to a purchase of some prices, or why it is refused, without using it: now or at another instant, for a member or for somebody who is not signed in. A checkout decides by the same rule.',
  query: QuoteQuery,
  returns: CouponQuote,
  example: {
    query: {
      code: 'WELCOME-10',
      'price_id[in]': [exampleFrom('prc', 'listCoursePrices', { having: { payment_type: 'one_time' } })],
    },
  },
  async handle(context) {
    const { db, school, query } = context
    const { code, member_id: memberId } = query
    if (memberId !== undefined && (await listKnownMembers(db, school.id, [memberId])).length === 0)
      throw new Refusal(invalidParameter, 'The parameter member_id names nobody.')
    const current = await readSchool(db, school.id)
    const now = query.at ?? current.now
    const found = await readOffers(context, query['price_id[in]'], { memberId, at: now })
    const offers = found.flatMap(([, offer]) => ('unavailable' in offer ? [] : [offer]))
    const lines = offers.map(buildLine)
    const currency = lines[0]?.payment.currency ?? current.currency
    const { applied, refused } = await applyCodes(context, { codes: [code], lines, currency, memberId, now })
    const [one] = applied
    const findDiscount = (lineId: string): number => one?.lines.find(line => line.lineId === lineId)?.discount ?? 0
    const subtotal = computeSum(lines.map(({ amount }) => amount))
    return {
      code,
      coupon_id: one?.couponId ?? null,
      reason: refused[0]?.reason ?? null,
      trial_days: one?.trialDays ?? null,
      currency,
      subtotal,
      discount_total: one?.amount ?? 0,
      total: subtotal - (one?.amount ?? 0),
      lines: offers.map(({ priceId, name, payment }) => ({
        price_id: priceId,
        name,
        amount: payment.amount,
        discount_amount: findDiscount(priceId),
      })),
      unavailable: found.flatMap(([price_id, offer]) =>
        'unavailable' in offer ? [{ price_id, reason: offer.unavailable }] : [],
      ),
    }
  },
})

/** The operation of quotes. */
export const quoteOperations = [getCouponQuote]
