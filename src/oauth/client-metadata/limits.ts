import {
  buildUse,
  type LimitRequest,
  type RateLimit,
  type SharedRateLimit,
  useByNetwork,
  useOfShared,
} from '#src/db/rate-limit.ts'

const SECONDS = 600
const perNetwork: RateLimit = { name: 'documents:network', uses: 30, seconds: SECONDS }
const perUrl: RateLimit = { name: 'documents:url', uses: 12, seconds: SECONDS }
// Over all schools: the load on an external host must not grow with the number of schools.
const perHost: SharedRateLimit = { name: 'documents:host', uses: 120, seconds: SECONDS, reserve: 2, most: 600 }
const perHostAndNetwork: RateLimit = { name: 'documents:host-network', uses: 30, seconds: SECONDS }
const perFetchedHost: RateLimit = { name: 'documents:known-host', uses: 120, seconds: SECONDS }

type Fetching = {
  readonly schoolId: string
  readonly network: string
  readonly clientId: string
  readonly host: string
  /** Whether the school has fetched this document before. */
  readonly wasFetched: boolean
}

/**
 * The limits of a fetch. A document that was fetched before has a separate limit for its host: requests for
 * others, which may not exist, cannot use it up.
 */
export const buildLimits = ({ schoolId, network, clientId, host, wasFetched }: Fetching): LimitRequest[] => [
  useByNetwork(perNetwork, schoolId, network),
  buildUse(perUrl, schoolId, clientId),
  ...(wasFetched
    ? [buildUse(perFetchedHost, '', host)]
    : [useByNetwork(perHostAndNetwork, '', network, host), useOfShared(perHost, '', network, host)]),
]
