import type { Db } from '#src/contract/db.ts'
import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import { consume, type RateLimit, type SharedRateLimit, useByNetwork, useOfShared } from '#src/db/rate-limit.ts'
import { base32 } from '#src/kit/base.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { deleteUnused } from './queries.ts'

const HOUR = 3600
const perNetwork: RateLimit = { name: 'register:network', uses: 60, seconds: HOUR }
const perSchool: SharedRateLimit = { name: 'register:school', uses: 2000, seconds: HOUR, reserve: 3, most: 10_000 }

// A random id among those of self-registered clients, public or with a secret.
const computeRandomId = (text: string): string => {
  const hash = sha256(text)
  return `${(hash[0] ?? 0) % 2 === 0 ? 'c1' : 'c2'}_${base32(hash, 52)}`
}

/**
 * Counts a new client of a school, however it was registered; throwing rolls its row back. Beyond the limit of the
 * school a network may still add a few, and clients that were not used within an hour of their registration are deleted
 * for them.
 */
export const countNewClient = async (db: Db, { school, network, requestId }: EndpointRequest): Promise<void> => {
  const { wait, isBeyond } = await consume(db, [
    useByNetwork(perNetwork, school.id, network),
    useOfShared(perSchool, school.id, network),
  ])
  if (wait > 0)
    throw new OAuthError('temporarily_unavailable', 'Too many new clients were registered; try again later.', {
      status: 429,
      headers: { 'retry-after': String(wait) },
    })
  if (isBeyond === true) await deleteUnused(db, school.id, computeRandomId(requestId))
}
