import pg from 'pg'
import type { TestDatabase } from './database.ts'

/** What was seen of the seats of an occurrence at committed instants. */
export type SeenSeats = {
  /** How often it was looked. */
  readonly looks: number
  readonly most: number
  /** The most seats of one kind of ticket. */
  readonly mostOfType: number
  /** For how long, at most, a seat was free that somebody waited for, in milliseconds. */
  readonly longestFree: number
  /** The longest time between two looks: how slow the machine was. */
  readonly longestLook: number
}

const TAKEN = `r.status in ('confirmed', 'checked_in')
  or (r.status in ('offered', 'awaiting_payment') and r.hold_until > c.now)`

// One statement, so that it sees one committed state at one instant.
const LOOK = `
  with c as materialized (select stoa.now() as now),
  types as (
    select t.id, t.capacity, count(r.id) filter (where ${TAKEN}) as taken,
      count(r.id) filter (where r.status = 'waitlisted') as waiting
    from c, ticket_types t
    left join registrations r on r.school_id = t.school_id and r.ticket_type_id = t.id and r.occurrence_id = $1
    join occurrences o on o.school_id = t.school_id and o.id = $1 and o.event_id = t.event_id
    group by t.id, t.capacity, c.now)
  select sum(taken)::integer as taken, max(taken)::integer as of_type,
    coalesce(bool_or(waiting > 0 and taken < capacity
      and (select sum(taken) from types) < (select capacity from occurrences where id = $1)), false) as is_free
  from types`

/** Looks at the seats of an occurrence over a connection of its own, again and again until it is stopped. */
export const watchSeats = async ({ ownerUrl }: TestDatabase, occurrenceId: string) => {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  let isRunning = true
  let freeSince: number | undefined
  const seen = { looks: 0, most: 0, mostOfType: 0, longestFree: 0, longestLook: 0 }
  let lookedAt = performance.now()
  const look = async (): Promise<void> => {
    const { rows } = await client.query<{ taken: number; of_type: number; is_free: boolean }>(LOOK, [occurrenceId])
    const [row] = rows
    if (row === undefined) return
    const now = performance.now()
    seen.looks++
    seen.longestLook = Math.max(seen.longestLook, now - lookedAt)
    lookedAt = now
    seen.most = Math.max(seen.most, row.taken)
    seen.mostOfType = Math.max(seen.mostOfType, row.of_type)
    freeSince = row.is_free ? (freeSince ?? now) : undefined
    if (freeSince !== undefined) seen.longestFree = Math.max(seen.longestFree, now - freeSince)
  }
  const running = (async () => {
    while (isRunning) await look()
  })()
  return {
    stop: async (): Promise<SeenSeats> => {
      isRunning = false
      await running.finally(() => client.end())
      return seen
    },
  }
}

/** Has the database write down every change of a registration, in the order in which the changes take their locks. */
export const recordSeats = async ({ query }: TestDatabase): Promise<void> => {
  await query(`
    create table seat_changes (place bigint generated always as identity primary key, transaction_id xid8 not null,
      at timestamptz not null, id uuid not null, occurrence_id uuid not null, ticket_type_id uuid, status text not null,
      hold_until timestamptz)`)
  await query(`
    create function record_seat() returns trigger language plpgsql security definer set search_path = public as $$
    begin
      insert into seat_changes (transaction_id, at, id, occurrence_id, ticket_type_id, status, hold_until)
      values (pg_current_xact_id(), stoa.now(), new.id, new.occurrence_id, new.ticket_type_id, new.status, new.hold_until);
      return null;
    end $$`)
  await query(`
    create trigger record_seat after insert or update on registrations for each row execute function record_seat()`)
}

type Change = {
  readonly transaction_id: string
  readonly at: Date
  readonly id: string
  readonly ticket_type_id: string
  readonly status: string
  readonly hold_until: Date | null
}

const takes = ({ status, hold_until: until }: Change, at: Date): boolean =>
  status === 'confirmed' ||
  status === 'checked_in' ||
  ((status === 'offered' || status === 'awaiting_payment') && until !== null && until > at)

/** The most seats that were taken after any transaction in the history of an occurrence, and of one kind of ticket. */
export const mostInHistory = async ({ query }: TestDatabase, occurrenceId: string) => {
  const changes = await query<Change>(
    `select transaction_id::text, at, id, ticket_type_id, status, hold_until from seat_changes
     where occurrence_id = $1 order by place`,
    [occurrenceId],
  )
  const seats = new Map<string, Change>()
  const most = { ofAll: 0, ofType: 0, changes: changes.length }
  for (const [index, change] of changes.entries()) {
    seats.set(change.id, change)
    if (changes[index + 1]?.transaction_id === change.transaction_id) continue
    const taken = [...seats.values()].filter(seat => takes(seat, change.at))
    const ofTypes = [...Map.groupBy(taken, seat => seat.ticket_type_id).values()].map(({ length }) => length)
    most.ofAll = Math.max(most.ofAll, taken.length)
    most.ofType = Math.max(most.ofType, ...ofTypes)
  }
  return most
}
