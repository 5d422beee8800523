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

/** A sweep that deletes at most so many rows at a time, with a function that returns how many it deleted. */
export const sweepRows =
  (deleteRows: (db: Db, schoolId: string, most: number) => Promise<number>): Sweep =>
  async (db, schoolId, { most }) =>
    hasMore(await deleteRows(db, schoolId, most), most)
