import { type Sweep, sweepRows } from '#src/contract/sweep.ts'
import { sql } from '#src/db/sql.ts'
import { sweepKept } from './kept-forms/queries.ts'

// As an array the rows are listed once, and in a query of its own the clock is read once, whatever the plan.

const sweepSessions = sweepRows((db, schoolId, most) =>
  db.run(sql`
    delete from sessions where school_id = ${schoolId} and ctid = any (array(
      select ctid from sessions
      where school_id = ${schoolId} and least(expires_at, ended_at) < (select stoa.now()) - interval '30 days'
      order by least(expires_at, ended_at) limit ${most} for update skip locked))`),
)

const sweepBrowsers = sweepRows((db, schoolId, most) =>
  db.run(sql`
    delete from known_browsers where school_id = ${schoolId} and ctid = any (array(
      select ctid from known_browsers
      where school_id = ${schoolId} and expires_at <= (select stoa.now())
      order by expires_at limit ${most} for update skip locked))`),
)

const sweepCodes = sweepRows((db, schoolId, most) =>
  db.run(sql`
    delete from address_codes where school_id = ${schoolId} and ctid = any (array(
      select ctid from address_codes
      where school_id = ${schoolId} and expires_at < (select stoa.now()) - interval '1 day'
      order by expires_at limit ${most} for update skip locked))`),
)

const sweepMails = sweepRows((db, schoolId, most) =>
  db.run(sql`
    delete from mails where school_id = ${schoolId} and ctid = any (array(
      select ctid from mails where school_id = ${schoolId} and sent_at < (select stoa.now()) - interval '30 days'
      order by sent_at limit ${most} for update skip locked))`),
)

const sweepParkedMails = sweepRows((db, schoolId, most) =>
  db.run(sql`
    delete from mails where school_id = ${schoolId} and ctid = any (array(
      select ctid from mails where school_id = ${schoolId} and parked_at < (select stoa.now()) - interval '30 days'
      order by parked_at limit ${most} for update skip locked))`),
)

// The login may not delete events; a function of the database does, and only those that are two years old.
const sweepEvents = sweepRows(
  async (db, schoolId, most) =>
    (await db.one(sql<{ count: number }>`select stoa.forget_events(${schoolId}, ${most}) as count`)).count,
)

/**
 * Everything identity sweeps: sessions and mails after a month, browsers, codes and kept forms that ended, events after two years.
 */
export const identitySweeps: readonly Sweep[] = [
  sweepSessions,
  sweepBrowsers,
  sweepKept,
  sweepCodes,
  sweepMails,
  sweepParkedMails,
  sweepEvents,
]
