import type { SchoolContext } from '#src/contract/context.ts'
import { Refusal } from '#src/contract/problem.ts'
import { chargeUnderWay } from '../rules.ts'
import type { SubscriptionRow } from '../subscription/conditions.ts'
import { findOpenPeriod } from './queries.ts'

/** Refuses with 409 a change of a subscription while a period of it is being charged. */
export const checkNotCharging = async (
  { db, school }: SchoolContext,
  { id }: Pick<SubscriptionRow, 'id'>,
): Promise<void> => {
  if ((await findOpenPeriod(db, school.id, id)) !== undefined)
    throw new Refusal(chargeUnderWay, 'A period of the subscription is being charged.')
}
