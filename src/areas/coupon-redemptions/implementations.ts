import { encode } from '#src/contract/codec.ts'
import { type HookPlace, implement } from '#src/contract/hook.ts'
import { type PersonalData, personalData } from '#src/contract/personal-data.ts'
import { listStatement } from '#src/db/list.ts'
import { redemptionList } from './queries.ts'
import { CouponRedemption } from './schema.ts'
import { redemptionView } from './views.ts'

const personalRedemptions = async ({ db, school }: HookPlace, memberId: string): Promise<PersonalData[]> => {
  const rows = await db.all(listStatement(redemptionList(school.id, { memberId }), 'created_at'))
  return [{ name: 'coupon_redemptions', rows: rows.map(row => encode(CouponRedemption, redemptionView(row))) }]
}

/** What this area does when hooks of earlier areas are called. */
export const implementations = [implement(personalData, ({ memberId }, place) => personalRedemptions(place, memberId))]
