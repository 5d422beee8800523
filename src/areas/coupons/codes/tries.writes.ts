import type { Db } from '#src/contract/db.ts'
import { Refusal } from '#src/contract/problem.ts'
import { rateLimited } from '#src/contract/problems.ts'
import { consumePatiently, type LimitUse, type RateLimit, refundUses, useByNetwork, useOf } from '#src/db/rate-limit.ts'

const TEN_MINUTES = 600
const perNetwork: RateLimit = { name: 'coupon:network', uses: 20, seconds: TEN_MINUTES }
const perMember: RateLimit = { name: 'coupon:member', uses: 10, seconds: TEN_MINUTES }

/** Who types a code, and from where. */
type Typing = { readonly schoolId: string; readonly network: string; readonly memberId: string | undefined }

/**
 * Counts a code that a person typed, before it is looked up and outside the transaction that uses it: 20 for a network and
 * 10 for a member within ten minutes. Refuses with `rate_limited` beyond. Returns what `refundCodeTry` gives back.
 */
export const countCodeTry = async (
  shared: Db,
  { schoolId, network, memberId }: Typing,
): Promise<readonly LimitUse[]> => {
  const { wait, uses } = await consumePatiently(shared, [
    useByNetwork(perNetwork, schoolId, network),
    ...(memberId === undefined ? [] : [useOf(perMember, schoolId, memberId)]),
  ])
  if (wait === 0) return uses
  throw new Refusal(rateLimited, `Too many wrong codes; wait ${wait} seconds.`, {
    headers: { 'retry-after': String(wait) },
  })
}

/** Gives back the count of a code that was right, also when it was refused for another reason than `unknown_code`. */
export const refundCodeTry = (shared: Db, uses: readonly LimitUse[]): Promise<void> => refundUses(shared, uses)
