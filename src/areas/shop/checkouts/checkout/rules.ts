import type { applyCodes } from '#src/areas/shop/coupons/index.ts'
import type { BillingInputValues, BillingValues } from '#src/areas/shop/orders/index.ts'
import { amountNotChargeable } from '#src/areas/shop/payments/index.ts'
import { alreadyHasAccess, type Offer, offerEnded, soldOut, type Unavailable } from '#src/contract/offer.ts'
import { type FieldError, type Problem, problem, Refusal } from '#src/contract/problem.ts'
import { invalidBody } from '#src/contract/problems.ts'
import type { CheckoutInput } from './schema.ts'

// What is paid again and again has an order of its own.
const boughtAlone = problem(
  409,
  'bought_alone',
  'This is bought alone',
  'A subscription or a payment plan is paid again and again, so it has an order of its own. Buy it without anything else.',
)

// A ticket for which the host decides who comes.
const approvalRequired = problem(
  409,
  'approval_required',
  'The host decides who comes',
  'This ticket needs an approval before it is paid for. Register with POST /account/registrations; nothing is charged before the host approves it.',
)

// The offer is not open, or not for this person.
const notOnSale = problem(
  409,
  'not_on_sale',
  'It is not on sale to you now',
  'The sale has not begun, or is for other people, such as members of a plan. Nothing was ordered.',
)

/** The school has no way to be paid, and may not have said who it is in law. */
export const cannotBePaid = problem(
  409,
  'cannot_be_paid',
  'The school cannot be paid yet',
  'The school has no way to be paid. `missing` has the words of `sale_state` of GET /school/selling. Nothing was ordered; what costs nothing can be had.',
)

/** The school can be paid, and has not said who it is in law. */
export const sellerUnknown = problem(
  409,
  'seller_unknown',
  'The school cannot sell yet',
  'An invoice names the seller, and the school has not set its legal name and address in the seller settings. `missing` says so as well. Nothing was ordered; what costs nothing can be had.',
)

/** The free access of a number of days was given before. */
export const freeOnce = problem(
  409,
  'free_once',
  'You have had this free access',
  'Free access for a number of days is given once to each person. Choose another price, or ask the school.',
)

/** A code does not reduce the purchase. */
export const codeRefused = problem(
  409,
  'code_refused',
  'A code does not apply',
  'A code is unknown, used up, not for this purchase, or cannot be combined with the others. `reason` says why, in the words of GET /coupons/quotes. Nothing was ordered: leave the code out, or type another one.',
)

/** The member has as many unpaid orders as one may have. */
export const tooManyPendingOrders = problem(
  409,
  'too_many_pending_orders',
  'There are too many unpaid orders',
  'A member has at most three orders that wait for payment, since each keeps places and discounts from others. Pay or cancel one, or wait until it expires.',
)

/** How many pending orders a member may have. */
export const MAX_PENDING = 3

/** An order that waits for payment has the same. */
export const orderWaits = problem(
  409,
  'order_waits',
  'An order of the same waits for payment',
  'The person has an order that waits for payment and has the same course, product or plan. Nothing was ordered: pay that order, or cancel it first.',
)

/** What the buyer was shown is not what the order would be. */
export const quoteChanged = problem(
  409,
  'quote_changed',
  'The purchase has changed',
  'A price, a code, the tax or what the buyer agrees to changed since the buyer saw the total. Nothing was ordered: show the new total, and ask again.',
)

/** The refusals of a checkout. */
export const checkoutRefusals = [
  soldOut,
  alreadyHasAccess,
  offerEnded,
  boughtAlone,
  notOnSale,
  cannotBePaid,
  sellerUnknown,
  amountNotChargeable,
  freeOnce,
  approvalRequired,
  codeRefused,
] as const

// A code that does not apply, and why.
type RefusedCode = Awaited<ReturnType<typeof applyCodes>>['refused'][number]

/** The refusal of a code, as it was typed, among those of a purchase. */
export const refusalOfCode = (codes: readonly string[], { code, reason }: RefusedCode): Refusal =>
  new Refusal(codeRefused, 'A code does not apply to this purchase.', {
    errors: [{ pointer: `/codes/${codes.indexOf(code)}`, code: reason, message: 'does not apply' }],
    members: { reason },
  })

// The field of an item that a refusal is about.
type PointedField = 'price_id' | 'quantity' | 'occurrence_id' | 'amount' | 'attendees' | 'answers'

const pointerTo = (index: number, field: PointedField): string => `/items/${index}/${field}`

const refuse = (refused: Problem, index: number, detail: string): Refusal =>
  new Refusal(refused, detail, {
    errors: [{ pointer: pointerTo(index, 'price_id'), code: refused.code, message: refused.title.toLowerCase() }],
  })

// In the same words for an unknown price, a retired one, and that of a draft.
const unknownPrice = (index: number): Refusal =>
  new Refusal(invalidBody, 'Something cannot be ordered.', {
    errors: [
      { pointer: pointerTo(index, 'price_id'), code: 'unknown', message: 'is not a price at which one can buy' },
    ],
  })

const invalidItem = (index: number, field: PointedField, code: string, message: string): Refusal =>
  new Refusal(invalidBody, 'Something cannot be ordered.', {
    errors: [{ pointer: pointerTo(index, field), code, message }],
  })

