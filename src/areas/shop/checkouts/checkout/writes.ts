import { listUsableProviders, publishedVersionOf } from '#src/areas/school/index.ts'
import { holdRedemptions } from '#src/areas/shop/coupons/index.ts'
import {
  EXPIRY_JOB,
  findOrder,
  insertOrder,
  type NewDiscount,
  type NewLine,
  type OrderRow,
} from '#src/areas/shop/orders/index.ts'
import { askPayment } from '#src/areas/shop/payments/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { itemExists } from '#src/contract/items.ts'
import { fillEach, formatMoneyInEach } from '#src/contract/language.ts'
import { reserve } from '#src/contract/offer.ts'
import { canCharge } from '#src/contract/payment-providers.ts'
import { putJob } from '#src/db/jobs.ts'
import { lockMember } from '#src/identity/index.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { fold, foldEmail } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import { subscriptionOrdered } from '../hooks.ts'
import { checkPending, type Quote, quoteOrder } from './lookups.ts'
import { canWaive, isRecurring, refusalOfCode, refusalOfItem, type Wanted } from './rules.ts'
import type { CheckoutInput } from './schema.ts'

// Who buys what, and where.
type Purchase = {
  readonly memberId: string
  readonly input: CheckoutInput
  /** The app behind the request; undefined on a page. */
  readonly clientId: string | undefined
  readonly page?: string | undefined
  /** Set when staff record what was paid elsewhere: no limit and no agreements. */
  readonly isOutside?: true
  /** The registrations for whose seats the one ticket is. */
  readonly registrationIds?: readonly string[]
  /** Refuses an order that is not what the buyer was shown. */
  readonly checkQuote?: (quote: Quote) => void
}

type WantedLine = Wanted & { readonly lineId: string; readonly index: number }

const reserveLine = async (
  { db, school }: TransactionContext,
  line: WantedLine,
  memberId: string,
  until: Date,
): Promise<void> => {
  const { lineId, offer, quantity, index } = line
  const answers = await reserve.call({ lineId, offer, quantity, memberId, until }, { db, school })
  const answer = answers.find(one => one !== undefined)
  if (answer !== undefined && 'unavailable' in answer) throw refusalOfItem(answer, index)
  if (answer !== undefined || offer.item.type === 'ticket') return
  // Nothing of it is scarce, or it was deleted just now; what exists is locked against that.
  const exists = await itemExists.call({ type: offer.item.type, id: offer.item.id }, { db, school })
  if (!exists.some(one => one !== undefined && one !== 'unknown')) throw refusalOfItem(undefined, index)
}

// In the order of the items, so that two orders of the same things do not wait for each other.
const reserveAll = async (context: TransactionContext, lines: readonly WantedLine[], memberId: string, until: Date) => {
  const sorted = lines.toSorted((one, other) => (one.offer.item.id < other.offer.item.id ? -1 : 1))
  for (const line of sorted) await reserveLine(context, line, memberId, until)
}

const newLine = ({ lineId, offer, quantity, index }: WantedLine, { lines }: Quote): NewLine => {
  const amounts = lines[index]
  if (amounts === undefined) throw new Error('every line has amounts')
  const { item, priceId, name, payment, access, taxClass } = offer
  return {
    id: lineId,
    item_type: item.type,
    item_id: item.id,
    price_id: priceId,
    name,
    payment,
    access,
    tax_class: taxClass,
    quantity,
    ...amounts,
  }
}

const buildDiscounts = (lines: readonly WantedLine[], { applied, trialDays }: Quote): NewDiscount[] =>
  (trialDays > 0 ? [] : applied).flatMap(({ lines: discounted, couponId, codeId, code }, position) =>
    discounted.flatMap(({ lineId, discount }) => {
      const line_id = lines[Number(lineId)]?.lineId
      if (line_id === undefined || discount === 0) return []
      return [{ line_id, code_id: codeId, coupon_id: couponId, code, position: position + 1, amount: discount }]
    }),
  )

type Holder = { readonly orderId: string; readonly memberId: string; readonly codes: readonly string[] }

const holdCodes = async (
  context: TransactionContext,
  { codes, ...order }: Holder,
  quote: Quote,
): Promise<readonly Fact[]> => {
  const { currency, trialDays } = quote
  // A code is used now, and reduces what is due after the trial.
  const applied = trialDays > 0 ? quote.applied.map(one => ({ ...one, amount: 0 })) : quote.applied
  const held = await holdRedemptions(context, { ...order, currency, applied })
  if ('refused' in held) throw refusalOfCode(codes, held.refused)
  return held.facts
}

const readTerms = async ({ db, school, now }: TransactionContext, { selling }: Quote, input: CheckoutInput) => {
  const { terms_page_id: pageId } = selling.checkout
  if (pageId === null || input.accept_terms !== true) return null
  const [version = null] = await publishedVersionOf.call({ pageId }, { db, school })
  return { page_version: version, accepted_at: now.toISOString() }
}

