import type { Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/**
 * The members who hold a plan now, each once, with since when, until when and by what: those with an active entitlement that
 * names it, without those who are suspended or were removed. In a statement with the `clock`.
 */
export const buildHolders = (schoolId: string, planId: string): Statement => sql`
  select m.id, m.name, m.email, held.since, held."until", held.source
  from (
    select e.member_id, min(e.starts_at) as since,
      nullif(max(coalesce(e.ends_at, 'infinity')), 'infinity') as "until",
      (array_agg(e.source order by e.starts_at, e.id))[1] as source
    from entitlements e
    where e.school_id = ${schoolId} and e.item_type = 'membership_plan' and e.item_id = ${planId} and e.revoked_at is null
      and e.starts_at <= (select now from clock) and coalesce(e.ends_at, 'infinity') > (select now from clock)
    group by e.member_id) as held
  join members m on m.school_id = ${schoolId} and m.id = held.member_id and m.status not in ('deleted', 'suspended')`
