import { type AppliedCode, applyCodes } from '#src/areas/coupons/index.ts'
import type { BillingValues } from '#src/areas/orders/index.ts'
import { getSelling, paymentMode, type SellingValues } from '#src/areas/selling/index.ts'
import type { HookPlace } from '#src/contract/hook.ts'
import { gavePrice, type Offer, offerOf, type Unavailable } from '#src/contract/offer.ts'
import { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { sumOf } from '#src/kit/money.ts'
import { amountOfUnits, computeOrder, type LineAmounts, type Taxation, type Totals } from './amounts.rules.ts'
import { countPending, enrolledFree, shareSchool } from './queries.ts'
import {
  billingOf,
  checkSoldNow,
  errorsOfAgreements,
  errorsOfItems,
  freeOnce,
  MAX_PENDING,
  refusalOfCode,
  refusalOfItem,
  sellerUnknown,
  tooManyPendingOrders,
  type Wanted,
} from './rules.ts'
import type { CheckoutInput } from './schema.ts'
import { errorsOfBuyer, needsCountry, taxationOf } from './tax.rules.ts'

/** Refuses with 409 one more order that waits for payment; the member is locked. */
export const checkPending = async (
  { db, school, now }: HookPlace & { readonly now: Date },
  memberId: string,
): Promise<void> => {
  if ((await countPending(db, school.id, memberId, now)) < MAX_PENDING) return
  throw new Refusal(tooManyPendingOrders, `${MAX_PENDING} orders of this person wait for payment.`)
}

/** Who buys, and when. */
type Buying = { readonly memberId: string; readonly at: Date; readonly isOutside?: true | undefined }

const answerFor = async (
  place: HookPlace,
  price: { readonly priceId: string; readonly memberId: string | undefined; readonly at: Date },
): Promise<Offer | Unavailable | undefined> => (await offerOf.call(price, place)).find(one => one !== undefined)

const offerFor = async (place: HookPlace, priceId: string, { memberId, at }: Buying, allowsDuplicate: boolean) => {
  const answer = await answerFor(place, { priceId, memberId, at })
  const isDuplicate = answer !== undefined && 'unavailable' in answer && answer.unavailable === 'already_has_access'
  // Nobody in particular has access to nothing.
  return isDuplicate && allowsDuplicate ? answerFor(place, { priceId, memberId: undefined, at }) : answer
}

const checkFreeOnce = async (place: HookPlace, { payment, priceId }: Offer, { memberId }: Buying) => {
  if (payment.payment_type !== 'free' || payment.access_days === null) return
  const { db, school } = place
  const isGiven = (await gavePrice.call({ memberId, priceId }, place)).includes(true)
  if (isGiven || (await enrolledFree(db, school.id, memberId, priceId)))
    throw new Refusal(freeOnce, 'This person had this free access before.')
}

const findWanted = async (place: HookPlace, input: CheckoutInput, buying: Buying): Promise<Wanted[]> => {
  const wanted: Wanted[] = []
  for (const [index, { price_id, quantity = 1 }] of input.items.entries()) {
    const offer = await offerFor(place, price_id, buying, input.allow_duplicate === true)
    if (offer === undefined || 'unavailable' in offer) throw refusalOfItem(offer, index)
    checkSoldNow(offer, index)
    await checkFreeOnce(place, offer, buying)
    wanted.push({ offer, quantity })
  }
  refuseInvalid(errorsOfItems(wanted), 'Something cannot be ordered.')
  return wanted
}

/** What an order would be: everything that is decided before anything is written. */
export type Quote = {
  readonly wanted: readonly Wanted[]
  /** What each code takes off which lines, which are named by their positions. */
  readonly applied: readonly AppliedCode[]
  readonly currency: string
  readonly billing: BillingValues
  readonly taxation: Taxation
  readonly lines: readonly LineAmounts[]
  readonly totals: Totals
  readonly selling: SellingValues
}

const applied = async (
  place: HookPlace,
  { codes = [] }: CheckoutInput,
  { wanted, currency }: Pick<Quote, 'wanted' | 'currency'>,
  { memberId, at }: Buying,
): Promise<readonly AppliedCode[]> => {
  const lines = wanted.map(({ offer: { item, priceId, payment }, quantity }, index) => ({
    ...{ lineId: String(index), item, priceId, payment },
    amount: amountOfUnits(payment.amount, quantity),
  }))
  const request = { codes, lines, currency, memberId, now: at, isLocking: true }
  const { applied: all, refused } = await applyCodes(place, request)
  if (refused[0] !== undefined) throw refusalOfCode(codes, refused[0])
  return all
}

const discountOf = (codes: readonly AppliedCode[], index: number): number =>
  sumOf(codes.flatMap(({ lines }) => lines.filter(one => one.lineId === String(index)).map(one => one.discount)))

const checkSeller = (school: HookPlace['school'], { legal }: SellingValues, { total }: Totals): void => {
  if (total === 0 || paymentMode(school) === 'test' || (legal.name !== null && legal.address !== null)) return
  throw new Refusal(sellerUnknown, 'The school has not set its legal name and address.')
}

/** Computes what an order of a member would be now; refuses what cannot be ordered. The school stays as it is. */
export const quoteOrder = async (place: HookPlace, input: CheckoutInput, buying: Buying): Promise<Quote> => {
  const { db, school } = place
  const { currency, country } = await shareSchool(db, school.id)
  const selling = await getSelling(db, school.id)
  const wanted = await findWanted(place, input, buying)
  const foreign = wanted.findIndex(({ offer }) => offer.payment.currency !== currency)
  if (foreign !== -1) throw refusalOfItem(undefined, foreign)
  const billing = billingOf(input.billing)
  const { tax, legal } = selling
  const taxation = taxationOf({ tax, sellerCountry: legal.address?.country ?? country, buyer: billing })
  const codes = await applied(place, input, { wanted, currency }, buying)
  const priced = wanted.map(({ offer: { payment, taxClass }, quantity }, index) => ({
    unitAmount: payment.amount,
    quantity,
    discount: discountOf(codes, index),
    taxClass,
  }))
  const { lines, totals } = computeOrder(priced, taxation)
  refuseInvalid([
    ...errorsOfBuyer(billing, needsCountry(tax) && totals.total > 0),
    ...(buying.isOutside === undefined ? errorsOfAgreements(selling.checkout, wanted, input) : []),
  ])
  checkSeller(school, selling, totals)
  return { wanted, applied: codes, currency, billing, taxation, lines, totals, selling }
}
