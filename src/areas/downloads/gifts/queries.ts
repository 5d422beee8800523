import type { Access } from '#src/areas/access/index.ts'
import type { List } from '#src/db/list.ts'
import { sql } from '#src/db/sql.ts'
import { allOf, when } from '#src/db/where.ts'
import { hasAccessIn, isReached } from './conditions.ts'

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
  where: allOf(
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

/** The members whose access to a product is in a state. */
export const holderList = (schoolId: string, productId: string, state: Access['state']): List<HolderRow> => ({
  columns: sql`m.id, m.name`,
  from: sql`members m`,
  where: isReached(schoolId, productId),
  id: sql`m.id`,
  hasClock: true,
  checked: { table: sql`members`, alias: sql`m`, condition: hasAccessIn(schoolId, productId, state) },
})
