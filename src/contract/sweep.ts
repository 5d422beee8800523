import type { Db } from './db.ts'

/** One step of a sweep: at most so many rows, after a position or from the start. */
type SweepStep = { readonly most: number; readonly after: string | undefined }

/**
 * Deletes rows of one kind that are no longer needed, in one statement. Returns the position to continue from, undefined
 * when it is done. Two sweeps may run at once.
 */
export type Sweep = (db: Db, schoolId: string, step: SweepStep) => Promise<string | undefined>

/** The position of a sweep that deletes what it finds: it continues as long as it deleted as many rows as it may. */
export const hasMore = (deleted: number, most: number): string | undefined => (deleted === most ? 'more' : undefined)
