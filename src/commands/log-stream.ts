import { fstatSync, writeSync } from 'node:fs'
import { isatty } from 'node:tty'

/** The destination of log lines, one at a time. */
type LogStream = { write(line: string): void }

const STDERR = 2
const LEVELS = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, silent: 100 } as const

const isStream = (): boolean => {
  const kind = fstatSync(STDERR)
  return isatty(STDERR) || kind.isFIFO() || kind.isSocket()
}

/**
 * Standard error as the log. A line that cannot be written, for example because the disk is full, is lost: a
 * server that cannot log can still serve. A stream of Node's would end at the first such line, and the process with it.
 */
export const openLogStream = (): LogStream => {
  if (isStream()) {
    process.stderr.on('error', () => undefined)
    return process.stderr
  }
  return {
    write: line => {
      try {
        writeSync(STDERR, line)
      } catch {
        // There is nowhere to report this.
      }
    },
  }
}

/** Writes one event outside of a request, in the form of the other log lines. */
export type LogEvent = (
  level: 'info' | 'warn' | 'error',
  event: string,
  text: string,
  fields?: Readonly<Record<string, unknown>>,
) => void

/** The log for events of the process, without those below the log level. */
export const eventLog =
  (stream: LogStream, threshold: string): LogEvent =>
  (level, event, msg, fields = {}) => {
    const least = Object.entries(LEVELS).find(([name]) => name === threshold)?.[1] ?? LEVELS.info
    if (LEVELS[level] < least) return
    const time = new Date().toISOString()
    stream.write(`${JSON.stringify({ level: LEVELS[level], time, event, ...fields, msg })}\n`)
  }
