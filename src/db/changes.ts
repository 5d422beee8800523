import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { listen } from './listen.ts'
import { sql } from './sql.ts'

/** The channel on which the database itself tells that decisions of a school may have changed: its id and what changed. */
export const CHANGES_CHANNEL = 'stoa_changes'

/** How old a decision may be when it is used, in milliseconds; the promise is 1000, the rest is for what comes after. */
export const DECISION_MS = 800

/** An instant on this process's own clock (`performance.now()`), and what the database's clock showed then or a little later, in milliseconds. */
export type Moment = { readonly at: number; readonly clock: number }

/** What this process has heard of changes. */
export type Changes = {
  /** The last moment up to which every change was heard. */
  heardUntil(): Moment
  /** When a change of this school was last heard of, or changes may have been missed; on this process's own clock. */
  changedAt(schoolId: string): number
  stop(): Promise<void>
}

const BEAT_MS = 250
const MOST_SCHOOLS = 10_000
const NEVER: Moment = { at: Number.NEGATIVE_INFINITY, clock: Number.NaN }

/** Hears nothing: every decision is as old as the statement that asked for it. */
export const deaf: Changes = {
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

/**
 * Listens for changes, with a heartbeat of its own: a notification that this process sends to itself on the connection
 * it listens on. PostgreSQL hands notifications out in the order of commits, so a heartbeat that came back proves that
 * everything was heard that was committed before it was sent.
 */
export const hearChanges = (url: string): Changes => {
  // The database's own ids would tell apart as well, but only of one server.
  const own = `stoa_heartbeat_${randomUUID()}`
  const marks = createMarks()
  let sent = { number: 0, at: NEVER.at }
  let until = NEVER
  const beat = () =>
    sql`select pg_notify(${own}, ${String(sent.number)}::text || ' ' || extract(epoch from (select stoa.now())) * 1000)`
  const listening = listen(url, {
    channels: [CHANGES_CHANNEL, own],
    heard: (channel, payload) => {
      const [first = '', second = ''] = payload.split(' ')
      if (channel === CHANGES_CHANNEL) marks.mark(first)
      else if (Number(first) === sent.number) until = { at: sent.at, clock: Number(second) }
    },
    attend: async (run, signal) => {
      // What was said before was not heard.
      marks.markAll()
      for (;;) {
        sent = { number: sent.number + 1, at: performance.now() }
        await run(beat())
        await pause(BEAT_MS, undefined, { signal })
      }
    },
  })
  return { heardUntil: () => until, changedAt: marks.at, stop: listening.stop }
}
