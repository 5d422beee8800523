import { type Count, type Limit, type SharedLimit, useByNetwork, useOf, useOfShared } from '#src/db/limit.ts'

const SECONDS = 600
const perNetwork: Limit = { name: 'documents:network', uses: 30, seconds: SECONDS }
const perUrl: Limit = { name: 'documents:url', uses: 12, seconds: SECONDS }
// Over all schools: the host outside must not pay for how many of them are here.
const perHost: SharedLimit = { name: 'documents:host', uses: 120, seconds: SECONDS, reserve: 2, most: 600 }
const perHostAndNetwork: Limit = { name: 'documents:host-network', uses: 30, seconds: SECONDS }
const perKnownHost: Limit = { name: 'documents:known-host', uses: 120, seconds: SECONDS }

type Fetching = {
  readonly schoolId: string
  readonly network: string
  readonly clientId: string
  readonly host: string
  /** Whether the school fetched this document before. */
  readonly isKnown: boolean
}

/**
 * What a fetch counts against. A document that was fetched before has a budget of its own at its host: requests for
 * others, which may not exist, cannot use it up.
 */
export const countsOf = ({ schoolId, network, clientId, host, isKnown }: Fetching): Count[] => [
  useByNetwork(perNetwork, schoolId, network),
  useOf(perUrl, schoolId, clientId),
  ...(isKnown
    ? [useOf(perKnownHost, '', host)]
    : [useByNetwork(perHostAndNetwork, '', network, host), useOfShared(perHost, '', network, host)]),
]
