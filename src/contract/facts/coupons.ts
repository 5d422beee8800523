import Type from 'typebox'
import { Id } from '#src/kit/shapes.ts'
import { Count, declareFacts, FieldNames, Ids } from './declaration.ts'

const scope = 'coupons:read'
const coupon = { coupon_id: Id('cpn') }
const aboutCoupon = { scope, subject: 'coupon_id', readBy: 'getCoupon' } as const

/** The facts about coupons and the uses of their codes. */
export const couponFacts = {
  ...declareFacts(
    { ...aboutCoupon, fields: coupon },
    {
      'coupon.archived': 'A coupon was archived.',
      'coupon.created': 'A coupon was created.',
      'coupon.unarchived': 'A coupon was restored from the archive.',
    },
  ),
  ...declareFacts({ scope, subject: 'coupon_id', fields: coupon }, { 'coupon.deleted': 'A coupon was deleted.' }),
  ...declareFacts(
    {
      ...aboutCoupon,
      fields: {
        ...coupon,
        fields: FieldNames,
        code_ids: Type.Optional(Ids(Id('cod'))),
        count: Type.Optional(Count),
      },
    },
    { 'coupon.updated': 'A coupon changed.' },
  ),
  ...declareFacts(
    { ...aboutCoupon, fields: { code_id: Id('cod'), ...coupon } },
    { 'coupon.code_stopped': 'A code of a coupon can no longer be used.' },
  ),
  ...declareFacts(
    {
      scope,
      subject: 'redemption_id',
      fields: { redemption_id: Id('red'), ...coupon, order_id: Id('ord'), member_id: Id('mem') },
    },
    {
      'redemption.held': 'An order holds a use of a coupon.',
      'redemption.returned': 'A use of a coupon was given back.',
      'redemption.taken': 'A paid order took a use of a coupon.',
    },
  ),
}
