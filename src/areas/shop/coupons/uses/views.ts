import type { Static } from 'typebox'
import type { RedemptionRow } from './queries.ts'
import type { CouponRedemption } from './schema.ts'

/** A redemption as the staff see it. */
export const redemptionView = (row: RedemptionRow): Static<typeof CouponRedemption> => ({
  id: row.id,
  coupon_id: row.coupon_id,
  code_id: row.code_id,
  code: row.code,
  order_id: row.order_id,
  member: { id: row.member_id, name: row.member_name },
  status: row.status,
  amount: row.amount,
  currency: row.currency,
  held_at: row.held_at,
  taken_at: row.taken_at,
  returned_at: row.returned_at,
  updated_at: row.updated_at,
})
