import { accessIs, accessState, entitledTo, type Item } from '#src/areas/learning/index.ts'
import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { sql } from '#src/db/sql.ts'
import type { TestApp } from './app.ts'
import { until } from './until.ts'

/** Evaluates each access condition for a member and an item now: state, permission, and the states that match. */
export const readStates = (db: Db, schoolId: string, memberId: string, item: Item) => {
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

/** Whether members are entitled to any plan, to one plan, and to a course with the id of the plan, by the SQL condition. */
export const readHolders = async (db: Db, schoolId: string, memberIds: readonly string[], planId: string) => {
  const rows = await db.all(sql<{ id: string; any: boolean; of_plan: boolean; of_course: boolean }>`
    with clock as materialized (select stoa.now() as now)
    select m.id, ${entitledTo(schoolId, sql`m.id`, { type: 'membership_plan' })} as any,
      ${entitledTo(schoolId, sql`m.id`, { type: 'membership_plan', ids: sql`p.ids` })} as of_plan,
      ${entitledTo(schoolId, sql`m.id`, { type: 'course', ids: sql`p.ids` })} as of_course
    from members m, (select array[${planId}::uuid] as ids) p
    where m.school_id = ${schoolId} and m.id = any (${memberIds}::uuid[])`)
  return new Map(rows.map(({ id, ...is }) => [id, is]))
}

/** The context of a write of a later area, in a transaction of the first school. */
type Writing = { readonly db: Db; readonly school: School; readonly now: Date }

/** Runs work in transactions of the first school, several at once, as a later area would. */
export const writingTo =
  (app: TestApp): (<T>(work: (where: Writing) => Promise<T>) => Promise<T>) =>
  work =>
    app.database.elsewhere().transaction(app.a.id, (db, now) => work({ db, now, school: app.a }))

/** The instant of the database's clock. */
export const readClock = async ({ database }: TestApp): Promise<Date> => {
  const [row] = await database.query<{ now: Date }>('select stoa.now() as now')
  if (row === undefined) throw new Error('the database has no clock')
  return row.now
}

/** Waits until a transaction of the application waits for a lock of another one. */
export const lockAwaited = ({ database }: TestApp): Promise<void> =>
  until(
    async () =>
      (
        await database.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
      ).length > 0,
    'a transaction that waits',
  )

/** Creates members who are entitled to a membership plan, in one statement; returns their ids. */
export const createHolders = async ({ database, a }: TestApp, planId: string, count: number): Promise<string[]> => {
  const rows = await database.query<{ member_id: string }>(
    `with people as (
       insert into members (school_id, id, email, email_folded, name, name_folded, status, created_at, updated_at)
       select $1::uuid, gen_random_uuid(), email, email, 'Holder', 'holder', 'active', t, t
       from (select gen_random_uuid() || '@holders.example' as email, stoa.now() as t
         from generate_series(1, $3::integer)) as m
       returning id, created_at
     )
     insert into entitlements (school_id, id, member_id, item_type, item_id, source, source_id, starts_at, created_at)
     select $1::uuid, gen_random_uuid(), id, 'membership_plan', $2::uuid, 'subscription', gen_random_uuid(), created_at,
       created_at
     from people returning member_id`,
    [a.id, planId, count],
  )
  return rows.map(({ member_id }) => member_id)
}
