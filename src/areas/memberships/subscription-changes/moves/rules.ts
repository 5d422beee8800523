import { type Anchor, periodStart } from '#src/areas/memberships/subscriptions/index.ts'
import { problem } from '#src/contract/problem.ts'
import type { Rhythm } from '../proration/rules.ts'

/** The holders of the price are being moved. */
export const moveUnderWay = problem(
  409,
  'move_under_way',
  'The holders of this price are being moved',
  'A move of the holders of this price was asked for, and is still being announced to them. Wait until it has ended.',
)

const NOTICE_DAYS = 14
const DAY_MS = 24 * 3600 * 1000

/** The first instant at which somebody may pay a price that is announced now. */
export const firstPayment = (now: Date): Date => new Date(now.getTime() + NOTICE_DAYS * DAY_MS)

/** When the first period of a subscription begins that is not before an instant. */
export const firstPeriod = (
  row: Anchor & { readonly current_number: number },
  rhythm: Rhythm,
  notBefore: Date,
): Date => {
  let number = row.current_number + 1
  let start = periodStart(row, rhythm, number)
  // Of the shortest interval, two periods begin within the notice.
  while (start < notBefore) start = periodStart(row, rhythm, ++number)
  return start
}
