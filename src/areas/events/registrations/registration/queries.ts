import type { StoredAnswer } from '#src/areas/publishing/index.ts'
import type { Db, Statement } from '#src/contract/db.ts'
import { isAddress } from '#src/db/addresses.ts'
import { sql } from '#src/db/sql.ts'
import { statusAfter, statusesBefore, type Verb } from '../rules.ts'
import { type CancelledBy, type RegistrationRow, registrationColumns, registrationTables } from './conditions.ts'
import type { RegistrationIds } from './rules.ts'

const clock = sql`with clock as materialized (select stoa.now() as now)`

/** Some registrations by their ids, in the order in which they were made. */
export const listRegistrationsById = (db: Db, schoolId: string, ids: readonly string[]) =>
  db.all(sql<RegistrationRow>`
    ${clock} select ${registrationColumns} from ${registrationTables(schoolId)}
    where r.school_id = ${schoolId} and r.id = any (${ids}::uuid[]) order by r.id`)

/** The registrations of a line of an order, in the order in which they were made. */
export const listRegistrationsOfLine = (db: Db, schoolId: string, lineId: string) =>
  db.all(sql<RegistrationRow>`
    ${clock} select ${registrationColumns} from ${registrationTables(schoolId)}
    where r.school_id = ${schoolId} and r.line_id = ${lineId} order by r.id`)

/** When the first date begins for which lines of an order have seats. */
export const findFirstStart = async (db: Db, schoolId: string, lineIds: readonly string[]): Promise<Date | undefined> =>
  (
    await db.one(sql<{ starts_at: Date | null }>`
      select min(o.starts_at) as starts_at from ${registrationTables(schoolId)}
      where r.school_id = ${schoolId} and r.line_id = any (${lineIds}::uuid[])`)
  ).starts_at ?? undefined

/** The lines of an order that have registrations, with those registrations. */
export const listRegistrationsOfOrder = (db: Db, schoolId: string, orderId: string) =>
  db.all(sql<RegistrationRow>`
    ${clock} select ${registrationColumns} from ${registrationTables(schoolId)}
    where r.school_id = ${schoolId} and l.order_id = ${orderId} order by r.id`)

/** A registration by its id. */
export const findRegistration = async (db: Db, schoolId: string, id: string): Promise<RegistrationRow | undefined> =>
  (await listRegistrationsById(db, schoolId, [id]))[0]

// What a member registered, and the seats that others took for their address.
const ofPerson = (memberId: string, address: string | undefined): Statement =>
  address === undefined
    ? sql`r.member_id = ${memberId}`
    : sql`(r.member_id = ${memberId} or ${isAddress(sql`r.attendee_email`, address)})`

/** Every registration of a member, and every one for an address of theirs. */
export const listMemberRegistrations = (db: Db, schoolId: string, memberId: string, address?: string) =>
  db.all(sql<RegistrationRow>`
    ${clock} select ${registrationColumns} from ${registrationTables(schoolId)}
    where r.school_id = ${schoolId} and ${ofPerson(memberId, address)} order by r.id`)

/** The registration of a code. */
export const findByCode = async (db: Db, schoolId: string, code: string) =>
  db.first(sql<RegistrationRow>`
    ${clock} select ${registrationColumns} from ${registrationTables(schoolId)} where r.school_id = ${schoolId} and r.code = ${code}`)

/** The registrations of a member at one price of an occurrence whose seats are held for them, at one amount. */
export const listTakeable = (
  db: Db,
  schoolId: string,
  {
    memberId,
    occurrenceId,
    priceId,
    amount,
  }: {
    readonly memberId: string
    readonly occurrenceId: string
    readonly priceId: string
    readonly amount: number | null
  },
) =>
  db.all(sql<RegistrationRow>`
    ${clock} select ${registrationColumns} from ${registrationTables(schoolId)}
    where r.school_id = ${schoolId} and r.member_id = ${memberId} and r.occurrence_id = ${occurrenceId}
      and r.price_id = ${priceId} and r.amount is not distinct from ${amount}::bigint and r.line_id is null and r.status in ('offered', 'awaiting_payment')
      and r.hold_until > (select now from clock)
    order by r.id limit 20`)

/** A new registration. */
export type NewRegistration = {
  readonly id: string
  readonly event_id: string
  readonly occurrence_id: string
  readonly ticket_type_id: string | null
  readonly price_id: string | null
  readonly member_id: string | null
  readonly line_id: string | null
  readonly amount: number | null
  readonly attendee_name: string
  readonly attendee_email: string | null
  readonly name_folded: string
  readonly words_folded: string
  readonly code: string
  readonly answers: readonly StoredAnswer[]
}

type FirstVerb = Extract<Verb, 'ask' | 'hold' | 'wait' | 'confirm'>

