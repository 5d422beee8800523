import type { Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/**
 * Whether the registration `r` takes a seat, in a statement that begins with the clock: a hold that is over takes none,
 * whether or not the worker has ended it.
 */
export const takesSeat: Statement = sql`(r.status in ('confirmed', 'checked_in')
  or (r.status in ('offered', 'awaiting_payment') and r.hold_until > (select now from clock)))`

/** Whether the registration `r` stands: it has a seat, waits for one, or waits for a decision. */
export const stands: Statement = sql`r.status in ('confirmed', 'checked_in', 'offered', 'awaiting_payment',
  'awaiting_approval', 'waitlisted')`
