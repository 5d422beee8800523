import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '#src/db/database.ts'
import { openFiles } from '#src/store/index.ts'
import { createApp } from '../src/app.ts'
import { startBackground } from '../src/background.ts'
import { outsideTo } from './documents.ts'
import type { Origins } from './payment-suite/providers.ts'
import { preloadArguments } from './preload.ts'

/** An application like the one of the test, in its own process on the same database. */
export type AppProcess = {
  readonly port: number
  readonly pid: number
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
  /** Where it calls providers of payments, which the test has started. */
  readonly origins?: Origins
}

type Task = Belonging & {
  /** Whether it has the rate limits of the product, and its worker, as `stoa serve` has. */
  readonly isServer: boolean
  readonly smtpUrl?: string | undefined
}

const generous = { requests: 1_000_000, seconds: 60 }

// Loading the product takes longer than most tests: a process whose application has stopped takes the next one.
const free = new Set<ChildProcess>()

const untilGone = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

const forkProcess = (): ChildProcess => {
  const child = fork(fileURLToPath(import.meta.url), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [...preloadArguments],
  })
  child.once('exit', () => free.delete(child))
  return child
}

// A process that waits for its next application keeps nobody from ending.
const setFree = (child: ChildProcess): void => {
  child.unref()
  child.channel?.unref()
  free.add(child)
}

const takeProcess = (): ChildProcess => {
  const [child = forkProcess()] = free
  free.delete(child)
  child.ref()
  child.channel?.ref()
  return child
}

const ask = (child: ChildProcess, task: Task | 'stop', failure: string): Promise<unknown> => {
  const gone = new AbortController()
  const ended = once(child, 'exit', gone).then(() => Promise.reject(new Error(failure)))
  const answered = once(child, 'message', gone).then(([message]) => message)
  child.send(task)
  return Promise.race([answered, ended]).finally(() => {
    ended.catch(() => undefined)
    answered.catch(() => undefined)
    gone.abort()
  })
}

const startIn = async (task: Task): Promise<AppProcess> => {
  const child = takeProcess()
  const port = Number(await ask(child, task, 'the second application did not start'))
  const stop = async (): Promise<void> => {
    await ask(child, 'stop', 'the second application ended before it stopped')
    setFree(child)
  }
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await untilGone(child)
  }
  return { port, pid: child.pid ?? 0, stop, kill }
}

/** Starts an application that reaches client metadata documents on this computer; it ends with the test's process. */
export const startAppProcess = (belonging: Belonging): Promise<AppProcess> => startIn({ ...belonging, isServer: false })

/** Starts what `stoa serve` runs, the application and its worker, on the database of a test; it ends with the test's process. */
export const startServer = async (
  { databaseUrl, secret }: Pick<Belonging, 'databaseUrl' | 'secret'>,
  smtpUrl?: string,
): Promise<AppProcess> => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-server-'))
  const server = await startIn({ databaseUrl, secret, ca: '', folder, isServer: true, smtpUrl })
  const removeFolder = () => rm(folder, { recursive: true, force: true })
  return {
    ...server,
    stop: () => server.stop().finally(removeFolder),
    kill: () => server.kill().finally(removeFolder),
  }
}

const serve = async (task: Task) => {
  if (task.origins !== undefined) (await import('./payment-suite/providers.ts')).callProvidersAt(task.origins)
  const { databaseUrl, listenUrl = databaseUrl, secret, ca, folder = '', isServer, smtpUrl } = task
  // As in the test's own application: a slow machine must not decide who gets a connection.
  const database = openDatabase(databaseUrl, { wait: 10_000, onError: () => undefined })
  const files = await openFiles({ folder })
  const app = createApp({
    database,
    changes: { listenUrl, writeUrl: databaseUrl },
    secret,
    files,
    ...(isServer ? {} : { rates: { network: generous, grant: generous } }),
    trustProxy: '',
    tellsHosts: isServer,
    log: { level: 'silent', stream: process.stderr },
    ready: async () => ({ ready: true }),
    outside: isServer ? undefined : outsideTo(ca),
  })
  const mail = { smtpUrl, from: 'school@mail.example', folder, onFile: () => undefined }
  const background = isServer
    ? startBackground({ database, secret, files, listenUrl, mail, onError: error => console.error(error) })
    : undefined
  await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    port: (app.server.address() as { port: number }).port,
    stop: async () => {
      await app.close()
      await background?.stop()
      await database.close()
    },
  }
}

const takeTasks = (): void => {
  let running: ReturnType<typeof serve> | undefined
  process.on('message', async (message: Task | 'stop') => {
    if (message === 'stop') {
      await (await running)?.stop()
      process.send?.('stopped')
    } else {
      running = serve(message)
      process.send?.((await running).port)
    }
  })
  // Whatever becomes of the test, this process ends with it.
  process.once('disconnect', () => process.exit())
}

if (import.meta.main) takeTasks()