/** Stores new registrations as a verb makes them; `holdUntil` is for seats that are held. */
export const insertRegistrations = (
  db: Db,
  schoolId: string,
  rows: readonly NewRegistration[],
  { verb, holdUntil }: { readonly verb: FirstVerb; readonly holdUntil?: Date },
): Promise<number> => {
  const status = statusAfter(verb)
  return db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into registrations (school_id, id, event_id, occurrence_id, ticket_type_id, price_id, member_id, line_id, status,
      amount, attendee_name, attendee_email, name_folded, words_folded, code, answers, hold_until, waiting_since,
      confirmed_at, created_at, updated_at)
    select ${schoolId}::uuid, n.id, n.event_id, n.occurrence_id, n.ticket_type_id, n.price_id, n.member_id, n.line_id,
      ${status}, n.amount, n.attendee_name, n.attendee_email, n.name_folded, n.words_folded, n.code, n.answers,
      ${holdUntil}::timestamptz,
      case when ${status} = 'waitlisted' then clock.now end, case when ${status} = 'confirmed' then clock.now end,
      clock.now, clock.now
    from clock, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (id uuid, event_id uuid, occurrence_id uuid,
      ticket_type_id uuid, price_id uuid, member_id uuid, line_id uuid, amount bigint, attendee_name text,
      attendee_email text, name_folded text, words_folded text, code text, answers jsonb)`)
}

/** How registrations move, and what is stored with it. */
type MoveOf = {
  readonly verb: Verb
  readonly holdUntil?: Date
  readonly by?: CancelledBy
  /** The line of the order that pays for them. */
  readonly lineId?: string
}

/** Moves those registrations whose status allows it, and returns these. */
export const storeMove = (
  db: Db,
  schoolId: string,
  ids: readonly string[],
  { verb, holdUntil, by, lineId }: MoveOf,
): Promise<RegistrationIds[]> => {
  const status = statusAfter(verb)
  return db.all(sql<RegistrationIds>`
    with clock as materialized (select stoa.now() as now)
    update registrations r set status = ${status}, hold_until = ${holdUntil}::timestamptz,
      line_id = coalesce(${lineId}::uuid, r.line_id),
      waiting_since = case when ${verb} = 'lapse' then (select now from clock) else r.waiting_since end,
      confirmed_at = case when ${status} = 'confirmed' then coalesce(r.confirmed_at, (select now from clock))
        else r.confirmed_at end,
      checked_in_at = case when ${status} = 'checked_in' then (select now from clock) end,
      cancelled_at = case when ${status} = 'cancelled' then (select now from clock) end,
      cancelled_by = case when ${status} = 'cancelled' then ${by}::text end,
      revision = r.revision + 1, updated_at = (select now from clock)
    where r.school_id = ${schoolId} and r.id = any (${ids}::uuid[]) and r.status = any (${statusesBefore(verb)}::text[])
    returning r.id, r.event_id, r.occurrence_id, r.member_id`)
}

/** Holds the seats of registrations that wait for payment until another instant, for a line. */
export const storeHold = (
  db: Db,
  schoolId: string,
  ids: readonly string[],
  { until, lineId }: { readonly until: Date; readonly lineId: string },
) =>
  db.run(sql`
    update registrations set hold_until = ${until}, line_id = ${lineId}, revision = revision + 1,
      updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = any (${ids}::uuid[]) and status = 'awaiting_payment'`)

/** Moves a confirmed registration to another occurrence of its event; how many did so. */
export const storeOccurrence = (db: Db, schoolId: string, id: string, occurrenceId: string) =>
  db.run(sql`
    update registrations set occurrence_id = ${occurrenceId}, revision = revision + 1,
      updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id} and status = 'confirmed'`)

/** Stores the answers of registrations. */
export const storeAnswers = (db: Db, schoolId: string, ids: readonly string[], answers: readonly StoredAnswer[]) =>
  db.run(sql`
    update registrations set answers = ${JSON.stringify(answers)}::jsonb, revision = revision + 1,
      updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = any (${ids}::uuid[])`)

/** How many registrations ever had a kind of ticket. */
export const countUses = async (db: Db, schoolId: string, ticketTypeId: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from registrations
      where school_id = ${schoolId} and ticket_type_id = ${ticketTypeId}`)
  ).count

/** Removes what registrations say of a member; a seat that somebody else took for their address stays with who took it. */
export const eraseAttendee = (db: Db, schoolId: string, memberId: string, address: string | undefined) =>
  db.run(sql`
    update registrations r set member_id = nullif(r.member_id, ${memberId}), attendee_name = '', attendee_email = null,
      name_folded = '', words_folded = '', answers = '[]', revision = revision + 1, updated_at = (select stoa.now())
    where r.school_id = ${schoolId} and ${ofPerson(memberId, address)}`)

/** Moves the registrations of one member to another. */
export const moveRegistrations = (db: Db, schoolId: string, fromId: string, intoId: string) =>
  db.run(sql`
    update registrations set member_id = ${intoId}, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and member_id = ${fromId}`)
