import type { Db, Statement } from '#src/contract/db.ts'
import { isAddress } from '#src/db/addresses.ts'
import { sql } from '#src/db/sql.ts'

/** Whose seats: those of a member, or of somebody without an account, who has an address at most. */
export type Holder = {
  readonly memberId: string | null
  readonly name: string
  readonly email: string | null
}

const heldBy = ({ memberId, email }: Holder): Statement =>
  memberId === null
    ? sql`r.member_id is null and ${email === null ? sql`false` : isAddress(sql`r.attendee_email`, email)}`
    : sql`r.member_id = ${memberId}`

/** Somebody who gets a mail, with their language; without an id they have no account. */
export type Reader = {
  readonly id: string | null
  readonly name: string
  readonly email: string
  readonly locale: string
}

/** A member who gets mails. */
export const findReader = (db: Db, schoolId: string, memberId: string) =>
  db.first(sql<Reader>`
    select m.id, m.name, m.email, coalesce(m.locale, s.locale) as locale
    from members m join schools s on s.id = m.school_id
    where m.school_id = ${schoolId} and m.id = ${memberId} and m.status = 'active'`)

/** The address at which a school is reached; null where it has set none. */
export const findContact = async (db: Db, schoolId: string): Promise<string | null> =>
  (
    await db.one(sql<{ contact_email: string | null }>`
      select contact_email from schools where id = ${schoolId}`)
  ).contact_email

/** Seats of an occurrence that somebody holds. */
type Seats = { readonly holder: Holder; readonly occurrenceId: string }

/** The confirmed seats of somebody at an occurrence, with those that were confirmed together. */
export const listHolderSeats = (
  db: Db,
  schoolId: string,
  { holder, occurrenceId }: Seats,
): Promise<
  { readonly id: string; readonly attendee_name: string; readonly code: string; readonly confirmed_at: Date }[]
> =>
  db.all(sql<{ id: string; attendee_name: string; code: string; confirmed_at: Date }>`
    select r.id, r.attendee_name, r.code, r.confirmed_at from registrations r
    where r.school_id = ${schoolId} and ${heldBy(holder)} and r.occurrence_id = ${occurrenceId}
      and r.status in ('confirmed', 'checked_in')
    order by r.id`)

/** The first seat of somebody that is offered until an instant. */
export const findFirstOffered = async (
  db: Db,
  schoolId: string,
  { holder, occurrenceId, until }: Seats & { readonly until: Date },
): Promise<string | undefined> =>
  (
    await db.first(sql<{ id: string }>`
      select r.id from registrations r
      where r.school_id = ${schoolId} and ${heldBy(holder)} and r.occurrence_id = ${occurrenceId}
        and r.status = 'offered' and r.hold_until = ${until}
      order by r.id limit 1`)
  )?.id

/** The first seat of somebody that ended with its occurrence, and whether one of these seats was confirmed. */
export const findFirstEnded = (
  db: Db,
  schoolId: string,
  { holder, occurrenceId }: Seats,
): Promise<{ readonly id: string; readonly was_confirmed: boolean } | undefined> =>
  db.first(sql<{ id: string; was_confirmed: boolean }>`
    select r.id, bool_or(r.confirmed_at is not null) over () as was_confirmed from registrations r
    where r.school_id = ${schoolId} and ${heldBy(holder)} and r.occurrence_id = ${occurrenceId}
      and r.cancelled_by = 'event'
    order by r.id limit 1`)

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
export const insertMailing = (db: Db, schoolId: string, one: NewMailing) =>
  db.run(sql`
    insert into event_mailings (school_id, id, occurrence_id, kind, statuses, subject, message, created_at)
    values (${schoolId}, ${one.id}, ${one.occurrence_id}, ${one.kind}, ${one.statuses}::text[], ${one.subject},
      ${one.message}, (select stoa.now()))`)

/** A mailing that has not ended. */
export const findMailing = (db: Db, schoolId: string, id: string) =>
  db.first(sql<MailingRow>`
    select id, occurrence_id, kind, statuses, subject, message, after_id from event_mailings
    where school_id = ${schoolId} and id = ${id} and ended_at is null`)

// One row for each member and each address of somebody without an account, named by the member or the first seat.
const holders = (schoolId: string, occurrenceId: string, statuses: readonly string[]): Statement => sql`
  select coalesce(r.member_id, (array_agg(r.id order by r.id))[1]) as id, r.member_id,
    (array_agg(r.attendee_name order by r.id))[1] as name, (array_agg(r.attendee_email order by r.id))[1] as email
  from registrations r
  where r.school_id = ${schoolId} and r.occurrence_id = ${occurrenceId} and r.status = any (${statuses}::text[])
    and (r.member_id is not null or r.attendee_email is not null)
  group by r.member_id, case when r.member_id is null then lower(r.attendee_email) end`

/** The next who hold seats of the statuses of a mailing, after one of them. */
export const listNext = async (
  db: Db,
  schoolId: string,
  { occurrence_id: occurrenceId, statuses, after_id: after }: MailingRow,
  most: number,
): Promise<(Holder & { readonly id: string })[]> =>
  (
    await db.all(sql<{ id: string; member_id: string | null; name: string; email: string | null }>`
      select h.id, h.member_id, h.name, h.email from (${holders(schoolId, occurrenceId, statuses)}) as h
      where ${after}::uuid is null or h.id > ${after}::uuid order by h.id limit ${most}`)
  ).map(({ member_id: memberId, ...holder }) => ({ ...holder, memberId }))

/** How many people with an address hold seats of some statuses at an occurrence. */
export const countReaders = async (
  db: Db,
  schoolId: string,
  occurrenceId: string,
  statuses: readonly string[],
): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from (${holders(schoolId, occurrenceId, statuses)}) as h`)
  ).count

/** Notes how far a mailing is. */
export const moveMailing = (
  db: Db,
  schoolId: string,
  id: string,
  { after, mailed, isLast }: { readonly after: string | null; readonly mailed: number; readonly isLast: boolean },
) =>
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
