import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { requestTakesSeat, stands, takesSeat } from './conditions.ts'

/** How many seats of an occurrence are taken at one kind of ticket, and how many people wait for one. */
export type SeatCount = {
  readonly occurrence_id: string
  readonly ticket_type_id: string | null
  readonly taken: number
  /** How many requests for an approval take a seat too. */
  readonly requested: number
  readonly waiting: number
}

/** The seats of some occurrences by kinds of tickets, counted by the database's clock. */
export const countSeats = (db: Db, schoolId: string, occurrenceIds: readonly string[]) =>
  db.all(sql<SeatCount>`
    with clock as materialized (select stoa.now() as now)
    select r.occurrence_id, r.ticket_type_id, count(*) filter (where ${takesSeat})::integer as taken,
      count(*) filter (where ${requestTakesSeat(schoolId)})::integer as requested,
      count(*) filter (where r.status = 'waitlisted')::integer as waiting
    from registrations r where r.school_id = ${schoolId} and r.occurrence_id = any (${occurrenceIds}::uuid[])
    group by r.occurrence_id, r.ticket_type_id`)

/** How many seats kinds of tickets have, whether they are still sold or not; null: no limit. */
export const listCapacities = (
  db: Db,
  schoolId: string,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly capacity: number | null }[]> =>
  db.all(sql<{ id: string; capacity: number | null }>`
    select id, capacity from ticket_types where school_id = ${schoolId} and id = any (${ids}::uuid[])`)

/** What is registered for some occurrences. */
export const countRegistered = (
  db: Db,
  schoolId: string,
  occurrenceIds: readonly string[],
): Promise<
  {
    readonly occurrence_id: string
    readonly active: number
    readonly people: number
    readonly ever: number
    readonly is_paid: boolean
  }[]
> =>
  db.all(sql<{ occurrence_id: string; active: number; people: number; ever: number; is_paid: boolean }>`
    select r.occurrence_id, count(*) filter (where ${stands})::integer as active,
      count(distinct r.member_id) filter (where ${stands})::integer as people, count(*)::integer as ever,
      coalesce(bool_or(${stands} and l.fulfilled_at is not null and l.amount > 0), false) as is_paid
    from registrations r left join order_lines l on l.school_id = ${schoolId} and l.id = r.line_id
    where r.school_id = ${schoolId} and r.occurrence_id = any (${occurrenceIds}::uuid[])
    group by r.occurrence_id`)

/** Whether an occurrence has a hold that is over and that the worker has not ended yet. */
export const hasEndedHold = async (db: Db, schoolId: string, occurrenceId: string): Promise<boolean> =>
  (await db.first(sql`
    select from registrations
    where school_id = ${schoolId} and occurrence_id = ${occurrenceId} and hold_until <= (select stoa.now()) limit 1`)) !==
  undefined

/** How many seats of an occurrence a member has or waits for. */
export const countOwnSeats = async (
  db: Db,
  schoolId: string,
  occurrenceId: string,
  memberId: string,
): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from registrations r
      where r.school_id = ${schoolId} and r.occurrence_id = ${occurrenceId} and r.member_id = ${memberId} and ${stands}`)
  ).count

/** Somebody on a waiting list. */
type Waiting = { readonly id: string; readonly ticket_type_id: string | null }

/** The first on the waiting list of an occurrence, the earliest first. */
export const listWaiting = (db: Db, schoolId: string, occurrenceId: string, most: number) =>
  db.all(sql<Waiting>`
    select r.id, r.ticket_type_id from registrations r
    where r.school_id = ${schoolId} and r.occurrence_id = ${occurrenceId} and r.status = 'waitlisted'
      and not exists (select from members m
        where m.school_id = ${schoolId} and m.id = r.member_id and m.status = 'suspended')
    order by r.waiting_since, r.id limit ${most}`)

/** The occurrences to come for which a member waits for a seat. */
export const listWaitedForBy = async (db: Db, schoolId: string, memberId: string): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select distinct r.occurrence_id as id from registrations r
      join occurrences o on o.school_id = ${schoolId} and o.id = r.occurrence_id and o.status = 'scheduled'
      where r.school_id = ${schoolId} and r.member_id = ${memberId} and r.status = 'waitlisted'
      order by id`)
  ).map(({ id }) => id)

/** The holds of an occurrence that no order ends and that are over. */
export const listLapsed = (
  db: Db,
  schoolId: string,
  occurrenceId: string,
): Promise<{ readonly id: string; readonly status: 'offered' | 'awaiting_payment' }[]> =>
  db.all(sql<{ id: string; status: 'offered' | 'awaiting_payment' }>`
    select id, status from registrations
    where school_id = ${schoolId} and occurrence_id = ${occurrenceId} and line_id is null
      and hold_until <= (select stoa.now())`)

/** When the first hold of an occurrence ends that no order ends; undefined where there is none. */
export const findFirstHold = async (db: Db, schoolId: string, occurrenceId: string): Promise<Date | undefined> =>
  (
    await db.one(sql<{ at: Date | null }>`
      select min(hold_until) as at from registrations
      where school_id = ${schoolId} and occurrence_id = ${occurrenceId} and line_id is null and hold_until is not null`)
  ).at ?? undefined

/** The occurrences of an event that are to come and that somebody waits for. */
export const listWaitedFor = async (db: Db, schoolId: string, eventId: string): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select o.id from occurrences o
      where o.school_id = ${schoolId} and o.event_id = ${eventId} and o.status = 'scheduled'
        and exists (select from registrations r
          where r.school_id = ${schoolId} and r.occurrence_id = o.id and r.status = 'waitlisted')
      order by o.id`)
  ).map(({ id }) => id)
