import type { Db } from './db.ts'

const passed = new WeakSet<Db>()

/**
 * Records that this request's access to its rows was checked. Every guard of an area calls it: the pipeline lets every
 * member call an operation for lecturers of a course or for holders, and only the guard knows the rows.
 */
export const guardPassed = (db: Db): void => void passed.add(db)

/** Whether a guard ran on this connection or in this transaction. */
export const hasPassedGuard = (db: Db): boolean => passed.has(db)
