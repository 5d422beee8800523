import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** Replaces the trusted-device token of a browser for all its members, and trusts it for this member for a year. */
export const storeTrustedDevice = async (
  db: Db,
  schoolId: string,
  memberId: string,
  { oldHash, newHash }: { readonly oldHash: Buffer | undefined; readonly newHash: Buffer },
): Promise<void> => {
  await db.run(sql`
    update known_browsers set secret_hash = ${newHash} where school_id = ${schoolId} and secret_hash = ${oldHash}`)
  await db.run(sql`
    with clock as materialized (select stoa.now() as now), swept as (
      delete from known_browsers
      where school_id = ${schoolId} and member_id = ${memberId} and expires_at <= (select now from clock)
        and secret_hash <> ${newHash}
    )
    insert into known_browsers (school_id, member_id, secret_hash, created_at, expires_at)
    select ${schoolId}, ${memberId}, ${newHash}, now, now + interval '1 year' from clock
    on conflict (school_id, member_id, secret_hash) do update set expires_at = excluded.expires_at`)
}

/** Deletes the trusted devices of a member. */
export const deleteTrustedDevices = (db: Db, schoolId: string, memberId: string) =>
  db.run(sql`delete from known_browsers where school_id = ${schoolId} and member_id = ${memberId}`)
