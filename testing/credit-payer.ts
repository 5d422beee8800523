import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { areas } from '#src/areas.ts'
import { openDatabase } from '#src/db/database.ts'
import { getSchool } from '#src/db/schools.ts'
import { asOperator } from '../src/commands/as-operator.ts'
import { preloadArguments } from './preload.ts'

type Task = {
  readonly databaseUrl: string
  readonly secret: string
  readonly folder: string
  readonly schoolId: string
  /** The subscription whose credit is paid back, as its id in the API. */
  readonly subscriptionId: string
  /** How much is paid back each time, in minor units. */
  readonly amount: number
}

const LANES = 3

/**
 * Starts a process that pays back a credit again and again, several times at once, and ends it in the middle of that once so many
 * were acknowledged. Returns how many were.
 */
export const payBackUntilKilled = async (task: Task, most: number): Promise<number> => {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [...preloadArguments],
  })
  const gone = once(child, 'exit')
  let acknowledged = 0
  child.on('message', () => {
    acknowledged += 1
    if (acknowledged === most) child.kill('SIGKILL')
  })
  child.send(task)
  await gone
  return acknowledged
}

const run = async ({ databaseUrl, secret, folder, schoolId, subscriptionId, amount }: Task): Promise<void> => {
  const database = openDatabase(databaseUrl, { wait: 30_000 })
  const school = await database.statements(schoolId, db => getSchool(db, schoolId))
  const call = { operation: 'payCreditBack', params: { subscription_id: subscriptionId }, body: { amount } }
  const pay = async (): Promise<void> => {
    for (;;) {
      await asOperator({ database, secret, storage: { folder }, school, areas }, (performAs, at) => performAs(at, call))
      process.send?.('paid')
    }
  }
  await Promise.all(Array.from({ length: LANES }, pay))
}

if (import.meta.main) {
  // Whatever becomes of the test, this process ends with it.
  process.once('disconnect', () => process.exit(1))
  process.once('message', message => void run(message as Task))
}
