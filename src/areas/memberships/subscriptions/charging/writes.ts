import { endCredit, holdCredit, returnHeld } from '#src/areas/memberships/subscription-credits/index.ts'
import type { Departure } from '#src/areas/people/index.ts'
import { getSelling } from '#src/areas/school/index.ts'
import {
  type BillingValues,
  cancelPending,
  EXPIRY_JOB,
  findOrder,
  insertOrder,
  type LineAmounts,
  lockOrder,
  type OrderRow,
  type StoredAccess,
  type Taxation,
  type Totals,
} from '#src/areas/shop/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { recordFacts } from '#src/db/audit.ts'
import { putJob } from '#src/db/jobs.ts'
import { lockMember } from '#src/identity/index.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { fold, foldEmail } from '#src/kit/text.ts'
import { isRunning } from '../rules.ts'
import type { StoredPrice, SubscriptionRow } from '../subscription/conditions.ts'
import { listOpenOrders } from './queries.ts'

/** The order of a subscription that is to be paid: one line, as it was computed. */
type SubscriptionOrder = {
  readonly kind: 'renewal' | 'instalment' | 'plan_change'
  readonly priceId: string
  readonly price: StoredPrice
  readonly access: StoredAccess
  readonly line: LineAmounts
  readonly totals: Totals
  readonly taxation: Taxation
  readonly billing: BillingValues
  /** The parts of the discount: that of the code of the subscription, and that of its credit. */
  readonly codeOff: number
  readonly creditUsed: number
  /** The part of the credit that stood before, which the order holds until it is paid. */
  readonly held: number
  readonly period: { readonly from: Date; readonly until: Date }
  readonly expiresAt: Date
}

const buildDiscounts = ({ coupon_id, code_id, code }: SubscriptionRow, lineId: string, amount: number) =>
  coupon_id === null || code_id === null || code === null || amount === 0
    ? []
    : [{ line_id: lineId, code_id, coupon_id, code, position: 1, amount }]

/** Stores the order of a locked subscription, which waits for payment; returns it with the facts. The number is taken last. */
export const placeSubscriptionOrder = async (
  context: TransactionContext,
  row: SubscriptionRow,
  wanted: SubscriptionOrder,
): Promise<{ readonly order: OrderRow; readonly facts: readonly Fact[] }> => {
  const { db, school, now } = context
  const member = await lockMember(db, school.id, row.member_id)
  const { checkout } = await getSelling(db, school.id)
  const { taxation, totals, expiresAt, billing, codeOff, creditUsed, held, period } = wanted
  const id = newUuid(now.getTime())
  const lineId = newUuid(now.getTime())
  await insertOrder(
    db,
    school.id,
    {
      id,
      member_id: row.member_id,
      kind: wanted.kind,
      currency: wanted.price.currency,
      ...totals,
      tax_mode: taxation.mode,
      tax_country: taxation.country,
      reverse_charge: taxation.reverseCharge,
      billing: { ...billing, name: billing.name ?? member.name },
      client_id: null,
      page: null,
      campaign: null,
      terms: null,
      waiver: null,
      prefix: checkout.order_prefix,
      email: member.email,
      emailFolded: foldEmail(member.email),
      words: fold([member.name, member.email].join(' ')),
      subscription_id: row.id,
      expiresAt,
      now,
    },
    {
      lines: [
        {
          id: lineId,
          item_type: row.item_type,
          item_id: row.item_id,
          price_id: wanted.priceId,
          name: row.name,
          payment: wanted.price,
          access: wanted.access,
          tax_class: row.tax_class,
          quantity: 1,
          ...wanted.line,
          credit_amount: creditUsed,
          period_from: period.from,
          period_until: period.until,
        },
      ],
      discounts: buildDiscounts(row, lineId, codeOff),
    },
  )
  await putJob(db, school.id, { kind: EXPIRY_JOB, id, dueAt: expiresAt })
  const order = await findOrder(db, school.id, { ref: id })
  if (order === undefined) throw new Error('an order that was placed is there')
  const payload = {
    order_id: toId('ord', id),
    member_id: toId('mem', row.member_id),
    subscription_id: toId('sub', row.id),
  }
  const facts = await holdCredit(context, row, { orderId: id, amount: held })
  return { order, facts: [{ type: 'order.placed', payload }, ...facts] }
}

/**
 * Gives back the credit that an order of a locked subscription holds, once it has ended unpaid; returns the facts. After the end of
 * the subscription the same becomes of it as of the rest; an order that is canceled with the subscription comes before that.
 */
export const returnCredit = async (
  context: TransactionContext,
  row: SubscriptionRow,
  orderId: string,
  status?: OrderRow['status'],
): Promise<readonly Fact[]> => {
  const returned = await returnHeld(context, row, orderId)
  const isLate = status !== 'canceled' && !isRunning(row) && row.status !== 'incomplete'
  return returned.length === 0 || !isLate ? returned : [...returned, ...(await endCredit(context, row))]
}

/** Gives back the credit of an order that was paid when what it is for cannot be given any more, which has no facts. */
export const giveBack = async (
  context: TransactionContext,
  row: SubscriptionRow,
  { id }: OrderRow,
): Promise<readonly Fact[]> => {
  const { db, school, now } = context
  await recordFacts(db, { schoolId: school.id, now }, await returnCredit(context, row, id))
  return []
}

/** Cancels the orders of a subscription that nobody has paid yet; returns the facts. */
export const cancelSubscriptionOrders = async (
  context: TransactionContext,
  subscriptionId: string,
  reason: 'buyer' | 'staff' | Departure,
): Promise<readonly Fact[]> => {
  const { db, school } = context
  const facts: Fact[] = []
  for (const id of await listOpenOrders(db, school.id, subscriptionId)) {
    const order = await lockOrder(db, school.id, { ref: id })
    if (order !== undefined) facts.push(...(await cancelPending(context, order, reason)))
  }
  return facts
}
