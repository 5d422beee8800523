import { sql } from '#src/db/sql.ts'

/** The column of a view of everything, deleted or not, that says whether a row exists or is in the bin. */
export const isKept = sql`is_kept`
