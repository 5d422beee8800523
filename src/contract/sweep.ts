import type { Db } from './db.ts'

/** How far one statement of a sweep goes: so many rows, after a place or from the start. */
export type SweepStep = { readonly most: number; readonly after: string | undefined }

/**
 * Takes away rows of one kind that nobody needs any more, in one statement. Gives the place to go on from, undefined when
 * it is done. Two may run at once.
 */
export type Sweep = (db: Db, schoolId: string, step: SweepStep) => Promise<string | undefined>

/** Where a sweep that takes what it finds goes on: where it was, as long as it found all that it may take. */
export const hasMore = (taken: number, most: number): string | undefined => (taken === most ? 'more' : undefined)
