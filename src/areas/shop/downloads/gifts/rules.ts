import { type EntitlementRow, isOver } from '#src/areas/learning/index.ts'
import { problem } from '#src/contract/problem.ts'

/** The member has this gift already. */
export const giftExists = problem(
  409,
  'gift_exists',
  'The member already has this gift',
  'The school gave the product to the member for at least this time, and the gift is still active. Take it back first to change when it ends.',
)

const LAST = Number.POSITIVE_INFINITY

/** Whether an active gift of the product itself lasts at least until an end. */
export const isCovered = (all: readonly EntitlementRow[], endsAt: Date | undefined, now: Date): boolean =>
  all.some(
    one =>
      one.item_type === 'digital_product' &&
      one.source === 'gift' &&
      !isOver(one, now) &&
      (one.ends_at?.getTime() ?? LAST) >= (endsAt?.getTime() ?? LAST),
  )
