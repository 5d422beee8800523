import { area } from '#src/contract/area.ts'
import { codeOperations } from './codes/operations.ts'
import { couponOperations } from './coupon/operations.ts'
import { implementations } from './implementations.ts'
import { quoteOperations } from './quotes/operations.ts'
import { redemptionOperations } from './uses/operations.ts'

export { countCodeTry, refundCodeTry } from './codes/tries.writes.ts'
export { addCodes } from './codes/writes.ts'
export { Coupon, type CouponInput, CouponPage, couponStatuses } from './coupon/schema.ts'
export { addCoupon, type NewCoupon } from './coupon/writes.ts'
export { hasBought } from './hooks.ts'
export { offPeriod, type PeriodTerms, readPeriodTerms } from './lookups.ts'
export { type AppliedCode, applyCodes } from './quotes/lookups.ts'
export { CouponQuote, reasons as quoteReasons } from './quotes/schema.ts'
export { holdRedemptions, returnRedemptions, takeRedemptions } from './redemptions/writes.ts'
export type { CodeLine } from './rules.ts'
export { CouponRedemptionPage } from './uses/schema.ts'

/** Coupons and their codes, what they do to a purchase, and how often they are used. */
export const coupons = area({
  name: 'coupons',
  operations: [...couponOperations, ...quoteOperations, ...codeOperations, ...redemptionOperations],
  hooks: implementations,
})