const buildAgreements = async (context: TransactionContext, quote: Quote, input: CheckoutInput) => {
  const { selling, wanted } = quote
  const accepted_at = context.now.toISOString()
  const { withdrawal_waiver } = selling.checkout
  const waives =
    input.waive_withdrawal === true && canWaive(selling.checkout, wanted) && withdrawal_waiver.text !== null
  return {
    terms: await readTerms(context, quote, input),
    waiver: waives ? { text: withdrawal_waiver.text ?? '', accepted_at } : null,
  }
}

const MINUTE_MS = 60_000

const placed = (row: OrderRow): Fact => ({
  type: 'order.placed',
  payload: { order_id: toId('ord', row.id), member_id: toId('mem', row.member_id) },
  effects:
    row.total === 0
      ? {}
      : {
          money: fillEach(texts.shop.checkouts.checkout.writes.asked, {
            sum: formatMoneyInEach(row.total, row.currency),
          }),
        },
})

const getOrder = async ({ db, school }: TransactionContext, id: string): Promise<OrderRow> => {
  const row = await findOrder(db, school.id, { ref: id })
  if (row === undefined) throw new Error('an order that was placed is there')
  return row
}

const beginSubscription = async (
  { db, school, now }: TransactionContext,
  orderId: string,
  memberId: string,
  { wanted, trialDays, applied }: Quote,
): Promise<readonly Fact[]> => {
  const [first] = wanted
  if (first === undefined || !isRecurring(first.offer)) return []
  // What only lengthens the trial does not reduce what is paid after it.
  const code = applied.find(one => one.amount > 0)
  return (
    await subscriptionOrdered.call({ orderId, memberId, offer: first.offer, trialDays, code, now }, { db, school })
  ).flat()
}

// Nothing is due now, and something later, which needs a payment method that is asked for first.
const needsMethod = async ({ db, school }: TransactionContext, { wanted, selling }: Quote): Promise<boolean> => {
  if (!selling.subscriptions.trial_needs_method || !wanted.some(({ offer }) => isRecurring(offer))) return false
  return (await listUsableProviders(db, school)).some(({ name }) => canCharge(name, 'setup'))
}

/**
 * Places an order of a member with everything it reserves; what costs nothing is paid at once. Returns the order and the
 * facts. Two orders of one member at once: the second one waits and counts the first.
 */
export const placeOrder = async (
  context: TransactionContext,
  { memberId, input, clientId, page, isOutside, registrationIds, checkQuote }: Purchase,
): Promise<{ readonly order: OrderRow; readonly facts: readonly Fact[] }> => {
  const { db, school, now } = context
  const member = await lockMember(db, school.id, memberId)
  if (isOutside === undefined) await checkPending(context, memberId)
  const quote = await quoteOrder(context, input, { memberId, at: now, isOutside, registrationIds, isLocking: true })
  checkQuote?.(quote)
  const { wanted, currency, taxation, totals, selling } = quote
  const id = newUuid(now.getTime())
  const expiresAt = new Date(now.getTime() + selling.checkout.hold_minutes * MINUTE_MS)
  const lines = wanted.map((one, index) => ({ ...one, index, lineId: newUuid(now.getTime()) }))
  await reserveAll(context, lines, memberId, expiresAt)
  const held = await holdCodes(context, { orderId: id, memberId, codes: input.codes ?? [] }, quote)
  const billing = { ...quote.billing, name: quote.billing.name ?? member.name }
  await insertOrder(
    db,
    school.id,
    {
      id,
      member_id: memberId,
      kind: isOutside === undefined ? 'checkout' : 'outside',
      currency,
      ...totals,
      tax_mode: taxation.mode,
      tax_country: taxation.country,
      reverse_charge: taxation.reverseCharge,
      billing,
      client_id: clientId ?? null,
      page: page ?? null,
      campaign: input.campaign ?? null,
      ...(await buildAgreements(context, quote, input)),
      prefix: selling.checkout.order_prefix,
      email: member.email,
      emailFolded: foldEmail(member.email),
      words: fold([member.name, member.email, ...quote.applied.map(({ code }) => code)].join(' ')),
      expiresAt,
      now,
    },
    { lines: lines.map(line => newLine(line, quote)), discounts: buildDiscounts(lines, quote) },
  )
  const order = await getOrder(context, id)
  const begun = await beginSubscription(context, id, memberId, quote)
  const facts = [placed(order), ...held, ...begun]
  if (order.total === 0 && !(await needsMethod(context, quote))) {
    const free = { orderId: id, memberId, provider: 'free', amount: 0, currency } as const
    const paid = await askPayment(context, free)
    return { order: await getOrder(context, id), facts: [...facts, ...paid.facts] }
  }
  await putJob(db, school.id, { kind: EXPIRY_JOB, id, dueAt: expiresAt })
  return { order, facts }
}
