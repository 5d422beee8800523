import Type from 'typebox'
import { AfterQuery, PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Closed, Id, Instant, Nullable, OneOf, Person } from '#src/kit/shapes.ts'
import { redemptionStatuses } from '../redemptions/rules.ts'

/** One use of a coupon by an order. */
export const CouponRedemption = Closed('CouponRedemption', {
  id: Id('red'),
  coupon_id: Id('cpn'),
  code_id: Id('cod'),
  code: Type.String({ description: 'The code that was used' }),
  order_id: Id('ord'),
  member: Person,
  status: OneOf(
    redemptionStatuses,
    'held: an unpaid order has it; taken: the order is paid; returned: it can be used again',
  ),
  amount: Type.Integer({ minimum: 0, description: 'What it takes off the order, in minor units' }),
  currency: Type.String({ description: 'ISO 4217' }),
  held_at: Instant,
  taken_at: Nullable(Instant),
  returned_at: Nullable(Instant),
  updated_at: Instant,
})

/** One page of redemptions. */
export const CouponRedemptionPage = PageOf(CouponRedemption, 'CouponRedemptionPage')

/** The query parameters of the list of redemptions. */
export const RedemptionsQuery = Type.Object({
  ...PageQuery,
  ...AfterQuery,
  status: Type.Optional(OneOf(redemptionStatuses, 'Only this status')),
  code_id: Type.Optional(Id('cod')),
  member_id: Type.Optional(Id('mem')),
})