/** The refusal of an item whose offer is not available; undefined is an unknown price. */
export const refusalOfItem = (answer: Unavailable | undefined, index: number): Refusal => {
  switch (answer?.unavailable) {
    case 'sold_out':
      return refuse(soldOut, index, 'All seats at this price are taken.')
    case 'already_has_access':
      return refuse(alreadyHasAccess, index, 'The person can use this already. Send allow_duplicate to buy it again.')
    case 'ended':
      return refuse(offerEnded, index, 'The access at this price has ended.')
    case 'off_sale':
      return refuse(notOnSale, index, 'It is no longer on sale.')
    case 'needs_approval':
      return refuse(approvalRequired, index, 'The host of the event approves this ticket first.')
    case 'occurrence_required':
      return invalidItem(index, 'occurrence_id', 'required', 'is missing: the event has several dates')
    case 'amount_wrong':
      return invalidItem(index, 'amount', 'amount', 'is for a ticket whose price people choose, and at least its least')
    case 'too_few':
      return invalidItem(index, 'quantity', 'minimum', 'is less than the ticket is sold in')
    case 'not_open_yet':
    case 'members_only':
    case 'not_for_you':
      return refuse(notOnSale, index, 'It is not on sale to this person now.')
    default:
      return unknownPrice(index)
  }
}

/** Whether an offer is paid more than once. */
export const isRecurring = ({ payment: { payment_type: type } }: Pick<Offer, 'payment'>): boolean =>
  type === 'subscription' || type === 'payment_plan'

/** The refusal of an offer that is paid more than once and not bought alone. */
export const refusalOfPayment = (offer: Offer, index: number, items: number): Refusal | undefined =>
  isRecurring(offer) && items > 1
    ? refuse(boughtAlone, index, `A price of the type ${offer.payment.payment_type} is bought alone.`)
    : undefined

/** The refusal of a date, an amount or answers with something that is no ticket. */
export const refusalOfTicketFields = (
  { item: { type } }: Offer,
  sent: CheckoutInput['items'][number] | undefined,
  index: number,
): Refusal | undefined => {
  if (type === 'ticket' || sent === undefined) return undefined
  const field = (['occurrence_id', 'amount', 'attendees', 'answers'] as const).find(name => sent[name] !== undefined)
  return field && invalidItem(index, field, 'unwanted', 'is for tickets only')
}

/** Whether nothing is due for an order, now or after free days. */
export const isForNothing = (order: {
  readonly totals: { readonly total: number }
  readonly trialDays: number
}): boolean => order.totals.total === 0 && order.trialDays === 0

/** What is asked for at a price. */
export type Wanted = { readonly offer: Offer; readonly quantity: number }

/** The refusal of more of something than one order may have, or of the same thing twice. */
export const refusalOfExcess = (
  { offer, quantity }: Wanted,
  index: number,
  earlier: readonly Wanted[],
): Refusal | undefined => {
  const isRepeated = earlier.some(one => one.offer.item.id === offer.item.id)
  if (isRepeated && offer.item.type !== 'ticket')
    return invalidItem(index, 'price_id', 'unique', 'is in the order already')
  if (quantity <= offer.mostPerOrder) return undefined
  return invalidItem(index, 'quantity', 'maximum', `is at most ${offer.mostPerOrder} for this price`)
}

/** The part of the seller settings to which a buyer agrees. */
type Agreements = {
  readonly terms_page_id: string | null
  readonly withdrawal_waiver: { readonly text: string | null; readonly required: boolean }
}

const isDigital = ({ offer }: Wanted): boolean => offer.item.type !== 'ticket'

/** Whether a buyer can waive the right of withdrawal: the school has a sentence for it, and something is digital. */
export const canWaive = ({ withdrawal_waiver: { text } }: Agreements, wanted: readonly Wanted[]): boolean =>
  text !== null && wanted.some(isDigital)

/** The errors of what a buyer has to agree to. */
export const errorsOfAgreements = (
  settings: Agreements,
  wanted: readonly Wanted[],
  { accept_terms, waive_withdrawal }: Pick<CheckoutInput, 'accept_terms' | 'waive_withdrawal'>,
): FieldError[] => {
  const errors: FieldError[] = []
  if (settings.terms_page_id !== null && accept_terms !== true)
    errors.push({ pointer: '/accept_terms', code: 'required', message: 'must be true: the school sells by its terms' })
  if (settings.withdrawal_waiver.required && canWaive(settings, wanted) && waive_withdrawal !== true)
    errors.push({
      pointer: '/waive_withdrawal',
      code: 'required',
      message: 'must be true: the school sells digital content only to those who agree that it begins at once',
    })
  return errors
}

/** What is missing or wrong in the answers to the questions of events. */
export const errorsOfAnswers = (wanted: readonly Wanted[]): FieldError[] =>
  wanted.flatMap(({ offer: { answerErrors = [] } }, index) =>
    answerErrors.map(error => ({ ...error, pointer: `/items/${index}${error.pointer}` })),
  )

const NO_BILLING: BillingValues = { name: null, company: null, address: null, country: null, tax_id: null }

/** The billing of an order: what was sent over what was stored. */
export const mergeBilling = (
  input: BillingInputValues | undefined,
  before: BillingValues = NO_BILLING,
): BillingValues => {
  const { name, company, address, country, tax_id } = { ...before, ...input }
  return { name, company, address, country, tax_id }
}
