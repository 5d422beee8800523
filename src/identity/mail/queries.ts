import type { Db } from '#src/contract/db.ts'
import type { Look } from '#src/contract/look.ts'
import type { MailAttachment, MailChoice } from '#src/contract/mail.ts'
import { listSpellings } from '#src/db/addresses.ts'
import { insertJobsFrom } from '#src/db/jobs.ts'
import { sql } from '#src/db/sql.ts'
import { isWanted } from './choices.queries.ts'
import type { StoredValues } from './render.ts'

/** The kind of job that sends a mail. */
export const MAIL_JOB = 'mail'
/** The kind of job that sends a mail which a person may turn off: many of a school are due at once, and none is urgent. */
export const BULK_MAIL_JOB = 'bulk_mail'

/** A mail to record; with `shouldSend: false` the same statement stores no row. */
export type NewMail = {
  readonly id: string
  readonly kind: string
  /** The choice by which a person turns it off. */
  readonly mute: MailChoice | undefined
  readonly values: StoredValues
  readonly attachments: readonly MailAttachment[]
  readonly sealed: Buffer | undefined
  /** After this many seconds the mail is useless and is not sent. */
  readonly usefulSeconds: number | undefined
}

/** Records a mail to an address, with the job that sends it; `shouldSend` is evaluated within the statement. */
export const insertMail = (
  db: Db,
  schoolId: string,
  mail: NewMail & {
    readonly recipient: string
    readonly memberId: string | undefined
    readonly locale: string
    readonly shouldSend: boolean
    readonly isBulk?: boolean
  },
) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now), made as (
      insert into mails (school_id, id, member_id, kind, recipient, locale, "values", attachments, secrets_sealed, recorded_at, not_before, not_after)
      select ${schoolId}::uuid, ${mail.id}::uuid, ${mail.memberId}::uuid, ${mail.kind}, ${mail.recipient}, ${mail.locale},
        ${JSON.stringify(mail.values)}::jsonb, ${JSON.stringify(mail.attachments)}::jsonb, ${mail.sealed}::bytea, now, now, now + make_interval(secs => ${mail.usefulSeconds})
      from clock where ${mail.shouldSend}::boolean
      returning school_id, id, not_before as due_at
    )${insertJobsFrom(mail.isBulk === true ? BULK_MAIL_JOB : MAIL_JOB)}`)

/**
 * Records a mail to a member who was not deleted and wants it, in their language or else the school's; what they may turn off is
 * not sent while they are suspended.
 */
export const insertMailTo = (db: Db, schoolId: string, memberId: string, mail: NewMail) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now), made as (
      insert into mails (school_id, id, member_id, kind, recipient, locale, "values", attachments, secrets_sealed, recorded_at, not_before, not_after)
      select m.school_id, ${mail.id}::uuid, m.id, ${mail.kind}, m.email, coalesce(m.locale, s.locale),
        ${JSON.stringify(mail.values)}::jsonb, ${JSON.stringify(mail.attachments)}::jsonb, ${mail.sealed}::bytea, now, now, now + make_interval(secs => ${mail.usefulSeconds})
      from members m join schools s on s.id = m.school_id, clock
      where m.school_id = ${schoolId} and m.id = ${memberId} and m.status <> 'deleted'
        and ${mail.mute === undefined ? sql`true` : sql`m.status <> 'suspended' and ${isWanted(mail.mute)}`}
      returning school_id, id, not_before as due_at
    )${insertJobsFrom(mail.mute === undefined ? MAIL_JOB : BULK_MAIL_JOB)}`)

/** A mail that waits to be sent, with the values of its school. */
export type WaitingMail = {
  readonly id: string
  readonly kind: string
  readonly member_id: string | null
  readonly recipient: string
  readonly locale: string
  readonly values: StoredValues
  readonly attachments: readonly MailAttachment[]
  readonly secrets_sealed: Buffer | null
  readonly is_late: boolean
  readonly school_name: string
  readonly site_origin: string
  readonly contact_email: string | null
  readonly recorded_at: Date
  /** The zone of the member, or else of the school. */
  readonly time_zone: string
  /** Of the published appearance; null without one. */
  readonly look: Pick<Look, 'logo' | 'logoDark' | 'isWordmark' | 'email'> | null
}

