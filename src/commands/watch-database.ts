import type { EmbeddedFailed, EmbeddedOptions, ServerEvent } from '#src/db/embedded/index.ts'
import { exitCodes, Failed } from './command.ts'
import type { LogEvent } from './log-stream.ts'

/** The events of the database that `serve` reacts to, and its last state. */
type WatchedDatabase = {
  onError(error: Error): void
  onDiskFull(): void
  readonly supervision: NonNullable<EmbeddedOptions['supervision']>
  /** Settles when the embedded server failed permanently. */
  readonly failed: Promise<Failed>
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
  const { how, failure, reason, nextStartInMs } = event
  const text = failure === 'disk_full' ? `the disk of the database is full: ${how}` : how
  log('error', 'database_stopped', text, { failure, reason, next_start_in_ms: nextStartInMs })
}

// A process supervisor may restart us, unless the data is missing: an empty folder would become a new school.
const asFailure = ({ failure, message }: EmbeddedFailed): Failed =>
  new Failed(message, failure === 'data_missing' ? exitCodes.needsPerson : exitCodes.tryLater)

/** Logs events of the database, and stores its state for `/readyz`. */
export const watchDatabase = (log: LogEvent): WatchedDatabase => {
  const { promise: failed, resolve } = Promise.withResolvers<Failed>()
  let fullAt = Number.NEGATIVE_INFINITY
  let loggedAt = Number.NEGATIVE_INFINITY
  return {
    failed,
    fullAt: () => fullAt,
    onError: ({ message }) =>
      log('warn', 'connection_lost', 'a database connection was lost', { reason: withoutLines(message) }),
    onDiskFull: () => {
      fullAt = performance.now()
      if (fullAt - loggedAt < REMINDER_MS) return
      loggedAt = fullAt
      log('error', 'disk_full', 'the disk of the database is full')
    },
    supervision: { onEvent: event => logDatabaseEvent(log, event), onGivenUp: error => resolve(asFailure(error)) },
  }
}
