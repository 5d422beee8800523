import pg from 'pg'
import type { TestDatabase } from './database.ts'

/** What was seen of the seats of an occurrence at committed instants. */
export type SeenSeats = {
  /** How often it was looked. */
  readonly looks: number
  readonly most: number
  /** The most seats of one kind of ticket. */
  readonly mostOfType: number
  /** The longest time between two looks, in milliseconds: how slow the machine was. */
  readonly longestLook: number
}

const TAKEN = `r.status in ('confirmed', 'checked_in')
  or (r.status in ('offered', 'awaiting_payment') and r.hold_until > c.now)`

// One statement, so that it sees one committed state at one instant.
const LOOK = `
  with c as materialized (select stoa.now() as now),
  types as (
    select t.id, count(r.id) filter (where ${TAKEN}) as taken
    from c, ticket_types t
    left join registrations r on r.school_id = t.school_id and r.ticket_type_id = t.id and r.occurrence_id = $1
    join occurrences o on o.school_id = t.school_id and o.id = $1 and o.event_id = t.event_id
    group by t.id)
  select sum(taken)::integer as taken, max(taken)::integer as of_type from types`

/** Looks at the seats of an occurrence over a connection of its own, again and again until it is stopped. */
export const watchSeats = async ({ ownerUrl }: TestDatabase, occurrenceId: string) => {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  let isRunning = true
  const seen = { looks: 0, most: 0, mostOfType: 0, longestLook: 0 }
  let lookedAt = performance.now()
  const look = async (): Promise<void> => {
    const { rows } = await client.query<{ taken: number; of_type: number }>(LOOK, [occurrenceId])
    const [row] = rows
    if (row === undefined) return
    const now = performance.now()
    seen.looks++
    seen.longestLook = Math.max(seen.longestLook, now - lookedAt)
    lookedAt = now
    seen.most = Math.max(seen.most, row.taken)
    seen.mostOfType = Math.max(seen.mostOfType, row.of_type)
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

/**
 * Has the database write down every change of a registration, in the order in which the changes take their locks, and every
 * move of its clock; both with the time by a clock that nobody moves.
 */
export const recordSeats = async ({ query }: TestDatabase): Promise<void> => {
  await query(`
    create table seat_changes (place bigint generated always as identity primary key, transaction_id xid8 not null,
      at timestamptz not null, real_at timestamptz not null default clock_timestamp(), id uuid not null, occurrence_id uuid not null, ticket_type_id uuid, status text not null,
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
  await query(`
    create table clock_moves (real_at timestamptz not null default clock_timestamp(), shift interval not null)`)
  await query('insert into clock_moves (shift) select shift from stoa.clock')
  await query(`
    create function record_move() returns trigger language plpgsql security definer set search_path = public as $$
    begin
      insert into clock_moves (shift) values (new.shift);
      return null;
    end $$`)
  await query('create trigger record_move after update on stoa.clock for each row execute function record_move()')
}

type Change = {
  readonly transaction_id: string
  readonly at: number
  readonly id: string
  readonly ticket_type_id: string
  readonly status: string
  /** When its hold ends, by the clock that nobody moves. */
  readonly ends: number | null
}

// The hold ends when the moved clock shows its end: between two moves, or at the move that passes it.
const HISTORY = `
  select transaction_id::text, extract(epoch from real_at)::double precision * 1000 as at, id, ticket_type_id, status,
    (select extract(epoch from min(greatest(m.real_at, c.hold_until - m.shift)))::double precision * 1000
     from (select real_at, shift, coalesce(lead(real_at) over (order by real_at), 'infinity') as until from clock_moves) m
     where c.hold_until - m.shift < m.until) as ends
  from seat_changes c where occurrence_id = $1 order by place`

const takes = ({ status, ends }: Change, at: number): boolean =>
  status === 'confirmed' ||
  status === 'checked_in' ||
  ((status === 'offered' || status === 'awaiting_payment') && ends !== null && ends > at)

type Capacities = { readonly ofAll: number; readonly ofType: number }

const isWaitedFor = (seats: readonly Change[], at: number, { ofAll, ofType }: Capacities): boolean => {
  const taken = seats.filter(seat => takes(seat, at))
  const countTaken = (type: string): number => taken.filter(seat => seat.ticket_type_id === type).length
  const waiting = seats.filter(({ status }) => status === 'waitlisted')
  return taken.length < ofAll && waiting.some(({ ticket_type_id: type }) => countTaken(type) < ofType)
}

/**
 * What the history of an occurrence says of its seats: the most that were taken after any transaction, of all and of one kind
 * of ticket, and for how many milliseconds at most one was free that somebody waited for.
 */
export const seatHistory = async ({ query }: TestDatabase, occurrenceId: string, capacities: Capacities) => {
  const changes = await query<Change>(HISTORY, [occurrenceId])
  const seats = new Map<string, Change>()
  const most = { ofAll: 0, ofType: 0, longestFree: 0, changes: changes.length }
  let freeSince: number | undefined
  const look = (at: number): void => {
    if (freeSince !== undefined) most.longestFree = Math.max(most.longestFree, at - freeSince)
    freeSince = isWaitedFor([...seats.values()], at, capacities) ? (freeSince ?? at) : undefined
  }
  // Holds that end between two changes free seats too.
  const lookUntil = (from: number, until: number): void => {
    const ends = [...seats.values()].flatMap(({ ends: end }) => (end === null ? [] : [end]))
    for (const at of ends.filter(end => end > from && end < until).toSorted((a, b) => a - b)) look(at)
  }
  for (const [index, change] of changes.entries()) {
    lookUntil(changes[index - 1]?.at ?? 0, change.at)
    seats.set(change.id, change)
    if (changes[index + 1]?.transaction_id === change.transaction_id) continue
    look(change.at)
    const taken = [...seats.values()].filter(seat => takes(seat, change.at))
    const ofTypes = [...Map.groupBy(taken, seat => seat.ticket_type_id).values()].map(({ length }) => length)
    most.ofAll = Math.max(most.ofAll, taken.length)
    most.ofType = Math.max(most.ofType, ...ofTypes)
  }
  const [end] = await query<{ at: number }>(
    'select extract(epoch from clock_timestamp())::double precision * 1000 as at',
  )
  lookUntil(changes.at(-1)?.at ?? 0, end?.at ?? 0)
  look(end?.at ?? 0)
  return most
}
