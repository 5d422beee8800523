import type { Database, Db, Statement } from '#src/contract/db.ts'
import { setDemoMinutes } from './queries.ts'

/** The minutes of a day. */
export const DAY = 24 * 60

/** How many minutes ago the courses and plans of the demo for people were made: before the first of its learners came. */
export const MADE = 92 * DAY

const MINUTE_MS = 60_000

// The same text for every distance, so that a statement is planned once.
const THEN = "((select stoa.now()) - make_interval(mins => current_setting('stoa.demo_minutes')::integer))"

const withClock = (db: Db): Db => {
  const moved = <Row>(statement: Statement<Row>): Statement<Row> => ({
    ...statement,
    text: statement.text.replaceAll(/stoa\.now\(\)/g, THEN),
  })
  return {
    all: statement => db.all(moved(statement)),
    first: statement => db.first(moved(statement)),
    one: statement => db.one(moved(statement)),
    run: statement => db.run(moved(statement)),
  }
}

/**
 * A transaction with the clock of the demo: for its statements and its `now` it is so many minutes ago, so that operations of the
 * product make a past. One is used at a time; triggers keep the time of the database.
 */
export const backdate = async <Context extends { readonly db: Db; readonly now: Date }>(
  context: Context,
  minutes: number,
): Promise<Context> => {
  await setDemoMinutes(context.db, minutes)
  return { ...context, db: withClock(context.db), now: new Date(context.now.getTime() - minutes * MINUTE_MS) }
}

/** The database with the same clock. */
export const openEarlier = (database: Database, minutes: number): Database => {
  const transaction: Database['transaction'] = (schoolId, run) =>
    database.transaction(schoolId, async (db, now) => {
      const then = await backdate({ db, now }, minutes)
      return run(then.db, then.now)
    })
  return { ...database, transaction, statements: (schoolId, run) => transaction(schoolId, run) }
}

/** The database as it is within a transaction: what opens one of its own takes part in this one, which is shorter than many. */
export const openWithin = (database: Database, { db, now }: { readonly db: Db; readonly now: Date }): Database => ({
  ...database,
  transaction: (_schoolId, run) => run(db, now),
  statements: (_schoolId, run) => run(db),
})
