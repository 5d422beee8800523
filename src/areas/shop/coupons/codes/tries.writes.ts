import type { Db } from '#src/contract/db.ts'
import { Refusal } from '#src/contract/problem.ts'
import { rateLimited } from '#src/contract/problems.ts'
import {
  buildUse,
  consumePatiently,
  type LimitUse,
  type RateLimit,
  refundUses,
  useByNetwork,
} from '#src/db/rate-limit.ts'

const TEN_MINUTES = 600
const perNetwork: RateLimit = { name: 'coupon:network', uses: 20, seconds: TEN_MINUTES }
const perMember: RateLimit = { name: 'coupon:member', uses: 10, seconds: TEN_MINUTES }
// Against one person with many accounts; a room of people has its own tries.
const membersOfNetwork: RateLimit = { name: 'coupon:members-network', uses: 200, seconds: TEN_MINUTES }

/** Who types a code, and from where. */
type Typing = { readonly schoolId: string; readonly network: string; readonly memberId: string | undefined }

/**
 * Counts a code that a person typed, before it is looked up and outside the transaction that uses it, within ten minutes: 10 for a
 * member and 200 for the members of a network, 20 for the others of a network. Refuses with `rate_limited` beyond. Returns what `refundCodeTry` gives back.
 */
export const countCodeTry = async (
  shared: Db,
  { schoolId, network, memberId }: Typing,
): Promise<readonly LimitUse[]> => {
  const counts =
    memberId === undefined
      ? [useByNetwork(perNetwork, schoolId, network)]
      : [buildUse(perMember, schoolId, memberId), useByNetwork(membersOfNetwork, schoolId, network)]
  const { wait, uses } = await consumePatiently(shared, counts)
  if (wait === 0) return uses
  throw new Refusal(rateLimited, `Too many wrong codes; wait ${wait} seconds.`, {
    headers: { 'retry-after': String(wait) },
  })
}

/** Gives back the count of a code that was right, also when it was refused for another reason than `unknown_code`. */
export const refundCodeTry = (shared: Db, uses: readonly LimitUse[]): Promise<void> => refundUses(shared, uses)
