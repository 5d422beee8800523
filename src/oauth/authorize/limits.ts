import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import { buildUse, consume, type RateLimit, refundUses, useByNetwork, usesOfNetwork } from '#src/db/rate-limit.ts'
import { texts } from '#src/texts/index.ts'

const SECONDS = 600
const strangers: RateLimit = { name: 'authorize:network', uses: 300, seconds: SECONDS }
const perMember: RateLimit = { name: 'authorize:member', uses: 100, seconds: SECONDS }
// Many members may share one address, while an attacker with many accounts uses few networks.
const membersOfNetwork: RateLimit = { name: 'authorize:members-network', uses: 6000, seconds: SECONDS }

/** Counts an authorization request, by the signed-in member or by the network. */
export const consumeAuthorization = async (
  { database, school, network }: EndpointRequest,
  memberId: string | undefined,
): Promise<void> => {
  const counts =
    memberId === undefined
      ? [useByNetwork(strangers, school.id, network)]
      : [buildUse(perMember, school.id, memberId), useByNetwork(membersOfNetwork, school.id, network)]
  const { wait } = await consume(database.shared, counts)
  if (wait === 0) return
  const phrase = texts.oauth.authorize.limits.consumeAuthorization.tooManyAuthorizationsWereStarted
  throw new OAuthError('temporarily_unavailable', phrase, { status: 429, headers: { 'retry-after': String(wait) } })
}

/** Refunds the use of an authorization at its network, after the person signed in for it. */
export const refundAuthorization = ({ database, school, network }: EndpointRequest, since: Date): Promise<void> =>
  refundUses(database.shared, usesOfNetwork(strangers, school.id, network), since)
