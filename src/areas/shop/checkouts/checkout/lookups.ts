import { getSelling, readSaleState, type SellingValues } from '#src/areas/school/index.ts'
import { type AppliedCode, applyCodes } from '#src/areas/shop/coupons/index.ts'
import type { BillingValues } from '#src/areas/shop/orders/index.ts'
import { checkAnyCharges } from '#src/areas/shop/payments/index.ts'
import type { SchoolContext, TransactionContext } from '#src/contract/context.ts'
import {
  gavePrice,
  type Offer,
  type OfferRequest,
  offerOf,
  type TicketChoice,
  type Unavailable,
} from '#src/contract/offer.ts'
import { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { computeSum } from '#src/kit/money.ts'
import { trialDaysFor } from '../hooks.ts'
import { amountOfUnits, computeOrder, type LineAmounts, type Taxation, type Totals } from './amounts.rules.ts'
import { countPending, enrolledFree, shareSchool } from './queries.ts'
import {
  cannotBePaid,
  errorsOfAgreements,
  errorsOfAnswers,
  freeOnce,
  isForNothing,
  isRecurring,
  MAX_PENDING,
  mergeBilling,
  refusalOfCode,
  refusalOfExcess,
  refusalOfItem,
  refusalOfPayment,
  refusalOfTicketFields,
  sellerUnknown,
  tooManyPendingOrders,
  type Wanted,
} from './rules.ts'
import type { CheckoutInput } from './schema.ts'
import { computeTaxation, errorsOfBuyer, needsCountry } from './tax.rules.ts'

/** Refuses with 409 one more order that waits for payment; the member is locked. */
export const checkPending = async ({ db, school, now }: TransactionContext, memberId: string): Promise<void> => {
  if ((await countPending(db, school.id, memberId, now)) < MAX_PENDING) return
  throw new Refusal(tooManyPendingOrders, `${MAX_PENDING} orders of this person wait for payment.`)
}

/** Who buys, undefined where nobody is signed in, and when. */
type Buying = {
  readonly memberId: string | undefined
  readonly at: Date
  readonly isOutside?: true | undefined
  /** The registrations for whose seats the one ticket is. */
  readonly registrationIds?: readonly string[] | undefined
  /** Whether the coupons are locked until the transaction ends, for an order that holds them next. */
  readonly isLocking: boolean
}

const answerFor = async (context: SchoolContext, price: OfferRequest): Promise<Offer | Unavailable | undefined> =>
  (await offerOf.call(price, context)).find(one => one !== undefined)

type Item = CheckoutInput['items'][number]

const buildTicket = (
  { occurrence_id: occurrenceId, quantity, amount, attendees, answers }: Item,
  { registrationIds }: Buying,
): TicketChoice => ({ occurrenceId, quantity, amount, attendees, answers, registrationIds })

const offerFor = async (context: SchoolContext, item: Item, buying: Buying, allowsDuplicate: boolean) => {
  const { memberId, at } = buying
  const price = { priceId: item.price_id, at, ticket: buildTicket(item, buying) }
  const answer = await answerFor(context, { ...price, memberId })
  const isDuplicate = answer !== undefined && 'unavailable' in answer && answer.unavailable === 'already_has_access'
  // Nobody in particular has access to nothing.
  return isDuplicate && allowsDuplicate ? answerFor(context, { ...price, memberId: undefined }) : answer
}

const hadFreeBefore = async (
  context: SchoolContext,
  { payment, priceId, access }: Offer,
  { memberId }: Buying,
): Promise<boolean> => {
  const isBounded = access !== null && ('days' in access || 'months' in access)
  if (memberId === undefined || payment.payment_type !== 'free' || !isBounded) return false
  const { db, school } = context
  const isGiven = (await gavePrice.call({ memberId, priceId }, context)).includes(true)
  return isGiven || enrolledFree(db, school.id, memberId, priceId)
}

/** What cannot be bought: its place among the items, why, and what it is about where the buyer may know. */
export type RefusedItem = {
  readonly index: number
  readonly refusal: Refusal
  readonly about: Unavailable['about']
}

const findItem = async (
  context: SchoolContext,
  { items, allow_duplicate }: CheckoutInput,
  index: number,
  { buying, currency }: { readonly buying: Buying; readonly currency: string },
): Promise<Wanted | RefusedItem> => {
  const item = items[index]
  const offer = item === undefined ? undefined : await offerFor(context, item, buying, allow_duplicate === true)
  if (offer === undefined || 'unavailable' in offer)
    return { index, refusal: refusalOfItem(offer, index), about: offer?.about }
  const about = { item: offer.item, name: offer.name }
  const recurring = refusalOfPayment(offer, index, items.length) ?? refusalOfTicketFields(offer, item, index)
  if (recurring !== undefined) return { index, refusal: recurring, about }
  if (await hadFreeBefore(context, offer, buying))
    return { index, refusal: new Refusal(freeOnce, 'This person had this free access before.'), about }
  if (offer.payment.currency !== currency) return { index, refusal: refusalOfItem(undefined, index), about: undefined }
  return { offer, quantity: item?.quantity ?? 1 }
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
  /** How many days are free before the first payment of what is paid again and again. */
  readonly trialDays: number
  readonly selling: SellingValues
}

type RefusedCode = Awaited<ReturnType<typeof applyCodes>>['refused'][number]

/** An order of what can be bought, with the codes that apply, and the rest. */
export type PartialQuote = {
  readonly quote: Quote
  readonly refusedItems: readonly RefusedItem[]
  readonly refusedCodes: readonly RefusedCode[]
}

const applied = (
  context: SchoolContext,
  { codes = [] }: CheckoutInput,
  { wanted, currency }: Pick<Quote, 'wanted' | 'currency'>,
  { memberId, at, isLocking }: Buying,
) => {
  const lines = wanted.map(({ offer: { item, priceId, payment }, quantity }, index) => ({
    lineId: String(index),
    item,
    priceId,
    payment,
    amount: amountOfUnits(payment.amount, quantity),
  }))
  return applyCodes(context, { codes, lines, currency, memberId, now: at, isLocking })
}

const computeDiscount = (codes: readonly AppliedCode[], index: number): number =>
  computeSum(codes.flatMap(({ lines }) => lines.filter(one => one.lineId === String(index)).map(one => one.discount)))

// The free days of what is bought alone, as its price and its codes promise them and the buyer may have them.
const readTrial = async (
  context: SchoolContext,
  wanted: readonly Wanted[],
  codes: readonly AppliedCode[],
  memberId: string | undefined,
): Promise<number> => {
  const [first] = wanted
  if (first === undefined || first.offer.payment.payment_type !== 'subscription') return 0
  const days = computeSum([first.offer.payment.trial_days ?? 0, ...codes.map(({ trialDays }) => trialDays ?? 0)])
  if (days === 0) return 0
  return Math.max(0, ...(await trialDaysFor.call({ memberId, offer: first.offer, days }, context)))
}

const findAll = async (context: SchoolContext, input: CheckoutInput, buying: Buying, currency: string) => {
  const wanted: Wanted[] = []
  const refusedItems: RefusedItem[] = []
  for (const index of input.items.keys()) {
    const found = await findItem(context, input, index, { buying, currency })
    const excess = 'refusal' in found ? undefined : refusalOfExcess(found, index, wanted)
    if ('refusal' in found) refusedItems.push(found)
    else if (excess !== undefined) refusedItems.push({ index, refusal: excess, about: undefined })
    else wanted.push(found)
  }
  return { wanted, refusedItems }
}

/**
 * Computes what an order of what can be bought would be for somebody, and says what cannot and which codes do not apply. What
 * the buyer still has to say or to agree to is not checked.
 */
export const computeQuote = async (
  context: SchoolContext,
  input: CheckoutInput,
  buying: Buying,
  { currency, country }: { readonly currency: string; readonly country: string | null },
): Promise<PartialQuote> => {
  const { db, school } = context
  const selling = await getSelling(db, school.id)
  const { wanted, refusedItems } = await findAll(context, input, buying, currency)
  const billing = mergeBilling(input.billing)
  const { tax, legal } = selling
  const taxation = computeTaxation({ tax, sellerCountry: legal.address?.country ?? country, buyer: billing })
  const codes = await applied(context, input, { wanted, currency }, buying)
  const trialDays = await readTrial(context, wanted, codes.applied, buying.memberId)
  // Nothing is due before the end of a trial.
  const priced = wanted.map(({ offer: { payment, taxClass }, quantity }, index) => ({
    unitAmount: trialDays > 0 ? 0 : payment.amount,
    quantity,
    discount: trialDays > 0 ? 0 : computeDiscount(codes.applied, index),
    taxClass,
  }))
  const { lines, totals } = computeOrder(priced, taxation)
  const quote = { wanted, applied: codes.applied, currency, billing, taxation, lines, totals, trialDays, selling }
  return { quote, refusedItems, refusedCodes: codes.refused }
}

// What staff record was paid elsewhere, so that only the seller has to be known.
const checkCanBePaid = async (context: SchoolContext, quote: Quote, { isOutside }: Buying): Promise<void> => {
  const { missing } = await readSaleState(context.db, context.school)
  const lacks = isOutside === undefined ? missing : missing.filter(lack => lack === 'seller_unknown')
  if (lacks.length > 0) {
    const isSellerAlone = lacks.every(lack => lack === 'seller_unknown')
    throw new Refusal(isSellerAlone ? sellerUnknown : cannotBePaid, 'The school cannot be paid yet.', {
      members: { missing: lacks },
    })
  }
  if (isOutside !== undefined) return
  const { totals, currency, wanted, trialDays } = quote
  const paid = wanted.some(({ offer }) => isRecurring(offer)) ? 'first' : 'once'
  await checkAnyCharges(context, { amount: totals.total, currency, purpose: trialDays > 0 ? 'setup' : paid })
}

/** Computes what an order of a member would be now; refuses what cannot be ordered. The school stays as it is. */
export const quoteOrder = async (context: SchoolContext, input: CheckoutInput, buying: Buying): Promise<Quote> => {
  const current = await shareSchool(context.db, context.school.id)
  const { quote, refusedItems, refusedCodes } = await computeQuote(context, input, buying, current)
  if (refusedItems[0] !== undefined) throw refusedItems[0].refusal
  const { wanted, billing, selling } = quote
  if (refusedCodes[0] !== undefined) throw refusalOfCode(input.codes ?? [], refusedCodes[0])
  refuseInvalid([
    ...errorsOfBuyer(billing, needsCountry(selling.tax) && !isForNothing(quote)),
    ...(buying.isOutside === undefined
      ? [...errorsOfAgreements(selling.checkout, wanted, input), ...errorsOfAnswers(wanted)]
      : []),
  ])
  if (!isForNothing(quote)) await checkCanBePaid(context, quote, buying)
  return quote
}
