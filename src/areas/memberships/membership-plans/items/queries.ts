import { type BundleItemRow, membersWithAccess } from '#src/areas/learning/index.ts'
import type { Db } from '#src/contract/db.ts'
import type { Item } from '#src/contract/items.ts'
import { sql } from '#src/db/sql.ts'
import { buildHolders } from '../holders/conditions.ts'

type ItemOfPlan = Pick<BundleItemRow, 'id' | 'item_type' | 'item_id'> & {
  readonly plan_id: string
  readonly item_count: number
}

/** The first items that are open in each of some plans, and how many there are. */
export const listFirstItems = (db: Db, schoolId: string, planIds: readonly string[], most: number) =>
  db.all(sql<ItemOfPlan>`
    select * from (
      select b.id, b.bundle_id as plan_id, b.item_type, b.item_id,
        count(*) over (partition by b.bundle_id)::integer as item_count,
        row_number() over (partition by b.bundle_id order by b.id) as place
      from bundle_items b
      where b.school_id = ${schoolId} and b.bundle_type = 'membership_plan' and b.bundle_id = any (${planIds}::uuid[])
        and b.closed_at is null) as listed
    where place <= ${most} order by plan_id, place`)

/** How many members hold a plan, and how many of them have access to an item now. */
export const countReached = (
  db: Db,
  schoolId: string,
  planId: string,
  item: Item,
): Promise<{ holders: number; reached: number }> =>
  db.one(sql<{ holders: number; reached: number }>`
    with clock as materialized (select stoa.now() as now),
      holders as materialized (select h.id from (${buildHolders(schoolId, planId)}) as h),
      reached as materialized (${membersWithAccess(schoolId, item)})
    select (select count(*)::integer from holders) as holders,
      -- A set operation, since nested loops over thousands of holders take too long.
      (select count(*)::integer from (
        select id from holders intersect select member_id from reached) as both_of) as reached`)
