import { accessIs, accessState, type Item } from '#src/areas/access/index.ts'
import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** Evaluates each access condition for a member and an item now: state, permission, and the states that match. */
export const statesOf = (db: Db, schoolId: string, memberId: string, item: Item) => {
  const member = sql`${memberId}::uuid`
  const thing = { type: item.type, id: sql`${item.id}::uuid` }
  const is = (state: Parameters<typeof accessIs>[0]) => accessIs(state, schoolId, member, thing)
  return db.one(sql<{ state: string; may: boolean; matching: string[] }>`
    with clock as materialized (select stoa.now() as now)
    select ${accessState(schoolId, member, thing)} as state,
      ${is('active')} as may,
      array_remove(array[
        case when ${is('active')} then 'active' end, case when ${is('held')} then 'held' end,
        case when ${is('upcoming')} then 'upcoming' end, case when ${is('ended')} then 'ended' end,
        case when ${is('none')} then 'none' end], null) as matching`)
}
