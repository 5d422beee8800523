import type { Db } from './db.ts'

/** A piece of work that was claimed; `attempt` counts from 1, crashed ones too. */
export type Job = { readonly kind: string; readonly schoolId: string; readonly id: string; readonly attempt: number }

/** How a piece of work ended: what to write together with its mark, and in how many seconds to try again, if at all. */
export type JobOutcome = { readonly againIn: number | undefined; settle(db: Db): Promise<unknown> }

/**
 * Does one piece of work outside any transaction; throwing leaves it to be claimed again, soon and uncounted where the
 * database was only busy or away.
 */
export type JobHandler = (job: Job) => Promise<JobOutcome>
