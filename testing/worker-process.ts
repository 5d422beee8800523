import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '#src/db/database.ts'
import { openFiles } from '#src/store/index.ts'
import { startBackground } from '../src/background.ts'
import type { Origins } from './payment-suite/providers.ts'
import { preloadArguments } from './preload.ts'

type Task = {
  readonly databaseUrl: string
  readonly secret: string
  readonly folder: string
  /** Where it calls providers of payments that the test has started. */
  readonly origins?: Origins
  /** With how many megabytes of objects the process has to do; without it, V8 lets them grow with the memory of the machine. */
  readonly maxHeapMegabytes?: number
}

/** A worker in a process of its own. */
export type WorkerProcess = {
  readonly pid: number
  /** Ends the process at once, in the middle of whatever it does. */
  kill(): Promise<void>
}

/** Starts a worker on a database; it ends with the test's process. */
export const startWorkerProcess = async (task: Task): Promise<WorkerProcess> => {
  const heap = task.maxHeapMegabytes === undefined ? [] : [`--max-heap-size=${task.maxHeapMegabytes}`]
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [...heap, ...preloadArguments],
  })
  child.send(task)
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('the worker did not start'))),
  ])
  return {
    pid: child.pid ?? 0,
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

const run = async ({ databaseUrl, secret, folder, origins }: Task): Promise<void> => {
  // Loaded where it is needed: it brings the packages of providers along.
  if (origins !== undefined) (await import('./payment-suite/providers.ts')).callProvidersAt(origins)
  const database = openDatabase(databaseUrl, { wait: 30_000 })
  startBackground({
    database,
    secret,
    files: await openFiles({ folder }),
    listenUrl: databaseUrl,
    mail: { smtpUrl: undefined, from: 'school@mail.example', folder, onFile: () => undefined },
    onError: error => process.stderr.write(`${String(error)}\n`),
  })
  process.send?.('started')
}

if (import.meta.main) {
  // Whatever becomes of the test, this process ends with it.
  process.once('disconnect', () => process.exit(1))
  process.once('message', message => void run(message as Task))
}
