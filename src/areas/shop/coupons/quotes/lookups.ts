import type { SchoolContext } from '#src/contract/context.ts'
import { dayAt } from '#src/kit/local-time.ts'
import { computeSum } from '#src/kit/money.ts'
import { type CodeRow, listCodesNamed } from '../codes/queries.ts'
import { foldCode } from '../codes/rules.ts'
import { type CouponRow, listCouponsIn, lockCoupons, readSchool } from '../coupon/queries.ts'
import { hasBought } from '../hooks.ts'
import { countUses, listMemberTags, listOfOrder, type RedemptionRow } from '../redemptions/queries.ts'
import {
  afterDiscounts,
  type CodeLine,
  decideVerdict,
  inOrder,
  type LineDiscount,
  type Purchase,
  type Reason,
} from '../rules.ts'

/** A code that reduces a purchase, and what it takes off in minor units. */
export type AppliedCode = {
  readonly couponId: string
  readonly codeId: string
  readonly code: string
  readonly amount: number
  readonly lines: readonly LineDiscount[]
  /** How many days of trial it adds to the subscriptions among the lines. */
  readonly trialDays: number | null
}

/** A code that does not, as it was typed. */
type RefusedCode = { readonly code: string; readonly reason: Reason }

/** What codes are used for. */
type Request = {
  readonly codes: readonly string[]
  readonly lines: readonly CodeLine[]
  readonly currency: string
  readonly memberId: string | undefined
  readonly now: Date
  /** The order, if it is placed: what it holds does not count against it. */
  readonly orderId?: string | undefined
  /** Whether the coupons are locked until the transaction ends, for an order that holds them next. */
  readonly isLocking?: boolean
}

/** What codes do to a purchase: those that reduce it in the order in which they do, and the others. */
type Applied = { readonly applied: readonly AppliedCode[]; readonly refused: readonly RefusedCode[] }

type Candidate = { readonly typed: string; readonly code: CodeRow; readonly coupon: CouponRow }

// Each code once, however it is typed: as it was typed first, by its folded form.
const typedOnce = (codes: readonly string[]): ReadonlyMap<string, string> => {
  const typed = new Map<string, string>()
  for (const code of codes) if (!typed.has(foldCode(code))) typed.set(foldCode(code), code)
  return typed
}

// What an order holds does not count against it.
const withoutOwn = (coupon: CouponRow, own: readonly RedemptionRow[]): CouponRow => {
  const { held, taken, amount_held, amount_taken } = coupon
  const one = own.find(({ coupon_id: id }) => id === coupon.id)
  if (one?.status === 'held') return { ...coupon, held: held - 1, amount_held: amount_held - one.amount }
  if (one?.status === 'taken') return { ...coupon, taken: taken - 1, amount_taken: amount_taken - one.amount }
  return coupon
}

const readCandidates = async (
  { db, school }: SchoolContext,
  typed: ReadonlyMap<string, string>,
  { orderId, isLocking = false }: Request,
): Promise<Candidate[]> => {
  const named = () => listCodesNamed(db, school.id, [...typed.keys()])
  const found = await named()
  const ids = [...new Set(found.map(({ coupon_id: id }) => id))]
  if (isLocking) await lockCoupons(db, school.id, ids)
  const coupons = await listCouponsIn(db, school.id, ids)
  const own = orderId === undefined ? [] : await listOfOrder(db, school.id, orderId)
  // A code may have been stopped before its coupon was locked.
  const codes = isLocking ? await named() : found
  return codes.flatMap(code => {
    const coupon = coupons.find(({ id }) => id === code.coupon_id)
    const text = typed.get(code.code_folded)
    return coupon === undefined || text === undefined ? [] : [{ typed: text, code, coupon: withoutOwn(coupon, own) }]
  })
}

type History = { readonly member: Purchase['member']; of(couponId: string): Purchase['history'] }

const readHistory = async (
  context: SchoolContext,
  candidates: readonly Candidate[],
  { memberId, orderId }: Request,
): Promise<History> => {
  if (memberId === undefined) return { member: undefined, of: () => ({ timesUsed: 0, hasBought: false }) }
  const { db, school } = context
  const couponIds = candidates.map(({ coupon }) => coupon.id)
  const uses = await countUses(db, school.id, { memberId, couponIds, exceptOrderId: orderId })
  const mayMatter = candidates.some(({ coupon }) => coupon.first_purchase_only)
  const answers = mayMatter ? await hasBought.call({ memberId }, context) : []
  const tags = await listMemberTags(db, school.id, memberId)
  return {
    member: { id: memberId, tags },
    of: couponId => ({ timesUsed: uses.get(couponId) ?? 0, hasBought: answers.includes(true) }),
  }
}

const inTurn = (
  candidates: readonly Candidate[],
  { lines, currency }: Request,
  { member, of }: History,
  today: string,
): { applied: AppliedCode[]; refused: Map<string, RefusedCode> } => {
  const applied: AppliedCode[] = []
  const refused = new Map<string, RefusedCode>()
  const before: CouponRow[] = []
  let items = lines
  for (const { typed, code, coupon } of candidates.toSorted((a, b) => inOrder(a.coupon, b.coupon))) {
    const verdict = decideVerdict(coupon, code, { items, currency, member, history: of(coupon.id), before, today })
    if (!verdict.ok) {
      refused.set(code.code_folded, { code: typed, reason: verdict.reason })
      continue
    }
    const amount = computeSum(verdict.lines.map(({ discount }) => discount))
    const shown = { couponId: coupon.id, codeId: code.id, code: code.code, trialDays: coupon.trial_days }
    applied.push({ ...shown, amount, lines: verdict.lines })
    before.push(coupon)
    items = afterDiscounts(items, verdict.lines)
  }
  return { applied, refused }
}

/**
 * What codes do to a purchase: percentages before fixed amounts, then in the order of the ids of their coupons, each on what
 * the earlier ones left. Writes nothing. Amounts are those that the caller read from the database, never those of a buyer.
 */
export const applyCodes = async (context: SchoolContext, request: Request): Promise<Applied> => {
  const typed = typedOnce(request.codes)
  if (typed.size === 0) return { applied: [], refused: [] }
  const candidates = await readCandidates(context, typed, request)
  const history = await readHistory(context, candidates, request)
  const { time_zone: zone } = await readSchool(context.db, context.school.id)
  const { applied, refused } = inTurn(candidates, request, history, dayAt(request.now, zone))
  const known = new Set(candidates.map(({ code }) => code.code_folded))
  return {
    applied,
    // In the order in which they were typed.
    refused: [...typed].flatMap(([folded, code]) =>
      known.has(folded) ? (refused.get(folded) ?? []) : { code, reason: 'unknown_code' as const },
    ),
  }
}
