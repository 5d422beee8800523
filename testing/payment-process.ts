import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '#src/db/database.ts'
import { openFiles } from '#src/store/index.ts'
import { startBackground } from '../src/background.ts'
import { chargeElsewhere } from './outside-provider.ts'
import { preloadArguments } from './preload.ts'
import { ownEveryOrder, purchases } from './purchases.ts'

type Task = { readonly databaseUrl: string; readonly secret: string; readonly folder: string }

/** A worker in a process of its own, with the area of purchases and the outside provider. */
export type PaymentWorker = {
  /** Ends the process at once, in the middle of whatever it does. */
  kill(): Promise<void>
}

/** Starts a worker on a database; it ends with the test's process. */
export const startPaymentWorker = async (task: Task): Promise<PaymentWorker> => {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [...preloadArguments],
  })
  child.send(task)
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('the worker did not start'))),
  ])
  return {
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

const run = async ({ databaseUrl, secret, folder }: Task): Promise<void> => {
  chargeElsewhere()
  ownEveryOrder()
  const database = openDatabase(databaseUrl, { wait: 30_000 })
  startBackground({
    database,
    secret,
    files: await openFiles({ folder }),
    listenUrl: databaseUrl,
    moreAreas: [purchases],
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
