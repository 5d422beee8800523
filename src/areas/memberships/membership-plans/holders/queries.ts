import { entitledTo, type Source } from '#src/areas/learning/index.ts'
import type { Db } from '#src/contract/db.ts'
import type { List } from '#src/db/list.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import { buildHolders } from './conditions.ts'

/** A member who holds a plan. */
export type HolderRow = {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly since: Date
  readonly until: Date | null
  /** Where their first entitlement comes from. */
  readonly source: Source
}

/** Which holders of a plan are meant; what is undefined does not matter. */
type HolderFilter = {
  readonly planId: string
  readonly memberId?: string | undefined
  readonly source?: Source | undefined
}

/** The holders of a plan by the ids of the members. */
export const holderList = (schoolId: string, filter: HolderFilter): List<HolderRow> => ({
  columns: sql`h.id, h.name, h.email, h.since, h."until", h.source`,
  from: sql`(${buildHolders(schoolId, filter.planId)}) as h`,
  where: joinConditions(
    sql`true`,
    when(filter.memberId, id => sql`h.id = ${id}`),
    when(filter.source, source => sql`h.source = ${source}`),
  ),
  id: sql`h.id`,
  hasClock: true,
})

/** How many members hold each of some plans now. */
export const countPlanHolders = async (
  db: Db,
  schoolId: string,
  planIds: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const rows = await db.all(sql<{ id: string; count: number }>`
    with clock as materialized (select stoa.now() as now)
    select e.item_id as id, count(distinct e.member_id)::integer as count
    from entitlements e
    where e.school_id = ${schoolId} and e.item_type = 'membership_plan' and e.item_id = any (${planIds}::uuid[])
      and e.revoked_at is null and e.starts_at <= (select now from clock)
      and coalesce(e.ends_at, 'infinity') > (select now from clock)
      and not exists (
        select from members m
        where m.school_id = ${schoolId} and m.id = e.member_id and m.status in ('deleted', 'suspended'))
    group by e.item_id`)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** Those of some plans to which a member is entitled now. */
export const listHeldPlans = async (
  db: Db,
  schoolId: string,
  memberId: string,
  planIds: readonly string[],
): Promise<readonly string[]> => {
  const named = { type: 'membership_plan', ids: sql`array[p.id]` } as const
  const rows = await db.all(sql<{ id: string }>`
    with clock as materialized (select stoa.now() as now)
    select p.id from unnest(${planIds}::uuid[]) as p (id) where ${entitledTo(schoolId, memberId, named)}`)
  return rows.map(({ id }) => id)
}
