import type { Caller } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import type { AnyOperation } from '#src/contract/operation.ts'
import type { School } from '#src/contract/school.ts'
import { buildUse, consume, useByNetwork } from '#src/db/rate-limit.ts'
import { tooMany } from './answer.ts'
import { checkRole } from './who.ts'

/** A call for which a limit is counted. */
type LimitedCall = {
  readonly operation: AnyOperation
  readonly school: School
  readonly caller: Caller
  readonly network: string
}

/**
 * Counts a call of an operation that has a limit, outside the transaction of the call, so that a refusal does not give the
 * count back. Refuses when the limit is used up. The operator has no limit.
 */
export const countCall = async (shared: Db, { operation, school, caller, network }: LimitedCall): Promise<void> => {
  const { rateLimit, id, who } = operation
  if (rateLimit === undefined || caller.isOperator === true) return
  // Who may not call the operation must not use up the limit of a network for those who may.
  checkRole(who, caller)
  const { seconds, by, timesOfMember } = rateLimit
  const { member } = caller
  const isOfMember = member !== undefined && (by === 'member' || timesOfMember !== undefined)
  const times = isOfMember ? (timesOfMember ?? rateLimit.times) : rateLimit.times
  const name = isOfMember && by === 'network' ? `operation:${id}:member` : `operation:${id}`
  const limit = { name, uses: times, seconds }
  const use = isOfMember ? buildUse(limit, school.id, member.id) : useByNetwork(limit, school.id, network)
  const { wait } = await consume(shared, [use])
  if (wait === 0) return
  throw tooMany(wait, {
    'ratelimit-policy': `"${id}";q=${times};w=${seconds}`,
    ratelimit: `"${id}";r=0;t=${wait}`,
  })
}

/** Runs a call after what it tries was counted; the operation gives the count back after it where that was right. */
export const withTries = async <T>(
  shared: Db,
  { operation, school, caller, network }: LimitedCall,
  body: unknown,
  run: () => Promise<T>,
): Promise<T> => {
  const tries = { shared, schoolId: school.id, network, memberId: caller.member?.id, body }
  const settle = caller.isOperator === true ? undefined : await operation.countTries?.(tries)
  if (settle === undefined) return run()
  let failure: unknown
  try {
    return await run()
  } catch (error) {
    failure = error
    throw error
  } finally {
    await settle(failure)
  }
}
