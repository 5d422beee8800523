import type { Static } from 'typebox'
import type { SchoolContext } from '#src/contract/context.ts'
import { percentText } from '#src/kit/money.ts'
import { picked } from '#src/kit/patch.ts'
import { listFirstCodes } from '../codes/queries.ts'
import { codeView } from '../codes/views.ts'
import { computeStatus } from '../rules.ts'
import type { CouponRow } from './queries.ts'
import { itemId } from './rules.ts'
import { type Coupon, CouponSettings, SHOWN_CODES } from './schema.ts'

const settings = Object.keys(CouponSettings.properties) as (keyof typeof CouponSettings.properties)[]

const renderCreator = ({ created_by: id, created_by_name: name }: CouponRow): Static<typeof Coupon>['created_by'] =>
  id === null ? null : { id, name: name ?? '' }

/** Some coupons as the staff see them on a day in the school's time zone, in their order. */
export const couponViews = async (
  { db, school }: SchoolContext,
  rows: readonly CouponRow[],
  today: string,
): Promise<Static<typeof Coupon>[]> => {
  const codes = await listFirstCodes(db, school.id, { couponIds: rows.map(({ id }) => id), most: SHOWN_CODES })
  return rows.map(row => ({
    id: row.id,
    ...picked(row, settings),
    percent_off: row.percent_off === null ? null : percentText(row.percent_off),
    items: row.items.map(item => ({ type: item.type, id: itemId(item) })),
    status: computeStatus(row, today),
    times_redeemed: row.taken,
    times_held: row.held,
    amount_total: row.amount_taken,
    codes: codes.filter(code => code.coupon_id === row.id).map(codeView),
    code_count: row.code_count,
    created_by: renderCreator(row),
    archived_at: row.archived_at,
    revision: row.revision,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }))
}

/** A coupon as the staff see it. */
export const couponView = async (
  context: SchoolContext,
  row: CouponRow,
  today: string,
): Promise<Static<typeof Coupon>> => {
  const [view] = await couponViews(context, [row], today)
  if (view === undefined) throw new Error('a coupon has a view')
  return view
}
