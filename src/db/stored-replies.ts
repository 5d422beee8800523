import type { Db, Statement } from '#src/contract/db.ts'
import { isAddress, spellings } from './addresses.ts'
import { sql } from './sql.ts'

/**
 * Deletes the stored responses of a member or about them, the requests in confirmations about them (which can
 * then no longer be approved), and the login hints of authorizations.
 */
export const scrubStoredReplies = async (
  db: Db,
  schoolId: string,
  member: { readonly id: string; readonly ref: string; readonly email: string },
): Promise<void> => {
  const mention = `%${member.ref}%`
  const mentions = (column: Statement): Statement => sql`exists (
    select from unnest(${spellings(member.email)}) as spelling where position(spelling in lower(${column})) > 0)`
  await Promise.all([
    db.run(sql`
      delete from idempotency_keys
      where school_id = ${schoolId} and (member_id = ${member.id} or body like ${mention}
        or ${mentions(sql`body`)})`),
    db.run(sql`
      update confirmations set asked = null, effects = null
      where school_id = ${schoolId} and asked is not null
        and (member_id = ${member.id} or asked::text like ${mention} or effects::text like ${mention}
          or ${mentions(sql`asked::text`)})`),
    db.run(sql`
      update authorization_requests set login_hint = null
      where school_id = ${schoolId} and (member_id = ${member.id} or ${isAddress(sql`login_hint`, member.email)})`),
  ])
}
