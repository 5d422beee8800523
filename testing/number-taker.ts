import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type OpenDatabase, openDatabase } from '#src/db/database.ts'
import { takeNumber } from '#src/db/number-series.ts'
import { sql } from '#src/db/sql.ts'
import { preloadArguments } from './preload.ts'

/** The series from which numbers are taken for the rows of a table `documents (school_id, number)`. */
export const series = { kind: 'invoice', year: 2026 } as const

type Task = {
  readonly databaseUrl: string
  readonly schoolId: string
  readonly documents: number
  readonly lanes: number
}

/**
 * Starts a process that stores numbered documents, some at once, then takes one more number and keeps its transaction open.
 * Resolves once it has taken that number.
 */
export const startTaker = async (task: Task): Promise<ChildProcess> => {
  const child = fork(fileURLToPath(import.meta.url), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [...preloadArguments],
  })
  child.send(task)
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('the process ended before it took its last number'))),
  ])
  return child
}

const addDocument = (database: OpenDatabase, schoolId: string, beforeCommit: () => Promise<unknown>): Promise<void> =>
  database.transaction(schoolId, async db => {
    const number = await takeNumber(db, schoolId, series)
    await db.run(sql`insert into documents (school_id, number) values (${schoolId}, ${number})`)
    await beforeCommit()
  })

const run = async ({ databaseUrl, schoolId, documents, lanes }: Task): Promise<void> => {
  const database = openDatabase(databaseUrl, { wait: 30_000 })
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (let at = 0; at < documents; at++) await addDocument(database, schoolId, async () => undefined)
    }),
  )
  await addDocument(database, schoolId, async () => {
    process.send?.('taken')
    await new Promise(() => undefined)
  })
}

if (import.meta.main) {
  // Whatever becomes of the test, this process ends with it.
  process.once('disconnect', () => process.exit(1))
  process.once('message', message => void run(message as Task))
}
