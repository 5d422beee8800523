import type { OfferedItem } from '#src/contract/offer.ts'
import type { PriceValues } from '#src/contract/price.ts'
import { allocate, computePercent, computeSum } from '#src/kit/money.ts'
import type { CodeRow } from './codes/queries.ts'
import type { CouponRow } from './coupon/queries.ts'
import type { couponStatuses } from './coupon/schema.ts'
import type { reasons } from './quotes/schema.ts'

/** The status of a coupon. */
type Status = (typeof couponStatuses)[number]

/** Why a code does not reduce a purchase. */
export type Reason = (typeof reasons)[number]

const hasUsesLeft = ({ held, taken, max_redemptions: most }: CouponRow): boolean => most === null || held + taken < most

const amountLeft = ({ amount_held: held, amount_taken: taken, max_amount: most }: CouponRow): number =>
  most === null ? Number.POSITIVE_INFINITY : most - held - taken

// The first that holds is the status; without one the coupon is active.
const STATUSES: readonly (readonly [status: Status, holds: (coupon: CouponRow, today: string) => boolean])[] = [
  ['archived', ({ archived_at: at }) => at !== null],
  ['off', ({ active }) => !active],
  ['scheduled', ({ starts_on: first }, today) => first !== null && today < first],
  ['over', ({ ends_on: last }, today) => last !== null && today > last],
  ['used_up', coupon => !hasUsesLeft(coupon) || amountLeft(coupon) <= 0],
]

/** The status of a coupon on a day in the school's time zone. */
export const computeStatus = (coupon: CouponRow, today: string): Status =>
  STATUSES.find(([, holds]) => holds(coupon, today))?.[0] ?? 'active'

/** A line of a purchase: what it is about, and what is left of its amount, in minor units, after earlier codes. */
export type CodeLine = {
  readonly lineId: string
  readonly item: OfferedItem
  readonly priceId: string
  readonly payment: PriceValues
  readonly amount: number
}

/** How much a code takes off a line, in minor units. */
export type LineDiscount = { readonly lineId: string; readonly discount: number }

/** What a code is used for, when, and by whom. */
export type Purchase = {
  readonly items: readonly CodeLine[]
  readonly currency: string
  /** Undefined for somebody who is not signed in, whose history is empty. */
  readonly member: { readonly id: string; readonly tags: readonly string[] } | undefined
  /** How often the member uses the coupon in other orders, and whether they have bought anything. */
  readonly history: { readonly timesUsed: number; readonly hasBought: boolean }
  /** The coupons that the purchase already has. */
  readonly before: readonly Pick<CouponRow, 'id' | 'stackable'>[]
  /** The day of the purchase in the school's time zone. */
  readonly today: string
}

/** What a code does to a purchase. */
type Verdict =
  | { readonly ok: true; readonly lines: readonly LineDiscount[] }
  | { readonly ok: false; readonly reason: Reason }

/** The maximum number of codes in one purchase. */
const MAX_CODES = 3

const appliesTo = ({ applies_to, items, item_types }: CouponRow, { type, id }: OfferedItem): boolean => {
  if (applies_to === 'items') return items.some(item => item.type === type && item.id === id)
  return applies_to === 'all' || item_types.includes(type)
}

const isRecurring = ({ payment_type: type }: PriceValues): boolean => type === 'subscription' || type === 'payment_plan'

// Only a subscription has a trial.
const isPaidFor = ({ kind, payment_types: types }: CouponRow, payment: PriceValues): boolean => {
  if (kind === 'free_trial') return payment.payment_type === 'subscription'
  return types === 'any' || (types === 'recurring') === isRecurring(payment)
}

const isFor = ({ member_ids: ids, tags }: CouponRow, member: Purchase['member']): boolean => {
  if (ids.length === 0 && tags.length === 0) return true
  return member !== undefined && (ids.includes(member.id) || member.tags.some(tag => tags.includes(tag)))
}

// A coupon is used once in a purchase, alone unless it and all others are stackable.
const stacks = ({ id, stackable }: CouponRow, before: Purchase['before']): boolean =>
  before.every(other => stackable && other.stackable && other.id !== id) && before.length < MAX_CODES

const totalOff = ({ percent_off: percent, amount_off: amount }: CouponRow, sum: number): number => {
  if (percent !== null) return computePercent(sum, percent)
  return Math.min(amount ?? 0, sum)
}

