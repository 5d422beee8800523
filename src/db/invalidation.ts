import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Statement } from '#src/contract/db.ts'
import type { Pooler } from './connect.ts'
import { openDatabase } from './database.ts'
import { listen } from './listen.ts'
import { sql } from './sql.ts'

/** The channel on which the database itself tells that decisions of a school may have changed: its id and what changed. */
export const INVALIDATION_CHANNEL = 'stoa_changes'

/** How old the last heartbeat may be when a decision is used, in milliseconds; the promise is 1000, the rest is for what comes after. */
export const DECISION_MS = 800

/** An instant on this process's own clock (`performance.now()`), and what the database's clock showed then or a little later, in milliseconds. */
export type Instant = { readonly at: number; readonly clock: number }

/** What this process has heard of changes. */
export type Invalidation = {
  /** The last moment up to which every change was heard; the heartbeat goes on while somebody asks. */
  heardUntil(): Instant
  /** When a change of this school was last heard of, or changes may have been missed; on this process's own clock. */
  changedAt(schoolId: string): number
  stop(): Promise<void>
}

/** Where changes are heard, and where the application writes. */
export type InvalidationUrls = {
  /** A direct connection: LISTEN does not work through a pooler that assigns connections per transaction. */
  readonly listenUrl: string
  readonly writeUrl: string
  readonly pooler?: Pooler
}

const BEAT_MS = 250
// A server that nobody calls with a token writes nothing.
const IDLE_MS = 10_000
const WAIT_MS = 2000
const MOST_SCHOOLS = 10_000
const NEVER: Instant = { at: Number.NEGATIVE_INFINITY, clock: Number.NaN }

/** Hears nothing, so that no decision is used twice. */
export const noInvalidation: Invalidation = {
  heardUntil: () => NEVER,
  changedAt: () => Number.NEGATIVE_INFINITY,
  stop: async () => undefined,
}

/** Remembers per school when something changed. */
const createMarks = () => {
  const marks = new Map<string, number>()
  let everything = Number.NEGATIVE_INFINITY
  const markAll = (): void => {
    everything = performance.now()
    marks.clear()
  }
  const mark = (schoolId: string): void => {
    if (marks.size >= MOST_SCHOOLS && !marks.has(schoolId)) markAll()
    else marks.set(schoolId, performance.now())
  }
  return { mark, markAll, at: (schoolId: string) => Math.max(everything, marks.get(schoolId) ?? everything) }
}

// The table is in no school, and the trigger on it notifies as those on the tables of schools do.
const heartbeat = (sender: string, at: number): Statement => sql`
  insert into stoa.heartbeat (id)
  select ${`${sender} ${at}`}::text || ' ' || extract(epoch from (select stoa.now())) * 1000 where stoa.tells_changes()
  on conflict (is_only) do update set id = excluded.id`

/**
 * Listens for changes, with a heartbeat that takes the same way as they do: it is written where the application writes,
 * a trigger notifies of it, and it is heard where changes are heard. PostgreSQL delivers notifications in the order of
 * commits, so a heartbeat that was heard proves that everything was heard that was committed before it was sent.
 */
export const listenForInvalidation = ({ listenUrl, writeUrl, pooler }: InvalidationUrls): Invalidation => {
  const sender = randomUUID()
  const marks = createMarks()
  // A connection of its own, so that requests that wait for a connection do not delay the heartbeat.
  const writing = openDatabase(writeUrl, { max: 1, wait: WAIT_MS, pooler })
  let wantedAt = Number.NEGATIVE_INFINITY
  let sentAt = Number.NEGATIVE_INFINITY
  let until = NEVER
  const beat = async (): Promise<void> => {
    sentAt = performance.now()
    // What could not be written will not be heard either.
    await writing.shared.run(heartbeat(sender, sentAt)).catch(() => undefined)
  }
  const listening = listen(listenUrl, {
    channels: [INVALIDATION_CHANNEL],
    // A heartbeat that arrives proves nothing where other notifications may have gone to another client.
    isDirect: true,
    heard: (_, payload) => {
      const [first = '', second, third, table] = payload.split(' ')
      if (table !== 'heartbeat') marks.mark(first)
      else if (first === sender) until = { at: Number(second), clock: Number(third) }
    },
    attend: async (run, signal) => {
      // What was told before was not heard.
      marks.markAll()
      for (;;) {
        if (performance.now() - wantedAt < IDLE_MS) await beat()
        await pause(BEAT_MS, undefined, { signal })
        // A connection that swallows what is sent, and tells nobody, answers nothing either.
        if (until.at < sentAt) await run(sql`select 1`)
      }
    },
  })
  return {
    heardUntil: () => {
      wantedAt = performance.now()
      return until
    },
    changedAt: marks.at,
    stop: async () => {
      await listening.stop()
      await writing.close()
    },
  }
}

/** Whether a heartbeat goes round within so many milliseconds. */
export const isInvalidationDelivered = async (places: InvalidationUrls, within: number): Promise<boolean> => {
  const changes = listenForInvalidation(places)
  const end = performance.now() + within
  try {
    while (changes.heardUntil() === NEVER && performance.now() < end) await pause(BEAT_MS / 5)
    return changes.heardUntil() !== NEVER
  } finally {
    await changes.stop()
  }
}
