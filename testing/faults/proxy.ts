import { once } from 'node:events'
import { connect, createServer, type NetConnectOpts } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createCutter, readType } from './frames.ts'
import { type Fault, openSession, type Plan, type Session } from './session.ts'

/** A proxy between an application and PostgreSQL that injects a fault into one call. */
export type FaultProxy = {
  /** The address that the application connects to. */
  readonly url: string
  /** Injects a fault into the call at this position from now on, counted from 1 without the calls that are left out. */
  arm(fault: Fault, at: number, isLeftOut?: (text: string) => boolean): void
  /** Stops the injection; returns the statement that met the fault, or `connect`, if any did. */
  disarm(): string | undefined
  /** Waits until the server's sessions of lost connections have ended. */
  settle(): Promise<void>
  /** Closes every connection and waits until the server's sessions have ended. */
  cut(): Promise<void>
  close(): Promise<void>
}

/** Returns where the server of an address listens: the query names the socket of an embedded one. */
export const parseUpstream = (url: URL): NetConnectOpts => {
  const host = url.searchParams.get('host') ?? url.hostname
  const port = Number(url.searchParams.get('port') ?? (url.port || '5432'))
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port, noDelay: true }
}

/** Returns the address of the same database on a port of this computer. */
export const through = (url: URL, port: number): string => {
  const own = new URL(url)
  own.search = ''
  own.hostname = '127.0.0.1'
  own.port = String(port)
  return `${own.href}?sslmode=disable`
}

/** Starts a proxy in front of the server of `databaseUrl`; statements that `isUncounted` matches never meet a fault. */
export const startFaultProxy = async (
  databaseUrl: string | (() => string),
  isUncounted: (text: string) => boolean = () => false,
): Promise<FaultProxy> => {
  const urlNow = () => new URL(typeof databaseUrl === 'string' ? databaseUrl : databaseUrl())
  const open = new Map<Session, Promise<unknown>>()
  let plan: Plan | undefined
  const server = createServer({ noDelay: true }, client => {
    const upstream = connect(parseUpstream(urlNow()))
    const session = openSession(client, upstream, () => plan, isUncounted)
    const [framesOfClient, framesOfServer] = [createCutter(false), createCutter(true)]
    let hasStarted = false
    client.on('data', chunk => {
      for (const frame of framesOfClient(chunk)) session.request(frame)
    })
    upstream.on('data', chunk => {
      for (const frame of framesOfServer(chunk)) {
        session.answered(frame, hasStarted)
        hasStarted ||= readType(frame) === 'Z'
      }
    })
    client.on('error', () => undefined).on('close', () => upstream.end())
    upstream.on('error', () => undefined).on('close', () => client.end())
    const ended = [client, upstream].map(socket => new Promise(resolve => socket.once('close', resolve)))
    open.set(
      session,
      Promise.all(ended).then(() => open.delete(session)),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const settle = async (): Promise<void> => {
    await Promise.all([...open].filter(([session]) => session.isLost()).map(([, gone]) => gone))
    // The pool detects it a moment after the socket does.
    for (let turn = 0; turn < 3; turn++) await nextTurn()
  }
  const cut = (): Promise<void> => {
    for (const session of open.keys()) session.lose()
    return settle()
  }
  return {
    url: through(urlNow(), port),
    arm: (fault, at, isLeftOut = () => false) => {
      plan = { fault, at, calls: 0, hit: undefined, isLeftOut }
    },
    disarm: () => {
      const hit = plan?.hit
      plan = undefined
      return hit
    },
    settle,
    cut,
    close: async () => {
      server.close()
      await cut()
    },
  }
}
