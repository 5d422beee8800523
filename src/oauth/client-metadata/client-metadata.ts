import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import { consume, refundUses } from '#src/db/rate-limit.ts'
import { countNewClient } from '../clients/limits.ts'
import type { Scopes } from '../scopes.ts'
import { type DocumentAddress, documentAddress } from './address.ts'
import { DocumentRefused, fetchDocument, type Outside } from './fetch.ts'
import { countsOf } from './limits.ts'
import { findCopy, storeDocument } from './queries.ts'
import { readDocument } from './read.ts'

const AT_ONCE = 32
// A network whose documents hang leaves room for others.
const AT_ONCE_OF_NETWORK = 8

/** Brings the stored description of a client up to date with its document; refuses when it cannot be had. */
export type ClientMetadataDocuments = (request: EndpointRequest, clientId: string) => Promise<void>

const busy = (wait: number, status: 429 | 503): OAuthError =>
  new OAuthError('temporarily_unavailable', 'Too many client documents were asked for; try again later.', {
    status,
    headers: { 'retry-after': String(wait) },
  })

/** The address of the document a client id means; refuses an id that cannot be one. */
export const addressOf = (clientId: string): DocumentAddress => {
  const address = documentAddress(clientId)
  if (address !== undefined) return address
  const rules = 'https, port 443 or from 1024, a path without dot segments, no query, fragment or user info'
  throw new OAuthError('invalid_client', `The client_id is not the address of a document: ${rules}.`, { status: 400 })
}

const refused = (request: EndpointRequest, host: string, error: unknown): unknown => {
  if (!(error instanceof DocumentRefused)) return error
  request.note('document_refused', { host, why: error.why })
  return new OAuthError('invalid_client', error.message, { status: 400 })
}

type Flight = { readonly network: string; readonly ends: Promise<void> }

/** What stands in the way of a fetch for now, and not in the document. */
const isTemporary = (error: unknown): boolean =>
  error instanceof DocumentRefused
    ? error.isTemporary
    : error instanceof OAuthError && error.code === 'temporarily_unavailable'

/** Fetches documents: one fetch at a time for each in this process, few in all, counted exactly over all processes. */
export const createClientMetadataDocuments = (outside: Outside, scopes: Scopes): ClientMetadataDocuments => {
  const flights = new Map<string, Flight>()

  const fetchAndStore = async (request: EndpointRequest, clientId: string): Promise<void> => {
    const { school, database } = request
    const address = addressOf(clientId)
    const { body, seconds } = await fetchDocument(outside, address)
    const metadata = readDocument(body, clientId, scopes)
    await database.transaction(school.id, async db => {
      const stored = await storeDocument(db, school.id, { id: clientId, metadata, seconds })
      if (stored?.is_new === true) await countNewClient(db, request)
    })
  }

  // What worked is given back, so that the limits count failures.
  const fetchCounted = async (request: EndpointRequest, clientId: string, isKnown: boolean): Promise<void> => {
    const { school, network, database } = request
    const { host } = addressOf(clientId)
    const { wait, uses } = await consume(
      database.shared,
      countsOf({ schoolId: school.id, network, clientId, host, isKnown }),
    )
    if (wait > 0) throw busy(wait, 429)
    await fetchAndStore(request, clientId)
    await refundUses(database.shared, uses)
  }

  const startFlight = (request: EndpointRequest, clientId: string, isKnown: boolean): Promise<void> => {
    const key = `${request.school.id} ${clientId}`
    const known = flights.get(key)
    if (known !== undefined) return known.ends
    const { network } = request
    const ofNetwork = [...flights.values()].filter(flight => flight.network === network).length
    if (flights.size >= AT_ONCE || ofNetwork >= AT_ONCE_OF_NETWORK) throw busy(3, 503)
    const ends = fetchCounted(request, clientId, isKnown).finally(() => flights.delete(key))
    flights.set(key, { network, ends })
    return ends
  }

  return async (request, clientId) => {
    const { school, database } = request
    const { host } = addressOf(clientId)
    // Somebody else may have fetched it since the client was looked up.
    const copy = await database.statements(school.id, db => findCopy(db, school.id, clientId))
    if (copy?.is_fresh) return
    try {
      await startFlight(request, clientId, copy !== undefined)
    } catch (error) {
      if (copy?.is_usable !== true || !isTemporary(error)) throw refused(request, host, error)
      request.note('document_stale', { host })
    }
  }
}
