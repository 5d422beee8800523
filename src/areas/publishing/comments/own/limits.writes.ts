import type { CountTries } from '#src/contract/call-limit.ts'
import { Refusal } from '#src/contract/problem.ts'
import { rateLimited } from '#src/contract/problems.ts'
import { buildUse, consume, type RateLimit, refundUses, useByNetwork } from '#src/db/rate-limit.ts'
import { computeHash } from './text.rules.ts'

const HOUR = 3600
// Only members write comments, so this is against one person with many accounts.
const perNetwork: RateLimit = { name: 'comment:network', uses: 300, seconds: 60 }
const perMinute: RateLimit = { name: 'comment:minute', uses: 10, seconds: 60 }
const perHour: RateLimit = { name: 'comment:hour', uses: 60, seconds: HOUR }
const perText: RateLimit = { name: 'comment:text', uses: 3, seconds: HOUR }

const textIn = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'body' in body && typeof body.body === 'string' ? body.body : ''

/**
 * Counts a new comment: 300 a minute for a network, 10 a minute and 60 an hour for a member, and three an hour for the same
 * text of a member, wherever it is written. Refuses with `rate_limited` beyond; a comment that is refused is not counted.
 */
export const countComment: CountTries = async ({ shared, schoolId, network, memberId = '', body }) => {
  const { wait, uses } = await consume(shared, [
    useByNetwork(perNetwork, schoolId, network),
    buildUse(perMinute, schoolId, memberId),
    buildUse(perHour, schoolId, memberId),
    buildUse(perText, schoolId, `${memberId}\n${computeHash(textIn(body)).toString('hex')}`),
  ])
  if (wait === 0)
    return async error => {
      if (error !== undefined) await refundUses(shared, uses)
    }
  throw new Refusal(rateLimited, `Too many comments; wait ${wait} seconds.`, {
    headers: { 'retry-after': String(wait) },
  })
}
