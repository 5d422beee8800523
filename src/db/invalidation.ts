import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Statement } from '#src/contract/db.ts'
import { createChangeTimes } from './change-times.ts'
import type { Pooler } from './connect.ts'
import { openDatabase } from './database.ts'
import { FACTS_CHANNEL } from './fact-channel.ts'
import { listen } from './listen.ts'
import { sql } from './sql.ts'
import { isReadOnly } from './sqlstates.ts'

/** The channel on which triggers notify that decisions of a school may have changed: its id and what changed. */
const INVALIDATION_CHANNEL = 'stoa_changes'

/**
 * The maximum age of the last heartbeat when a decision is used, in milliseconds; the documented limit is 1000, the
 * rest is for the request itself.
 */
export const DECISION_MS = 800

/**
 * An instant on this process's own clock (`performance.now()`), and the database's clock at that time or slightly
 * later, in milliseconds.
 */
export type Instant = { readonly at: number; readonly clock: number }

/**
 * A school whose decisions may have changed, or that has new facts; without a school, notifications of any may have been
 * missed.
 */
export type Notice = { readonly schoolId: string | undefined; readonly of: 'decisions' | 'facts' }

/** The changes that this process has received. */
export type Invalidation = {
  /** The last instant up to which every change was received; the heartbeat continues while this is called. */
  heardUntil(): Instant
  /** When a change of this school was last received, or changes may have been missed; on this process's own clock. */
  changedAt(schoolId: string): number
  /** Has notices given to this function as they arrive, instead of to the one before. */
  onNotice(handle: (notice: Notice) => void): void
  stop(): Promise<void>
}

/** The connection to listen on, and the one on which the application writes. */
export type InvalidationUrls = {
  /** A direct connection: LISTEN does not work through a pooler that assigns connections per transaction. */
  readonly listenUrl: string
  readonly writeUrl: string
  readonly pooler?: Pooler
}

const BEAT_MS = 250
// Without requests with tokens no heartbeat is written.
const IDLE_MS = 10_000
const WAIT_MS = 2000
const NEVER: Instant = { at: Number.NEGATIVE_INFINITY, clock: Number.NaN }

/** Receives nothing, so that no decision is used twice. */
export const noInvalidation: Invalidation = {
  heardUntil: () => NEVER,
  changedAt: () => Number.NEGATIVE_INFINITY,
  onNotice: () => undefined,
  stop: async () => undefined,
}

// The table belongs to no school, and its trigger notifies in the same way as those on the tables of schools.
const heartbeat = (sender: string, at: number): Statement => sql`
  insert into stoa.heartbeat (id)
  select ${`${sender} ${at}`}::text || ' ' || extract(epoch from (select stoa.now())) * 1000 where stoa.tells_changes()
  on conflict (is_only) do update set id = excluded.id`

/**
 * Listens for changes, with a heartbeat that takes the same path: it is written where the application writes,
 * a trigger sends a notification, and the listener receives it. PostgreSQL delivers notifications in the order of
 * commits, so a received heartbeat proves that every change was received that was committed before it was sent. `onReadOnly` is
 * called for each heartbeat that could not be written because the database can only be read.
 */
export const listenForInvalidation = (
  { listenUrl, writeUrl, pooler }: InvalidationUrls,
  onReadOnly: () => void = () => undefined,
): Invalidation => {
  const sender = randomUUID()
  const marks = createChangeTimes()
  // A connection of its own, so that requests that wait for a connection do not delay the heartbeat.
  const writing = openDatabase(writeUrl, { max: 1, wait: WAIT_MS, pooler })
  let lastUsedAt = Number.NEGATIVE_INFINITY
  let sentAt = Number.NEGATIVE_INFINITY
  let until = NEVER
  let notify: (notice: Notice) => void = () => undefined
  const beat = async (): Promise<void> => {
    sentAt = performance.now()
    // A heartbeat that could not be written will not be received either.
    await writing.shared.run(heartbeat(sender, sentAt)).catch((error: unknown) => {
      if (isReadOnly(error)) onReadOnly()
    })
  }
  const listening = listen(listenUrl, {
    channels: [INVALIDATION_CHANNEL, FACTS_CHANNEL],
    // A heartbeat that arrives proves nothing where other notifications may have gone to another client.
    isDirect: true,
    onNotification: (channel, payload) => {
      if (channel === FACTS_CHANNEL) return notify({ schoolId: payload, of: 'facts' })
      const [first = '', second, third, table] = payload.split(' ')
      if (table === 'heartbeat') {
        if (first === sender) until = { at: Number(second), clock: Number(third) }
        return
      }
      marks.mark(first)
      notify({ schoolId: first, of: 'decisions' })
    },
    attend: async (run, signal) => {
      // Earlier notifications were not received.
      marks.markAll()
      notify({ schoolId: undefined, of: 'facts' })
      for (;;) {
        if (performance.now() - lastUsedAt < IDLE_MS) await beat()
        await pause(BEAT_MS, undefined, { signal })
        // A broken connection that reports no error does not respond either.
        if (until.at < sentAt) await run(sql`select 1`)
      }
    },
  })
  return {
    heardUntil: () => {
      lastUsedAt = performance.now()
      return until
    },
    changedAt: marks.at,
    onNotice: handle => {
      notify = handle
    },
    stop: async () => {
      await listening.stop()
      await writing.close()
    },
  }
}

/** Whether a heartbeat is received within this many milliseconds. */
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
