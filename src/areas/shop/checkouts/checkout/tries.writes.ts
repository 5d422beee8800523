import { countCodeTry, refundCodeTry } from '#src/areas/shop/coupons/index.ts'
import type { CountTries } from '#src/contract/call-limit.ts'
import { Refusal } from '#src/contract/problem.ts'
import { codeRefused } from './rules.ts'

const hasCodes = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'codes' in body && Array.isArray(body.codes) && body.codes.length > 0

const isGuess = (error: unknown): boolean =>
  error instanceof Refusal && error.problem === codeRefused && error.extras.members?.reason === 'unknown_code'

/** Counts a checkout with codes, also a dry run, and gives the count back unless a code was unknown. */
export const countCodes: CountTries = async ({ shared, schoolId, network, memberId, body }) => {
  if (!hasCodes(body)) return undefined
  // The refusal tells of the first code that does not apply, so a call is one try.
  const uses = await countCodeTry(shared, { schoolId, network, memberId })
  return async error => {
    if (!isGuess(error)) await refundCodeTry(shared, uses)
  }
}
