import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

/** A connection of its own that hears of a channel until it is stopped. */
export type Listening = { stop(): Promise<void> }

const RETRY_MS = 1000

/** Listens on a channel; the connection is made anew when it is lost, and what was said meanwhile is not heard. */
export const listen = (url: string, channel: string, onHeard: () => void): Listening => {
  const ending = new AbortController()
  let client: pg.Client | undefined
  const connected = async (): Promise<void> => {
    const own = new pg.Client({ connectionString: url, application_name: 'stoa listener' })
    client = own
    const lost = new Promise<void>(resolve => {
      own.on('error', () => resolve())
      own.on('end', () => resolve())
    })
    own.on('notification', onHeard)
    await own.connect()
    await own.query(`listen ${pg.escapeIdentifier(channel)}`)
    await lost
  }
  const keep = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await connected().catch(() => undefined)
      await client?.end().catch(() => undefined)
      await pause(RETRY_MS, undefined, { signal: ending.signal }).catch(() => undefined)
    }
  }
  const kept = keep()
  return {
    stop: async () => {
      ending.abort()
      await client?.end().catch(() => undefined)
      await kept
    },
  }
}
