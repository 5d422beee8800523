import { memberMerge } from '#src/areas/members/index.ts'
import { currencyUses } from '#src/areas/school/index.ts'
import { encode } from '#src/contract/codec.ts'
import { type HookPlace, implement } from '#src/contract/hook.ts'
import { type PersonalData, personalData } from '#src/contract/personal-data.ts'
import { listStatement } from '#src/db/list.ts'
import { countInOtherCurrency, moveCoupons } from './coupon/queries.ts'
import { moveRedemptions, redemptionList } from './redemptions/queries.ts'
import { CouponRedemption } from './redemptions/schema.ts'
import { redemptionView } from './redemptions/views.ts'

const personalRedemptions = async ({ db, school }: HookPlace, memberId: string): Promise<PersonalData[]> => {
  const rows = await db.all(listStatement(redemptionList(school.id, { memberId }), 'created_at'))
  return [{ name: 'coupon_redemptions', rows: rows.map(row => encode(CouponRedemption, redemptionView(row))) }]
}

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
  implement(personalData, ({ memberId }, place) => personalRedemptions(place, memberId)),
]
