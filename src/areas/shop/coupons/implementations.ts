import { currencyUses } from '#src/areas/school/index.ts'
import { implement } from '#src/contract/hook.ts'
import { memberMerge, personalData } from '#src/contract/personal-data.ts'
import { toId } from '#src/kit/ids.ts'
import { countInOtherCurrency, listCouponsFor, moveCoupons } from './coupon/queries.ts'
import { moveRedemptions } from './redemptions/queries.ts'
import { personalRedemptions } from './uses/lookups.ts'

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
    const rows = await listCouponsFor(db, school.id, memberId)
    const coupons = { name: 'coupons', rows: rows.map(({ id, name }) => ({ id: toId('cpn', id), name })) }
    return [coupons, ...(await personalRedemptions({ db, school }, memberId))]
  }),
]
