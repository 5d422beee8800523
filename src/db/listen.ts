import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Statement } from '#src/contract/db.ts'

/** A separate connection that listens on channels until it is stopped. */
type Listening = { stop(): Promise<void> }

/** The handler of notifications, and a function that uses the connection meanwhile. */
type Listener = {
  readonly channels: readonly string[]
  onNotification(channel: string, payload: string): void
  /** Whether a connection through a pooler, which may deliver some notifications and lose others, is refused. */
  readonly isDirect?: boolean
  /**
   * Starts once the connection listens, after each reconnect; when it rejects, the connection is opened again. The
   * signal aborts when the connection is lost or the listener is stopped.
   */
  attend?(run: (statement: Statement) => Promise<unknown>, signal: AbortSignal): Promise<void>
}

const RETRY_MS = 1000
const CONNECT_MS = 5000
// A connection that does not respond is closed after this time.
const ANSWER_MS = 2000

const listenOnce = async (url: string, listener: Listener, socket: Socket, signal: AbortSignal): Promise<void> => {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'stoa listener',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    stream: () => socket,
  })
  const lost = new Promise<void>(resolve => {
    client.on('error', () => resolve())
    client.on('end', () => resolve())
  })
  client.on('notification', ({ channel, payload = '' }) => listener.onNotification(channel, payload))
  await client.connect()
  if (listener.isDirect === true) await checkDirect(client)
  for (const channel of listener.channels) await client.query(`listen ${pg.escapeIdentifier(channel)}`)
  const over = new AbortController()
  const whileConnected = AbortSignal.any([signal, over.signal])
  const attended = listener.attend?.(({ text, values }) => client.query(text, [...values]), whileConnected)
  // Who attends only ends by rejecting, or when all is stopped.
  await Promise.race(attended === undefined ? [lost] : [lost, attended]).finally(() => over.abort())
}

// A pooler sends its clients an invented process id (BackendKeyData); a server sends that of the process that serves
// the connection.
const checkDirect = async (client: pg.Client): Promise<void> => {
  const { processID } = client as pg.Client & { readonly processID: number | null }
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  if (rows[0]?.pid !== processID) throw new Error('a pooler is between this process and PostgreSQL')
}

/** Listens on channels; a lost connection is opened again, and notifications in between are lost. */
export const listen = (url: string, listener: Listener): Listening => {
  const ending = new AbortController()
  let socket = new Socket()
  const keep = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      socket = new Socket()
      await listenOnce(url, listener, socket, ending.signal).catch(() => undefined)
      // Not closed gracefully: a frozen connection would never respond.
      socket.destroy()
      await pause(RETRY_MS, undefined, { signal: ending.signal }).catch(() => undefined)
    }
  }
  const running = keep()
  return {
    stop: async () => {
      ending.abort()
      socket.destroy()
      await running
    },
  }
}