type Case = {
  readonly coupon: CouponRow
  readonly code: Pick<CodeRow, 'stopped_at'>
  readonly purchase: Purchase
  readonly status: Status
  /** The lines that it applies to, and those of them that are paid in a way that it is for. */
  readonly named: readonly CodeLine[]
  readonly eligible: readonly CodeLine[]
  /** What is left of the amounts of the eligible lines, and what the code takes off. */
  readonly sum: number
  readonly off: number
}

const buildCase = (coupon: CouponRow, code: Case['code'], purchase: Purchase): Case => {
  const named = purchase.items.filter(({ item }) => appliesTo(coupon, item))
  const eligible = named.filter(({ payment }) => isPaidFor(coupon, payment))
  const sum = computeSum(eligible.map(({ amount }) => amount))
  const status = computeStatus(coupon, purchase.today)
  return { coupon, code, purchase, status, named, eligible, sum, off: totalOff(coupon, sum) }
}

const isTooLittle = ({ coupon: { kind, minimum_amount: minimum }, sum, off }: Case): boolean =>
  sum < (minimum ?? 0) || (kind !== 'free_trial' && off === 0)

// The first that holds is the reason: reasons about the coupon come before those about the person, and these before those about
// the lines.
const REFUSALS: readonly (readonly [reason: Reason, holds: (one: Case) => boolean])[] = [
  ['unknown_code', ({ status }) => status === 'archived'],
  ['off', ({ status, code }) => status === 'off' || code.stopped_at !== null],
  ['not_yet', ({ status }) => status === 'scheduled'],
  ['over', ({ status }) => status === 'over'],
  ['used_up', ({ status }) => status === 'used_up'],
  ['not_for_you', ({ coupon, purchase }) => !isFor(coupon, purchase.member)],
  ['used_by_you', ({ coupon, purchase }) => purchase.history.timesUsed >= (coupon.max_per_member ?? Infinity)],
  ['not_first_purchase', ({ coupon, purchase }) => coupon.first_purchase_only && purchase.history.hasBought],
  ['not_stackable', ({ coupon, purchase }) => !stacks(coupon, purchase.before)],
  ['currency', ({ coupon, purchase }) => coupon.currency !== null && coupon.currency !== purchase.currency],
  ['wrong_items', ({ named }) => named.length === 0],
  ['wrong_payment_type', ({ eligible }) => eligible.length === 0],
  ['below_minimum', isTooLittle],
  // A budget that does not cover the whole discount gives none: nobody pays more than the coupon says.
  ['used_up', ({ coupon, off }) => off > amountLeft(coupon)],
]

/**
 * What a code does to a purchase, or why it does nothing. Quotes, dry runs, checkouts and payments all call this function, so
 * that they give the same reasons. A code that the school does not have has no coupon.
 */
export const decideVerdict = (
  coupon: CouponRow | undefined,
  code: Case['code'] | undefined,
  purchase: Purchase,
): Verdict => {
  if (coupon === undefined || code === undefined) return { ok: false, reason: 'unknown_code' }
  const one = buildCase(coupon, code, purchase)
  const refusal = REFUSALS.find(([, holds]) => holds(one))
  if (refusal !== undefined) return { ok: false, reason: refusal[0] }
  const weights = one.eligible.map(({ amount }) => amount)
  const parts = allocate(one.off, weights)
  return { ok: true, lines: one.eligible.map(({ lineId }, index) => ({ lineId, discount: parts[index] ?? 0 })) }
}

/** The lines after a code took its discounts off. */
export const afterDiscounts = (items: readonly CodeLine[], lines: readonly LineDiscount[]): CodeLine[] => {
  const discounts = new Map(lines.map(({ lineId, discount }) => [lineId, discount]))
  return items.map(item => ({ ...item, amount: item.amount - (discounts.get(item.lineId) ?? 0) }))
}

const KIND_ORDER = ['percent', 'fixed', 'free_trial'] as const satisfies readonly CouponRow['kind'][]

/** The order in which coupons are applied: percentages before fixed amounts, then by their ids. */
export const inOrder = (one: Pick<CouponRow, 'id' | 'kind'>, other: Pick<CouponRow, 'id' | 'kind'>): number => {
  const kinds = KIND_ORDER.indexOf(one.kind) - KIND_ORDER.indexOf(other.kind)
  if (kinds !== 0) return kinds
  return one.id < other.id ? -1 : 1
}
