import type { Database } from '#src/contract/db.ts'
import type { Job, JobHandler } from '#src/contract/job.ts'
import { type Busy, claimJob, postponeJob, settleJob } from '#src/db/jobs.ts'
import { isPassing } from '#src/db/sqlstates.ts'

/** The parts of a worker. */
export type WorkerParts = {
  readonly database: Database
  /** The handler of each kind of job. */
  readonly handlers: Readonly<Record<string, JobHandler>>
  onError(error: unknown, job: Job | undefined): void
}

/** A worker that runs until it is stopped. */
export type Worker = {
  /** Claims due jobs now. */
  wake(): void
  /** Claims no more jobs and waits for running ones, a few seconds at most. */
  stop(): Promise<void>
}

const AT_ONCE = 8
// So that hanging jobs of one school do not block the others.
const AT_ONCE_PER_SCHOOL = 2
// Sweeps can wait, and after a pause those of all schools are due at once.
const AT_ONCE_OF_KIND: Readonly<Record<string, number>> = { sweep: 1, storage: 1 }
// Longer than any job may take, so that a claim expires only if the process died.
const CLAIM_SECONDS = 300
// The delay before a job is tried again after a lock or a busy or unavailable database.
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
  if (handler === undefined) throw new Error(`there is no handler for jobs of the kind ${job.kind}`)
  const { againIn, settle } = await handler(job)
  await database.transaction(job.schoolId, async db => {
    if ((await settleJob(db, job, againIn)) > 0) await settle(db)
  })
}

// After other errors the job stays claimed: one that always fails, or ends the process, runs again when the claim
// expires.
const handleError = async ({ database, onError }: WorkerParts, job: Job, error: unknown): Promise<void> => {
  onError(error, job)
  if (!isPassing(error)) return
  await database
    .transaction(job.schoolId, db => postponeJob(db, job, BUSY_SECONDS))
    .catch((failure: unknown) => onError(failure, job))
}

/** Starts a worker: it claims due jobs and runs several at once, polling each second and when it is woken. */
export const startWorker = (parts: WorkerParts): Worker => {
  const running = new Set<Job>()
  const works = new Set<Promise<void>>()
  let stopped = false
  let isClaiming = false
  let lookAgain = false
  // The schools that were served since every school with due jobs was served.
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
      .catch(error => handleError(parts, job, error))
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
    isClaiming = true
    do {
      lookAgain = false
      await claimAll().catch(error => parts.onError(error, undefined))
    } while (lookAgain && !stopped)
    isClaiming = false
  }

  let lastLook: Promise<void> = Promise.resolve()
  const wake = (): void => {
    if (stopped) return
    if (isClaiming) lookAgain = true
    else lastLook = look()
  }

  const timer = setInterval(wake, LOOK_MS)
  wake()
  return {
    wake,
    stop: async () => {
      stopped = true
      clearInterval(timer)
      const late = new Promise<void>(resolve => setTimeout(resolve, STOP_MS).unref())
      await Promise.race([lastLook.then(() => Promise.all(works)), late])
    },
  }
}
