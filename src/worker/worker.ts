import type { Database } from '#src/contract/db.ts'
import type { Job, JobHandler } from '#src/contract/job.ts'
import { postponeJob, settleJob } from '#src/db/jobs.ts'
import { isPassing } from '#src/db/sqlstates.ts'
import { placesFor } from './places.ts'
import { createRound, type Round } from './round.ts'

/** The parts of a worker. */
export type WorkerParts = {
  readonly database: Database
  /** The handler of each kind of job. */
  readonly handlers: Readonly<Record<string, JobHandler>>
  /** How many jobs of a school run at once, of each kind that has a lane. */
  readonly lanes?: Readonly<Record<string, number>>
  /** The kinds of jobs that wait for systems elsewhere. */
  readonly outbound?: readonly string[]
  /** The number by which this process claims, while claims can be released when it ends. */
  readonly claimant?: () => number | undefined
  onError(error: unknown, job: Job | undefined): void
}

/** A worker that runs until it is stopped. */
export type Worker = {
  /** Claims due jobs now. */
  wake(): void
  /** Claims no more jobs and waits for running ones, a few seconds at most. */
  stop(): Promise<void>
}

// The delay before a job is tried again after a lock or a busy or unavailable database.
const BUSY_SECONDS = 5
// Twice a second, so that what is due within a second is done within it.
const LOOK_MS = 500
const STOP_MS = 5000

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

/** Starts a worker: it claims due jobs and runs several at once, polling twice a second and when it is woken. */
export const startWorker = (parts: WorkerParts): Worker => {
  const rounds = placesFor(Object.keys(parts.handlers), parts.lanes ?? {}, parts.outbound).map(places =>
    createRound(places, parts.claimant),
  )
  const works = new Set<Promise<void>>()
  let stopped = false
  let isClaiming = false
  let lookAgain = false

  const begin = (job: Job, { running }: Round): void => {
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

  const claimOne = async (round: Round): Promise<boolean> => {
    const job = stopped ? undefined : await round.claim(parts.database.shared)
    if (job !== undefined) begin(job, round)
    return job !== undefined
  }

  // By turns, so that neither sort of places waits for the other.
  const claimAll = async (): Promise<void> => {
    for (let found = true; found; ) {
      found = false
      for (const round of rounds) found = (await claimOne(round)) || found
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
