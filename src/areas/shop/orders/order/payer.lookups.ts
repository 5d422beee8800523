import type { SchoolContext } from '#src/contract/context.ts'
import { beginsAt } from '#src/contract/offer.ts'
import type { Payer } from '#src/contract/payments.ts'
import { findOrder, listLines } from './queries.ts'

// A method that takes days may still fail when what was bought has begun.
const SOON_MS = 7 * 24 * 3600 * 1000

/** Who pays an order, and whether methods that take days are offered for it; undefined when there is no such order. */
export const findPayer = async (context: SchoolContext, orderId: string, now: Date): Promise<Payer | undefined> => {
  const { db, school } = context
  const order = await findOrder(db, school.id, { ref: orderId })
  if (order === undefined) return undefined
  const lineIds = (await listLines(db, school.id, [orderId])).map(({ id }) => id)
  const begins = (await beginsAt.call({ lineIds }, context)).filter(one => one !== undefined)
  const { name, country } = order.billing
  return {
    buyer: { email: order.email ?? '', name: name ?? order.member_name, country },
    delays: begins.some(at => at.getTime() - now.getTime() <= SOON_MS) ? 'refused' : 'allowed',
  }
}
