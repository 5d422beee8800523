import { type Cells, declareFor } from '#src/contract/operation.ts'
import { listStatement, readList } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { amountCell } from '#src/kit/money.ts'
import { getNamedCoupon } from '../coupon/access.ts'
import { CouponRef } from '../coupon/schema.ts'
import { type RedemptionRow, redemptionList } from './queries.ts'
import { CouponRedemptionPage, RedemptionsQuery } from './schema.ts'
import { redemptionView } from './views.ts'

const CELLS: Cells<RedemptionRow> = {
  id: row => row.id,
  coupon_id: row => row.coupon_id,
  code: row => row.code,
  order_id: row => row.order_id,
  member_id: row => toId('mem', row.member_id),
  member_name: row => row.member_name,
  status: row => row.status,
  amount: row => amountCell(row.amount, row.currency),
  currency: row => row.currency,
  held_at: row => row.held_at,
  taken_at: row => row.taken_at,
  returned_at: row => row.returned_at,
}

const listCouponRedemptions = declareFor('staff', 'coupons', {
  id: 'listCouponRedemptions',
  route: 'GET /coupons/:coupon_id/redemptions',
  summary: "List a coupon's redemptions",
  description:
    'Lists the uses of a coupon by orders, newest first: held by an unpaid order, taken by a paid one, or returned.',
  params: CouponRef,
  query: RedemptionsQuery,
  returns: CouponRedemptionPage,
  csv: {
    cells: CELLS,
    statement: async context => {
      const { school, params, query } = context
      const { id } = await getNamedCoupon(context, params.coupon_id)
      return listStatement(redemptionList(school.id, { ...readFilter(query), couponId: id }))
    },
  },
  example: { params: { coupon_id: 'code:FIRSTBATCH' } },
  async handle(context) {
    const { school, params, query } = context
    const { id } = await getNamedCoupon(context, params.coupon_id)
    const list = redemptionList(school.id, { ...readFilter(query), couponId: id })
    return readList(context, list, rows => rows.map(redemptionView))
  },
})

type Query = Readonly<Partial<Record<'code_id' | 'member_id', string>>> & { readonly status?: RedemptionRow['status'] }

const readFilter = ({ status, code_id: codeId, member_id: memberId }: Query) => ({ status, codeId, memberId })

/** The operations of redemptions. */
export const redemptionOperations = [listCouponRedemptions]
