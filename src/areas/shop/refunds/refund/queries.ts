import type { RefundRow } from '#src/areas/shop/payments/index.ts'
import type { Db, Statement } from '#src/contract/db.ts'
import { createdBefore, createdFrom } from '#src/db/created.ts'
import type { List } from '#src/db/list.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'

/** A refund with the currency of its order. */
export type ListedRefund = RefundRow & { readonly currency: string; readonly number: string }

/** Which refunds a list has; what is undefined does not matter. */
export type RefundFilter = {
  readonly id?: string | undefined
  readonly orderId?: string | undefined
  readonly memberId?: string | undefined
  readonly state?: RefundRow['state'] | undefined
  readonly reason?: RefundRow['reason'] | undefined
  readonly createdFrom?: Date | undefined
  readonly createdBefore?: Date | undefined
}

const matching = (schoolId: string, filter: RefundFilter): Statement =>
  joinConditions(
    sql`r.school_id = ${schoolId}`,
    when(filter.id, id => sql`r.id = ${id}`),
    when(filter.orderId, id => sql`r.order_id = ${id}`),
    when(filter.memberId, id => sql`o.member_id = ${id}`),
    when(filter.state, state => sql`r.state = ${state}`),
    when(filter.reason, reason => sql`r.reason = ${reason}`),
    when(filter.createdFrom, at => createdFrom({ at: sql`r.created_at`, id: sql`r.id` }, at)),
    when(filter.createdBefore, at => createdBefore({ at: sql`r.created_at`, id: sql`r.id` }, at)),
  )

/** The refunds of a filter, the latest first. */
export const refundList = (schoolId: string, filter: RefundFilter): List<ListedRefund> => ({
  columns: sql`r.id, r.payment_id, r.order_id, r.amount::double precision as amount, r.reason, r.state, r.reference,
    r.called_at, r.failure_code, r.created_at, r.updated_at, r.settled_at, o.currency, o.number`,
  from: sql`refunds r join orders o on o.school_id = ${schoolId} and o.id = r.order_id`,
  where: matching(schoolId, filter),
  id: sql`r.id`,
  sort: '-created_at',
})

/** A refund by its id. */
export const findListedRefund = (db: Db, schoolId: string, id: string): Promise<ListedRefund | undefined> => {
  const { columns, from, where } = refundList(schoolId, { id })
  return db.first(sql<ListedRefund>`select ${columns} from ${from} where ${where}`)
}
