import type { Sweep } from '#src/contract/sweep.ts'
import { sql } from '#src/db/sql.ts'

// All that a statement may take was there, so that there may be more.
const more = (taken: number, most: number): string | undefined => (taken === most ? 'more' : undefined)

const sweepSessions: Sweep = async (db, schoolId, { most }) =>
  more(
    await db.run(sql`
      delete from sessions where school_id = ${schoolId} and id in (
        select id from sessions
        where school_id = ${schoolId} and least(expires_at, ended_at) < stoa.now() - interval '30 days'
        order by least(expires_at, ended_at) limit ${most} for update skip locked)`),
    most,
  )

const sweepBrowsers: Sweep = async (db, schoolId, { most }) =>
  more(
    await db.run(sql`
      delete from known_browsers where school_id = ${schoolId} and (member_id, secret_hash) in (
        select member_id, secret_hash from known_browsers
        where school_id = ${schoolId} and expires_at <= stoa.now()
        order by expires_at limit ${most} for update skip locked)`),
    most,
  )

const sweepCodes: Sweep = async (db, schoolId, { most }) =>
  more(
    await db.run(sql`
      delete from address_codes where school_id = ${schoolId} and (bound_to, purpose) in (
        select bound_to, purpose from address_codes
        where school_id = ${schoolId} and expires_at < stoa.now() - interval '1 day'
        order by expires_at limit ${most} for update skip locked)`),
    most,
  )

const sweepMails: Sweep = async (db, schoolId, { most }) =>
  more(
    await db.run(sql`
      delete from mails where school_id = ${schoolId} and id in (
        select id from mails where school_id = ${schoolId} and sent_at < stoa.now() - interval '30 days'
        order by sent_at limit ${most} for update skip locked)`),
    most,
  )

/** Everything identity sweeps: sessions and mails after a month, browsers and codes that ended. */
export const identitySweeps: readonly Sweep[] = [sweepSessions, sweepBrowsers, sweepCodes, sweepMails]
