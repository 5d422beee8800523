import { area } from '#src/contract/area.ts'
import { implementations } from './implementations.ts'
import { redemptionOperations } from './operations.ts'

export { CouponRedemptionPage } from './schema.ts'

/** The uses of coupons by orders, as staff list them and as a person gets them with their data. */
export const couponRedemptions = area({
  name: 'coupon-redemptions',
  operations: redemptionOperations,
  hooks: implementations,
})