/** The mail with this id while it is neither sent nor parked. */
export const findWaitingMail = (db: Db, schoolId: string, id: string) =>
  db.first(sql<WaitingMail>`
    select m.id, m.kind, m.member_id, m.recipient, m.locale, m."values", m.attachments, m.secrets_sealed,
      coalesce(m.not_after <= (select stoa.now()), false) as is_late, s.name as school_name, coalesce(s.site_origin, s.base_url) as site_origin, s.contact_email,
      s.look, m.recorded_at, coalesce(u.time_zone, s.time_zone) as time_zone
    from mails m join schools s on s.id = m.school_id
      left join members u on u.school_id = m.school_id and u.id = m.member_id
    where m.school_id = ${schoolId} and m.id = ${id} and m.sent_at is null and m.parked_at is null`)

/**
 * Marks a mail as sent, deletes its content, and deletes up to two mails that were sent a month ago. Where `keepsText`, it was
 * written to a file, and what is no secret stays for the outbox.
 */
export const markSent = (
  db: Db,
  schoolId: string,
  id: string,
  { attempt, keepsText }: { readonly attempt: number; readonly keepsText: boolean },
) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now), swept as (
      delete from mails where school_id = ${schoolId} and ctid = any (array(
        select ctid from mails where school_id = ${schoolId} and sent_at < (select now from clock) - interval '30 days'
        order by sent_at limit 2 for update skip locked))
    )
    update mails set sent_at = (select now from clock), attempts = ${attempt},
      "values" = case when ${keepsText}::boolean then "values" else '{}' end, keeps_text = ${keepsText},
      attachments = '[]', secrets_sealed = null, last_error = null
    where school_id = ${schoolId} and id = ${id}`)

/** Records that a mail server has accepted a test message of a school, and from which address. */
export const storeAcceptance = (db: Db, schoolId: string, from: string) =>
  db.run(sql`
    update schools set mail_accepted_at = (select stoa.now()), mail_accepted_from = ${from} where id = ${schoolId}`)

/** Records why a mail could not be sent; it waits for its next attempt. */
export const markFailed = (db: Db, schoolId: string, id: string, attempt: number, reason: string) =>
  db.run(sql`
    update mails set attempts = ${attempt}, last_error = ${reason} where school_id = ${schoolId} and id = ${id}`)

/** Parks a mail, which is not tried again; what is no secret stays for the outbox. */
export const markParked = (db: Db, schoolId: string, id: string, attempt: number, reason: string) =>
  db.run(sql`
    update mails set parked_at = (select stoa.now()), attempts = ${attempt}, last_error = ${reason}, keeps_text = true,
      attachments = '[]', secrets_sealed = null
    where school_id = ${schoolId} and id = ${id}`)

/** Deletes a mail that is not to be sent any more. */
export const dropMail = (db: Db, schoolId: string, id: string) =>
  db.run(sql`delete from mails where school_id = ${schoolId} and id = ${id}`)

/** How many mails of a school were parked within the last day, and why the last one was. */
export const parkedMails = (db: Db, schoolId: string): Promise<{ count: number; reason: string | null }> =>
  db.one(sql<{ count: number; reason: string | null }>`
    select count(*)::integer as count, (array_agg(last_error order by parked_at desc))[1] as reason
    from mails where school_id = ${schoolId} and parked_at > (select stoa.now()) - interval '1 day'`)

/** Deletes every waiting mail of a school, with the jobs that send them; returns their number. */
export const dropWaitingMails = async (db: Db, schoolId: string): Promise<number> => {
  await db.run(sql`delete from jobs where school_id = ${schoolId} and kind in (${MAIL_JOB}, ${BULK_MAIL_JOB})`)
  return db.run(sql`delete from mails where school_id = ${schoolId} and sent_at is null and parked_at is null`)
}

/** A mail to a member, without its content. */
type MailRecord = { readonly kind: string; readonly recipient: string; readonly recorded_at: Date }

/** The recorded mails to a member and to their address, the oldest first. */
export const listMailsTo = (db: Db, schoolId: string, memberId: string, address: string | undefined) =>
  db.all(sql<MailRecord>`
    select kind, recipient, recorded_at from mails
    where school_id = ${schoolId} and (member_id = ${memberId}
      or ${address === undefined ? sql`false` : sql`recipient = any (${listSpellings(address)}::text[])`})
    order by recorded_at, id`)
