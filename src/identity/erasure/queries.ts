import type { Db } from '#src/contract/db.ts'
import { isAddress, listSpellings } from '#src/db/addresses.ts'
import { sql } from '#src/db/sql.ts'

/**
 * Deletes the mails, codes and consents of members who never signed in, and have no credentials, sessions or devices. A mail that
 * waits is not sent.
 */
export const eraseInvitations = async (db: Db, schoolId: string, memberIds: readonly string[]): Promise<void> => {
  await Promise.all([
    db.run(sql`delete from mails where school_id = ${schoolId} and member_id = any (${memberIds}::uuid[])`),
    db.run(sql`delete from address_codes where school_id = ${schoolId} and member_id = any (${memberIds}::uuid[])`),
    db.run(
      sql`delete from marketing_consents where school_id = ${schoolId} and member_id = any (${memberIds}::uuid[])`,
    ),
  ])
}

/** Ends the invitations of members: deletes their codes, and the mails that wait. */
export const endInvitations = async (db: Db, schoolId: string, memberIds: readonly string[]): Promise<void> => {
  await Promise.all([
    db.run(sql`
      delete from mails where school_id = ${schoolId} and member_id = any (${memberIds}::uuid[]) and sent_at is null`),
    db.run(sql`delete from address_codes where school_id = ${schoolId} and member_id = any (${memberIds}::uuid[])`),
  ])
}

/**
 * Deletes a member's credentials, sessions, devices, kept forms and consents, and the content of their mails; returns the ids of the mails,
 * since each may be a file as well.
 */
export const eraseIdentity = async (
  db: Db,
  schoolId: string,
  member: { readonly id: string; readonly email: string },
): Promise<string[]> => {
  const { id, email } = member
  const [mails] = await Promise.all([
    db.all(sql<{ id: string }>`
      delete from mails where school_id = ${schoolId} and (member_id = ${id} or recipient = any (${listSpellings(email)}::text[])) returning id`),
    db.run(sql`delete from credentials where school_id = ${schoolId} and member_id = ${id}`),
    db.run(sql`delete from marketing_consents where school_id = ${schoolId} and member_id = ${id}`),
    db.run(sql`delete from known_browsers where school_id = ${schoolId} and member_id = ${id}`),
    db.run(sql`
      delete from address_codes where school_id = ${schoolId} and (member_id = ${id} or ${isAddress(sql`email`, email)})`),
    db.run(sql`delete from kept_forms where school_id = ${schoolId} and member_id = ${id}`),
    db.run(sql`delete from sessions where school_id = ${schoolId} and member_id = ${id}`),
    db.run(sql`
      update sessions set viewed_member_id = null, viewed_until = null
      where school_id = ${schoolId} and viewed_member_id = ${id}`),
  ])
  return mails.map(row => row.id)
}
