import type { Database } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { consume, type RateLimit, refundUses, useByNetwork, usesOfNetwork } from '#src/db/rate-limit.ts'
import type { CheckoutInput } from '../checkout/schema.ts'
import type { CheckoutRow } from './queries.ts'

// As many as codes: a room of people who buy at once. The use is given back when the buyer has proven their address.
const perNetwork: RateLimit = { name: 'checkout:network', uses: 100, seconds: 3600 }

/** Counts a checkout of somebody who is not signed in; returns the seconds to wait, 0 for none. */
export const countCheckout = async ({ shared }: Database, school: School, network: string): Promise<number> =>
  (await consume(shared, [useByNetwork(perNetwork, school.id, network)])).wait

/** Gives back the count of a checkout, which began then, once its buyer has proven their address. */
export const refundCheckout = (
  { shared }: Database,
  school: School,
  network: string,
  { created_at }: Pick<CheckoutRow, 'created_at'>,
): Promise<void> => refundUses(shared, usesOfNetwork(perNetwork, school.id, network), created_at)

/** What a stored checkout is about, as the rule of orders takes it. */
export const buildInput = (row: CheckoutRow): CheckoutInput => ({
  items: row.items,
  codes: [...row.codes],
  billing: row.billing,
  accept_terms: row.accepts_terms,
  waive_withdrawal: row.waives_withdrawal,
  ...(row.campaign === null ? {} : { campaign: row.campaign }),
})
