import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import { countUses, type Limit, returnUses, useByNetwork, useOf, usesOfNetwork } from '#src/db/limit.ts'

const SECONDS = 600
const strangers: Limit = { name: 'authorize:network', uses: 300, seconds: SECONDS }
const perMember: Limit = { name: 'authorize:member', uses: 100, seconds: SECONDS }
// Members behind one address are many; an attacker with many accounts is few networks.
const membersOfNetwork: Limit = { name: 'authorize:members-network', uses: 6000, seconds: SECONDS }

/** Counts an authorization request that is to be stored, by the member who is signed in or by the network. */
export const countBegun = async (
  { database, school, network }: EndpointRequest,
  memberId: string | undefined,
): Promise<void> => {
  const counts =
    memberId === undefined
      ? [useByNetwork(strangers, school.id, network)]
      : [useOf(perMember, school.id, memberId), useByNetwork(membersOfNetwork, school.id, network)]
  const { wait } = await countUses(database.shared, counts)
  if (wait === 0) return
  const phrase = {
    en: 'Too many authorizations were begun; try again later.',
    pt: 'Foram começadas demasiadas autorizações; tente mais tarde.',
  }
  throw new OAuthError('temporarily_unavailable', phrase, { status: 429, headers: { 'retry-after': String(wait) } })
}

/** Gives back what an authorization counted at its network, after the person signed in for it. */
export const returnBegun = ({ database, school, network }: EndpointRequest, since: Date): Promise<void> =>
  returnUses(database.shared, usesOfNetwork(strangers, school.id, network), since)
