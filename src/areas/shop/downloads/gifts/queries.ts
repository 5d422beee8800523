import type { Access } from '#src/areas/learning/index.ts'
import type { Db } from '#src/contract/db.ts'
import type { List } from '#src/db/list.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import { hasAccessIn, isReached, isReachedOne, reachedBy } from './conditions.ts'

/** A gift as stored. */
export type GiftRow = {
  readonly id: string
  readonly product_id: string
  readonly member_id: string
  readonly member_name: string
  readonly status: 'active' | 'ended' | 'taken_back'
  readonly starts_at: Date
  readonly ends_at: Date | null
  readonly note: string | null
  readonly created_at: Date
}

/** Which gifts of a product are meant; what is undefined does not matter. */
type GiftFilter = {
  readonly productId: string
  readonly memberId?: string | undefined
  readonly id?: string | undefined
}

/** The gifts of a filter. */
export const giftList = (schoolId: string, filter: GiftFilter): List<GiftRow> => ({
  columns: sql`e.id, e.item_id as product_id, e.member_id, m.name as member_name, e.starts_at, e.ends_at, e.reason as note,
    e.created_at, case when e.revoked_at is not null then 'taken_back'
      when coalesce(e.ends_at, 'infinity') <= (select now from clock) then 'ended' else 'active' end as status`,
  from: sql`entitlements e join members m on m.school_id = e.school_id and m.id = e.member_id`,
  where: joinConditions(
    sql`e.school_id = ${schoolId} and e.item_type = 'digital_product' and e.item_id = ${filter.productId}
      and e.source = 'gift'`,
    when(filter.memberId, id => sql`e.member_id = ${id}`),
    when(filter.id, id => sql`e.id = ${id}`),
  ),
  id: sql`e.id`,
  hasClock: true,
})

/** A member with access to a product. */
export type HolderRow = { readonly id: string; readonly name: string }

// The ids of few are collected and sorted; many are found in the order of the list.
const FEW = 2000

/** Whether so many have or had access to a product that a page looks for them in the order of the list. */
export const hasManyHolders = async (db: Db, schoolId: string, productId: string): Promise<boolean> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from (${reachedBy(schoolId, productId)} limit ${FEW + 1}) as reached`)
  ).count > FEW

/** The members whose access to a product is in a state. */
export const holderList = (
  schoolId: string,
  productId: string,
  { state, isMany }: { readonly state: Access['state']; readonly isMany: boolean },
): List<HolderRow> => {
  const [reached, inState] = [isReached(schoolId, productId), hasAccessIn(schoolId, productId, state)]
  const member = sql`m.school_id = ${schoolId} and m.status <> 'deleted'`
  return {
    columns: sql`m.id, m.name`,
    from: sql`members m`,
    where: isMany ? member : sql`${member} and ${reached}`,
    id: sql`m.id`,
    hasClock: true,
    checked: {
      table: sql`members`,
      alias: sql`m`,
      condition: isMany ? sql`${isReachedOne(schoolId, productId)} and ${inState}` : inState,
    },
    counted: { where: sql`${member} and ${reached} and ${inState}` },
  }
}
