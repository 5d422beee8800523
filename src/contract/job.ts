import type { Db } from './db.ts'

/** A claimed job; `attempt` starts at 1 and includes attempts that crashed. */
export type Job = { readonly kind: string; readonly schoolId: string; readonly id: string; readonly attempt: number }

/** The outcome of a job: what to write in the transaction that marks it as done, and in how many seconds to retry, if at all. */
export type JobOutcome = { readonly againIn: number | undefined; settle(db: Db): Promise<unknown> }

/**
 * Runs one job outside any transaction. After an error the job is claimed again; when the database was only busy or
 * unreachable, this happens soon and does not count as an attempt.
 */
export type JobHandler = (job: Job) => Promise<JobOutcome>

/**
 * A kind of job: how its handler is created. With `places: 'outbound'` its jobs wait for systems elsewhere, and take places of
 * their own, two of a school. With `atOnce` it has a lane of its own: a process runs so many of a school at
 * once, and they take no places from jobs without a lane.
 */
export type JobDeclaration<Parts> =
  | ((parts: Parts) => JobHandler)
  | { readonly create: (parts: Parts) => JobHandler; readonly atOnce: number }
  | { readonly create: (parts: Parts) => JobHandler; readonly places: 'outbound' }
