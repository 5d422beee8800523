import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** Somebody who gets a mail: their language and zone. */
export type Reader = { readonly id: string; readonly locale: string }

/** A member who gets mails. */
export const findReader = (db: Db, schoolId: string, memberId: string): Promise<Reader | undefined> =>
  db.first(sql<Reader>`
    select m.id, coalesce(m.locale, s.locale) as locale from members m join schools s on s.id = m.school_id
    where m.school_id = ${schoolId} and m.id = ${memberId} and m.status = 'active'`)

/** The confirmed seats of a member at an occurrence, with those that were confirmed together. */
export const listSeatsOf = (
  db: Db,
  schoolId: string,
  { memberId, occurrenceId }: { readonly memberId: string; readonly occurrenceId: string },
): Promise<
  { readonly id: string; readonly attendee_name: string; readonly code: string; readonly confirmed_at: Date }[]
> =>
  db.all(sql<{ id: string; attendee_name: string; code: string; confirmed_at: Date }>`
    select id, attendee_name, code, confirmed_at from registrations
    where school_id = ${schoolId} and member_id = ${memberId} and occurrence_id = ${occurrenceId}
      and status in ('confirmed', 'checked_in')
    order by id`)

/** What happened to several seats of a member at once. */
type Together = { readonly memberId: string; readonly occurrenceId: string }

/** The first seat of a member that is offered until an instant. */
export const findFirstOffered = async (
  db: Db,
  schoolId: string,
  { memberId, occurrenceId, until }: Together & { readonly until: Date },
): Promise<string | undefined> =>
  (
    await db.first(sql<{ id: string }>`
      select id from registrations
      where school_id = ${schoolId} and member_id = ${memberId} and occurrence_id = ${occurrenceId}
        and status = 'offered' and hold_until = ${until}
      order by id limit 1`)
  )?.id

/** The first seat of a member that ended with its occurrence, and whether one of these seats was confirmed. */
export const findFirstEnded = (
  db: Db,
  schoolId: string,
  { memberId, occurrenceId }: Together,
): Promise<{ readonly id: string; readonly was_confirmed: boolean } | undefined> =>
  db.first(sql<{ id: string; was_confirmed: boolean }>`
    select id, bool_or(confirmed_at is not null) over () as was_confirmed from registrations
    where school_id = ${schoolId} and member_id = ${memberId} and occurrence_id = ${occurrenceId}
      and cancelled_by = 'event'
    order by id limit 1`)

/** Mails to the people of an occurrence that are being recorded. */
export type MailingRow = {
  readonly id: string
  readonly occurrence_id: string
  readonly kind: 'message' | 'changed' | 'day_before' | 'hour_before'
  readonly statuses: readonly string[]
  readonly subject: string | null
  readonly message: string | null
  readonly after_id: string | null
}

/** A new mailing. */
type NewMailing = Omit<MailingRow, 'after_id'>

/** Stores a new mailing. */
export const insertMailing = (db: Db, schoolId: string, one: NewMailing): Promise<number> =>
  db.run(sql`
    insert into event_mailings (school_id, id, occurrence_id, kind, statuses, subject, message, created_at)
    values (${schoolId}, ${one.id}, ${one.occurrence_id}, ${one.kind}, ${one.statuses}::text[], ${one.subject},
      ${one.message}, (select stoa.now()))`)

/** A mailing that has not ended. */
export const findMailing = (db: Db, schoolId: string, id: string): Promise<MailingRow | undefined> =>
  db.first(sql<MailingRow>`
    select id, occurrence_id, kind, statuses, subject, message, after_id from event_mailings
    where school_id = ${schoolId} and id = ${id} and ended_at is null`)

/** The next members with seats of the statuses of a mailing, after one of them. */
export const listNext = async (
  db: Db,
  schoolId: string,
  { occurrence_id: occurrenceId, statuses, after_id: after }: MailingRow,
  most: number,
): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select distinct r.member_id as id from registrations r
      where r.school_id = ${schoolId} and r.occurrence_id = ${occurrenceId} and r.member_id is not null
        and r.status = any (${statuses}::text[]) and (${after}::uuid is null or r.member_id > ${after}::uuid)
      order by 1 limit ${most}`)
  ).map(({ id }) => id)

/** How many members have seats of some statuses at an occurrence. */
export const countReaders = async (
  db: Db,
  schoolId: string,
  occurrenceId: string,
  statuses: readonly string[],
): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(distinct member_id)::integer as count from registrations
      where school_id = ${schoolId} and occurrence_id = ${occurrenceId} and status = any (${statuses}::text[])`)
  ).count

/** Notes how far a mailing is. */
export const moveMailing = (
  db: Db,
  schoolId: string,
  id: string,
  { after, mailed, isLast }: { readonly after: string | null; readonly mailed: number; readonly isLast: boolean },
): Promise<number> =>
  db.run(sql`
    update event_mailings set after_id = coalesce(${after}::uuid, after_id), mailed = mailed + ${mailed}::integer,
      ended_at = case when ${isLast}::boolean then (select stoa.now()) end
    where school_id = ${schoolId} and id = ${id}`)

/** Whether the people of an occurrence were reminded in a way since an instant. */
export const wasReminded = async (
  db: Db,
  schoolId: string,
  {
    occurrenceId,
    kind,
    since,
  }: { readonly occurrenceId: string; readonly kind: MailingRow['kind']; readonly since: Date },
): Promise<boolean> =>
  (await db.first(sql`
    select from event_mailings
    where school_id = ${schoolId} and occurrence_id = ${occurrenceId} and kind = ${kind} and created_at >= ${since}
    limit 1`)) !== undefined

/** What was said when an occurrence was cancelled. */
export const findCancellation = (
  db: Db,
  schoolId: string,
  occurrenceId: string,
): Promise<{ readonly reason: string | null; readonly message: string } | undefined> =>
  db.first(sql<{ reason: string | null; message: string }>`
    select o.cancellation_reason as reason, f.message
    from occurrence_refunds f join occurrences o on o.school_id = f.school_id and o.id = f.occurrence_id
    where f.school_id = ${schoolId} and f.occurrence_id = ${occurrenceId}`)
