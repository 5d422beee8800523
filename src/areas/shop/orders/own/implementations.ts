import { type Departure, memberDeparture, memberRunning } from '#src/areas/people/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { implement } from '#src/contract/hook.ts'
import { lockPending } from '../order/queries.ts'
import { cancelPending } from '../settlement/writes.ts'

// What waits for payment ends, and gives back what it held; orders of subscriptions end with these.
const cancelAll = async (
  context: TransactionContext,
  memberId: string,
  reason: Departure,
): Promise<readonly Fact[]> => {
  const facts: Fact[] = []
  for (const order of await lockPending(context.db, context.school.id, memberId))
    facts.push(...(await cancelPending(context, order, reason)))
  return facts
}

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(memberRunning, async ({ memberId }, { db, school }) => ({
    orders: (await lockPending(db, school.id, memberId)).length,
  })),
  implement(memberDeparture, ({ memberId, reason, now }, context) => cancelAll({ ...context, now }, memberId, reason)),
]
