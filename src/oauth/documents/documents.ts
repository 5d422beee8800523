import type { Db } from '#src/contract/db.ts'
import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import { countPassage, type Door } from '#src/db/limit.ts'
import { perSchool } from '../clients/register.ts'
import type { Scopes } from '../scopes.ts'
import { type DocumentAddress, documentAddress } from './address.ts'
import { DocumentRefused, fetchDocument, type Outside } from './fetch.ts'
import { isDocumentFresh, storeDocument } from './queries.ts'
import { readDocument } from './read.ts'

const perNetwork: Door = { name: 'documents:network', times: 30, seconds: 600 }
const perUrl: Door = { name: 'documents:url', times: 12, seconds: 600 }
const perHost: Door = { name: 'documents:host', times: 120, seconds: 600 }
const AT_ONCE = 32

/** Brings the stored description of a client up to date with its document; refuses when it cannot be had. */
export type Documents = (request: EndpointRequest, clientId: string) => Promise<void>

const busy = (wait: number, status: 429 | 503): OAuthError =>
  new OAuthError('temporarily_unavailable', 'Too many client documents were asked for; try again later.', {
    status,
    headers: { 'retry-after': String(wait) },
  })

const count = async (db: Db, door: Door, schoolId: string, who: string): Promise<void> => {
  const wait = await countPassage(db, door, schoolId, who)
  if (wait > 0) throw busy(wait, 429)
}

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

/** Fetches documents: one fetch at a time for each in this process, few in all, counted exactly over all processes. */
export const createDocuments = (outside: Outside, scopes: Scopes): Documents => {
  const flights = new Map<string, Promise<void>>()

  const fetchAndStore = async (request: EndpointRequest, clientId: string): Promise<void> => {
    const { school, database } = request
    const address = addressOf(clientId)
    // Who looked before the fetch of somebody else was stored, and came here after it.
    if (await database.read(school.id, db => isDocumentFresh(db, school.id, clientId))) return
    await count(database.shared, perUrl, school.id, clientId)
    // Over all schools: the host outside must not pay for how many of them are here.
    await count(database.shared, perHost, '', address.host)
    try {
      const { body, seconds } = await fetchDocument(outside, address)
      const metadata = readDocument(body, clientId, scopes)
      await database.write(school.id, async db => {
        const stored = await storeDocument(db, school.id, { id: clientId, metadata, seconds })
        if (stored?.is_new === true) await count(db, perSchool, school.id, '')
      })
    } catch (error) {
      throw refused(request, address.host, error)
    }
  }

  return async (request, clientId) => {
    await count(request.database.shared, perNetwork, request.school.id, request.network)
    const key = `${request.school.id} ${clientId}`
    const known = flights.get(key)
    if (known !== undefined) return known
    if (flights.size >= AT_ONCE) throw busy(3, 503)
    const flight = fetchAndStore(request, clientId).finally(() => flights.delete(key))
    flights.set(key, flight)
    return flight
  }
}
