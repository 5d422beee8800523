import type { Database } from '#src/contract/db.ts'
import type { Job, JobHandler } from '#src/contract/job.ts'
import { type Busy, claimJob, postponeJob, settleJob } from '#src/db/jobs.ts'
import { isPassing } from '#src/db/sqlstates.ts'

/** What a worker works with. */
export type WorkerParts = {
  readonly database: Database
  /** Who does the work of each kind. */
  readonly handlers: Readonly<Record<string, JobHandler>>
  onFault(error: unknown, job: Job | undefined): void
}

/** A worker that runs until it is stopped. */
export type Worker = {
  /** Looks for work now. */
  wake(): void
  /** Claims nothing more and waits for what is under way, a few seconds at most. */
  stop(): Promise<void>
}

const AT_ONCE = 8
// So that one school's work that hangs leaves room for the others.
const AT_ONCE_PER_SCHOOL = 2
// Sweeping can wait, and after a pause every school's is due at once.
const AT_ONCE_OF_KIND: Readonly<Record<string, number>> = { sweep: 1, storage: 1 }
// Longer than any piece of work may take, so that a claim runs out only under a process that died.
const CLAIM_SECONDS = 300
// Until work is tried again that met a lock, or a database that was busy or away.
const BUSY_SECONDS = 5
const LOOK_MS = 1000
const STOP_MS = 5000

const tally = (names: readonly string[]): [name: string, count: number][] => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts]
}

const busyOf = (running: ReadonlySet<Job>): Busy => {
  const schools = tally([...running].map(({ schoolId }) => schoolId))
  const kinds = tally([...running].map(({ kind }) => kind))
  return {
    schools: schools.filter(([, count]) => count >= AT_ONCE_PER_SCHOOL).map(([schoolId]) => schoolId),
    kinds: kinds.filter(([kind, count]) => count >= (AT_ONCE_OF_KIND[kind] ?? AT_ONCE)).map(([kind]) => kind),
  }
}

const perform = async ({ database, handlers }: WorkerParts, job: Job): Promise<void> => {
  const handler = handlers[job.kind]
  if (handler === undefined) throw new Error(`nobody does work of the kind ${job.kind}`)
  const { againIn, settle } = await handler(job)
  await database.transaction(job.schoolId, async db => {
    if ((await settleJob(db, job, againIn)) > 0) await settle(db)
  })
}

// What else went wrong is left claimed: work that always fails, or ends the process, comes again when the claim runs out.
const afterFault = async ({ database, onFault }: WorkerParts, job: Job, error: unknown): Promise<void> => {
  onFault(error, job)
  if (!isPassing(error)) return
  await database
    .transaction(job.schoolId, db => postponeJob(db, job, BUSY_SECONDS))
    .catch((failure: unknown) => onFault(failure, job))
}

/** Starts a worker: it claims due work and does several pieces at once, looking each second and when it is woken. */
export const startWorker = (parts: WorkerParts): Worker => {
  const running = new Set<Job>()
  const works = new Set<Promise<void>>()
  let stopped = false
  let looking = false
  let lookAgain = false
  // The schools that had their turn since every school with due work had one.
  const served = new Set<string>()

  const claim = async (): Promise<Job | undefined> => {
    const { schools, kinds } = busyOf(running)
    const others = [...new Set([...schools, ...served])]
    const job = await claimJob(parts.database.shared, { schools: others, kinds }, CLAIM_SECONDS)
    if (job !== undefined || served.size === 0) return job
    served.clear()
    return claimJob(parts.database.shared, { schools, kinds }, CLAIM_SECONDS)
  }

  const begin = (job: Job): void => {
    running.add(job)
    const work = perform(parts, job)
      .catch(error => afterFault(parts, job, error))
      .finally(() => {
        running.delete(job)
        works.delete(work)
        wake()
      })
    works.add(work)
  }

  const claimAll = async (): Promise<void> => {
    while (!stopped && running.size < AT_ONCE) {
      const job = await claim()
      if (job === undefined) return
      served.add(job.schoolId)
      begin(job)
    }
  }

  const look = async (): Promise<void> => {
    looking = true
    do {
      lookAgain = false
      await claimAll().catch(error => parts.onFault(error, undefined))
    } while (lookAgain && !stopped)
    looking = false
  }

  let looked: Promise<void> = Promise.resolve()
  const wake = (): void => {
    if (stopped) return
    if (looking) lookAgain = true
    else looked = look()
  }

  const timer = setInterval(wake, LOOK_MS)
  wake()
  return {
    wake,
    stop: async () => {
      stopped = true
      clearInterval(timer)
      const late = new Promise<void>(resolve => setTimeout(resolve, STOP_MS).unref())
      await Promise.race([looked.then(() => Promise.all(works)), late])
    },
  }
}
