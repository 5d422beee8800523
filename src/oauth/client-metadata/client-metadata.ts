import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import type { Outside } from '#src/contract/outside.ts'
import { consume, refundUses } from '#src/db/rate-limit.ts'
import { countNewClient } from '../clients/limits.ts'
import type { Scopes } from '../scopes.ts'
import { type DocumentAddress, documentAddress } from './address.ts'
import { DocumentRefused, fetchDocument } from './fetch.ts'
import { buildLimits } from './limits.ts'
import { findCopy, storeDocument } from './queries.ts'
import { readDocument } from './read.ts'

const AT_ONCE = 32
// Documents of one network that do not respond leave slots for others.
const AT_ONCE_OF_NETWORK = 8

/** Updates the stored metadata of a client from its document; refuses when the document is not available. */
export type ClientMetadataDocuments = (request: EndpointRequest, clientId: string) => Promise<void>

const busy = (wait: number, status: 429 | 503): OAuthError =>
  new OAuthError('temporarily_unavailable', 'Too many client documents were requested; try again later.', {
    status,
    headers: { 'retry-after': String(wait) },
  })

/** The address of the document of a client id; refuses an id that is not one. */
export const parseAddress = (clientId: string): DocumentAddress => {
  const address = documentAddress(clientId)
  if (address !== undefined) return address
  const rules = 'https, port 443 or from 1024, a path without dot segments, no query, fragment or user info'
  throw new OAuthError('invalid_client', `The client_id is not the address of a document: ${rules}.`, { status: 400 })
}

const refused = (request: EndpointRequest, host: string, error: unknown): unknown => {
  if (!(error instanceof DocumentRefused)) return error
  request.logWarning('document_refused', { host, why: error.why })
  return new OAuthError('invalid_client', error.message, { status: 400 })
}

type Flight = { readonly network: string; readonly ends: Promise<void> }

/** Whether a fetch failed for a temporary reason, and not because of the document. */
const isTemporary = (error: unknown): boolean =>
  error instanceof DocumentRefused
    ? error.isTemporary
    : error instanceof OAuthError && error.code === 'temporarily_unavailable'

/**
 * Fetches documents: in this process one fetch at a time for each and few in all; the limits count over all processes.
 */
export const createClientMetadataDocuments = (outside: Outside, scopes: Scopes): ClientMetadataDocuments => {
  const flights = new Map<string, Flight>()

  const fetchAndStore = async (request: EndpointRequest, clientId: string): Promise<void> => {
    const { school, database } = request
    const address = parseAddress(clientId)
    const { body, seconds } = await fetchDocument(outside, address)
    const metadata = readDocument(body, clientId, scopes)
    await database.transaction(school.id, async db => {
      const stored = await storeDocument(db, school.id, { id: clientId, metadata, seconds })
      if (stored?.is_new === true) await countNewClient(db, request)
    })
  }

  // Uses of successful fetches are refunded, so the limits count failures.
  const fetchCounted = async (request: EndpointRequest, clientId: string, wasFetched: boolean): Promise<void> => {
    const { school, network, database } = request
    const { host } = parseAddress(clientId)
    const { wait, uses } = await consume(
      database.shared,
      buildLimits({ schoolId: school.id, network, clientId, host, wasFetched }),
    )
    if (wait > 0) throw busy(wait, 429)
    await fetchAndStore(request, clientId)
    await refundUses(database.shared, uses)
  }

  const startFlight = (request: EndpointRequest, clientId: string, wasFetched: boolean): Promise<void> => {
    const key = `${request.school.id} ${clientId}`
    const flight = flights.get(key)
    if (flight !== undefined) return flight.ends
    const { network } = request
    const ofNetwork = [...flights.values()].filter(flight => flight.network === network).length
    if (flights.size >= AT_ONCE || ofNetwork >= AT_ONCE_OF_NETWORK) throw busy(3, 503)
    const ends = fetchCounted(request, clientId, wasFetched).finally(() => flights.delete(key))
    flights.set(key, { network, ends })
    return ends
  }

  return async (request, clientId) => {
    const { school, database } = request
    const { host } = parseAddress(clientId)
    // Another request may have fetched it since the client was looked up.
    const copy = await database.statements(school.id, db => findCopy(db, school.id, clientId))
    if (copy?.is_fresh) return
    try {
      await startFlight(request, clientId, copy !== undefined)
    } catch (error) {
      if (copy?.is_usable !== true || !isTemporary(error)) throw refused(request, host, error)
      request.logWarning('document_stale', { host })
    }
  }
}
