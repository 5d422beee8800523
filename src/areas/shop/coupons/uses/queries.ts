import type { Statement } from '#src/contract/db.ts'
import type { List } from '#src/db/list.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import type { redemptionStatuses } from '../redemptions/rules.ts'

/** A stored redemption, with its code and the name of its member. */
export type RedemptionRow = {
  readonly id: string
  readonly coupon_id: string
  readonly code_id: string
  readonly code: string
  readonly order_id: string
  readonly member_id: string
  readonly member_name: string
  readonly status: (typeof redemptionStatuses)[number]
  /** In minor units. */
  readonly amount: number
  readonly currency: string
  readonly held_at: Date
  readonly taken_at: Date | null
  readonly returned_at: Date | null
  readonly changed_in: string
  readonly created_at: Date
  readonly updated_at: Date
}

const columnsIn = (
  schoolId: string,
): Statement => sql`r.id, r.coupon_id, r.code_id, r.order_id, r.member_id, r.status, r.amount::double precision as amount,
  r.currency, r.held_at, r.taken_at, r.returned_at, r.changed_in, r.created_at, r.updated_at,
  (select k.code from coupon_codes k where k.school_id = ${schoolId} and k.id = r.code_id) as code,
  (select m.name from members m where m.school_id = ${schoolId} and m.id = r.member_id) as member_name`

/** The filter of a list of redemptions; undefined fields do not filter. */
type RedemptionFilter = {
  readonly couponId?: string | undefined
  readonly codeId?: string | undefined
  readonly memberId?: string | undefined
  readonly status?: RedemptionRow['status'] | undefined
}

/** The redemptions of a filter, the newest first. */
export const redemptionList = (schoolId: string, filter: RedemptionFilter): List<RedemptionRow> => ({
  columns: columnsIn(schoolId),
  from: sql`coupon_redemptions r`,
  where: joinConditions(
    sql`r.school_id = ${schoolId}`,
    when(filter.couponId, id => sql`r.coupon_id = ${id}`),
    when(filter.codeId, id => sql`r.code_id = ${id}`),
    when(filter.memberId, id => sql`r.member_id = ${id}`),
    when(filter.status, word => sql`r.status = ${word}`),
  ),
  id: sql`r.id`,
  sort: '-created_at',
  changedIn: sql`r.changed_in`,
})
