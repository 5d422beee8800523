import { encode } from '#src/contract/codec.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import type { PersonalData } from '#src/contract/personal-data.ts'
import { listStatement } from '#src/db/list.ts'
import { redemptionList } from './queries.ts'
import { CouponRedemption } from './schema.ts'
import { redemptionView } from './views.ts'

/** The uses of coupons by a person, as in the export of their data. */
export const personalRedemptions = async ({ db, school }: SchoolContext, memberId: string): Promise<PersonalData[]> => {
  const rows = await db.all(listStatement(redemptionList(school.id, { memberId }), 'created_at'))
  return [{ name: 'coupon_redemptions', rows: rows.map(row => encode(CouponRedemption, redemptionView(row))) }]
}
