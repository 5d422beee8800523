import type { Db } from './db.ts'

const passed = new WeakSet<Db>()

/**
 * Notes that the caller's right to the rows of this request was checked. Every guard of an area calls it: an operation for
 * lecturers of a course, or for holders, lets each member through to its handler, and only the guard knows the rows.
 */
export const guardPassed = (db: Db): void => void passed.add(db)

/** Whether a guard ran on this connection or in this transaction. */
export const hasPassedGuard = (db: Db): boolean => passed.has(db)
