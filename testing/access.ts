import { after } from 'node:test'
import { accessIs, accessState, type Item } from '#src/areas/access/index.ts'
import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { type OpenDatabase, openDatabase } from '#src/db/database.ts'
import { sql } from '#src/db/sql.ts'
import type { TestApp } from './app.ts'
import { until } from './until.ts'

/** What each of the conditions on access says of a member and a thing now: the state, whether they may use it, and which states match. */
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

/** What a later area has when it writes in a transaction of the first school. */
type Writing = { readonly db: Db; readonly school: School; readonly now: Date }

/** Runs work in transactions of the first school, several at once, as a later area would. */
export const writingTo = (app: TestApp): (<T>(work: (where: Writing) => Promise<T>) => Promise<T>) => {
  let database: OpenDatabase | undefined
  after(() => database?.close())
  return work => {
    database ??= openDatabase(app.database.appUrl, { wait: 10_000, max: 6 })
    return database.transaction(app.a.id, (db, now) => work({ db, now, school: app.a }))
  }
}

/** The instant of the database's clock. */
export const clockOf = async ({ database }: TestApp): Promise<Date> => {
  const [row] = await database.query<{ now: Date }>('select stoa.now() as now')
  if (row === undefined) throw new Error('the database has no clock')
  return row.now
}

/** Waits until a transaction of an application waits for a row or a key of another one. */
export const somebodyWaits = ({ database }: TestApp): Promise<void> =>
  until(
    async () =>
      (
        await database.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
      ).length > 0,
    'a transaction that waits',
  )
