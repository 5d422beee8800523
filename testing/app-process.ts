import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '#src/db/database.ts'
import { openFiles } from '#src/store/index.ts'
import { createApp } from '../src/app.ts'
import { outsideTo } from './documents.ts'
import { preloadArguments } from './preload.ts'

/** An application like the one of the test, in its own process on the same database. */
export type AppProcess = {
  readonly port: number
  stop(): Promise<void>
  /** Ends the process at once, in the middle of whatever it does. */
  kill(): Promise<void>
}

type Belonging = {
  readonly databaseUrl: string
  /** The address at which it listens for changes; unset: the database itself. */
  readonly listenUrl?: string
  readonly secret: string
  readonly ca: string
  /** The folder of uploaded files. */
  readonly folder?: string
}

const generous = { requests: 1_000_000, seconds: 60 }

const untilGone = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

/** Starts an application that reaches client metadata documents on this computer; it ends with the test's process. */
export const startAppProcess = async (belonging: Belonging): Promise<AppProcess> => {
  const child = fork(fileURLToPath(import.meta.url), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [...preloadArguments],
  })
  child.send(belonging)
  const port = await Promise.race([
    once(child, 'message').then(([message]) => Number(message)),
    once(child, 'exit').then(() => Promise.reject(new Error('the second application did not start'))),
  ])
  const stop = async (): Promise<void> => {
    child.disconnect()
    await untilGone(child)
  }
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await untilGone(child)
  }
  return { port, stop, kill }
}

const serve = async ({ databaseUrl, listenUrl = databaseUrl, secret, ca, folder = '' }: Belonging): Promise<void> => {
  // As in the test's own application: a slow machine must not decide who gets a connection.
  const database = openDatabase(databaseUrl, { wait: 10_000, onError: () => undefined })
  const app = createApp({
    database,
    changes: { listenUrl, writeUrl: databaseUrl },
    secret,
    files: await openFiles({ folder }),
    rates: { network: generous, grant: generous },
    trustProxy: '',
    tellsHosts: false,
    log: { level: 'silent', stream: process.stderr },
    ready: async () => ({ ready: true }),
    outside: outsideTo(ca),
  })
  process.once('disconnect', () => void app.close().then(() => database.close()))
  await app.listen({ host: '127.0.0.1', port: 0 })
  process.send?.((app.server.address() as { port: number }).port)
}

if (import.meta.main) process.once('message', message => void serve(message as Belonging))
