import type { EmbeddedFailed, EmbeddedOptions, ServerEvent } from '#src/db/embedded/index.ts'
import { exitCodes, Failed } from './command.ts'
import type { LogEvent } from './log-stream.ts'

/** What `serve` is told of its database, and what it remembers of it. */
export type WatchedDatabase = {
  onError(error: Error): void
  onDiskFull(): void
  readonly supervision: NonNullable<EmbeddedOptions['supervision']>
  /** Settles when the embedded server is not started again. */
  readonly givenUp: Promise<Failed>
  /** When a statement last found the disk of the database full, on this process's own clock. */
  fullAt(): number
}

const REMINDER_MS = 60_000

const withoutLines = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ')

const logDatabaseEvent = (log: LogEvent, event: ServerEvent): void => {
  if (event.kind === 'restarted') {
    log('info', 'database_restarted', 'PostgreSQL takes connections again')
    return
  }
  const { how, fault, reason, nextStartInMs } = event
  const text = fault === 'disk_full' ? `the disk of the database is full: ${how}` : how
  log('error', 'database_stopped', text, { fault, reason, next_start_in_ms: nextStartInMs })
}

// A supervisor may start the process again, unless the data are gone: an empty folder would become a new school.
const asGivenUp = ({ fault, message }: EmbeddedFailed): Failed =>
  new Failed(message, fault === 'data_missing' ? exitCodes.needsPerson : exitCodes.tryLater)

/** Logs what happens to the database while nobody asks for it, and remembers it for `/readyz`. */
export const watchDatabase = (log: LogEvent): WatchedDatabase => {
  const { promise: givenUp, resolve } = Promise.withResolvers<Failed>()
  let fullAt = Number.NEGATIVE_INFINITY
  let loggedAt = Number.NEGATIVE_INFINITY
  return {
    givenUp,
    fullAt: () => fullAt,
    onError: ({ message }) =>
      log('warn', 'connection_lost', 'a database connection was lost', { reason: withoutLines(message) }),
    onDiskFull: () => {
      fullAt = performance.now()
      if (fullAt - loggedAt < REMINDER_MS) return
      loggedAt = fullAt
      log('error', 'disk_full', 'the disk of the database is full')
    },
    supervision: { onEvent: event => logDatabaseEvent(log, event), onGivenUp: error => resolve(asGivenUp(error)) },
  }
}
