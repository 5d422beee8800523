import { currencyUses } from '#src/areas/school/index.ts'
import { encode } from '#src/contract/codec.ts'
import { implement } from '#src/contract/hook.ts'
import { memberMerge, personalData } from '#src/contract/personal-data.ts'
import { listStatement } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { countInOtherCurrency, listCouponsFor, moveCoupons } from './coupon/queries.ts'
import { moveRedemptions } from './redemptions/queries.ts'
import { redemptionList } from './uses/queries.ts'
import { CouponRedemption } from './uses/schema.ts'
import { redemptionView } from './uses/views.ts'

/**
 * What this area does when hooks of earlier areas are called. An erased member leaves nothing here that names them: their
 * redemptions stay, as those of nobody, since the uses of a coupon still count.
 */
export const implementations = [
  implement(currencyUses, async ({ currency }, { db, school }) => [
    { kind: 'coupon', count: await countInOtherCurrency(db, school.id, currency) },
  ]),
  implement(memberMerge, async ({ fromId, intoId }, { db, school }) => {
    await moveCoupons(db, school.id, fromId, intoId)
    await moveRedemptions(db, school.id, fromId, intoId)
  }),
  implement(personalData, async ({ memberId }, { db, school }) => {
    const coupons = await listCouponsFor(db, school.id, memberId)
    const redemptions = await db.all(listStatement(redemptionList(school.id, { memberId }), 'created_at'))
    return [
      { name: 'coupons', rows: coupons.map(({ id, name }) => ({ id: toId('cpn', id), name })) },
      { name: 'coupon_redemptions', rows: redemptions.map(row => encode(CouponRedemption, redemptionView(row))) },
    ]
  }),
]
