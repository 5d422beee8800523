import type { Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/**
 * Whether the registration `r` takes a seat, in a statement that begins with the clock: a hold that is over takes none,
 * whether or not the worker has ended it.
 */
export const takesSeat: Statement = sql`(r.status in ('confirmed', 'checked_in')
  or (r.status in ('offered', 'awaiting_payment') and r.hold_until > (select now from clock)))`

/** Whether the registration `r` is a request that takes a seat, as its event says. */
export const requestTakesSeat = (schoolId: string): Statement => sql`(r.status = 'awaiting_approval' and exists (
  select from events ev where ev.school_id = ${schoolId} and ev.id = r.event_id and ev.approval_holds_seat))`

/** Whether the registration `r` stands: it has a seat, waits for one, or waits for a decision. */
export const stands: Statement = sql`r.status in ('confirmed', 'checked_in', 'offered', 'awaiting_payment',
  'awaiting_approval', 'waitlisted')`
