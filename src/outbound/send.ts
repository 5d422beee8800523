import { type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http'
import { request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Outside } from '#src/contract/outside.ts'

/** A request to another system, at a host name. */
export type OutsideRequest = {
  readonly host: string
  readonly port: number
  /** With the query. */
  readonly path: string
  readonly method?: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Ends the request, and afterwards the reading of its response. */
  readonly signal: AbortSignal
}

/** The name of a host could not be resolved. */
export class NameFailed extends Error {}

/** A host has no address, or one to which no connection is allowed. */
export class AddressRefused extends Error {}

const within = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> => {
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return Promise.race([work, late])
}

const checkedAddresses = async (
  { resolve, isAllowed }: Outside,
  { host, signal }: OutsideRequest,
): Promise<readonly string[]> => {
  signal.throwIfAborted()
  const resolving = resolve(host).catch((error: unknown) => {
    throw new NameFailed(error instanceof Error ? error.message : String(error), { cause: error })
  })
  const addresses = await within(signal, resolving)
  if (addresses.length > 0 && addresses.every(isAllowed)) return addresses
  throw new AddressRefused('the host has no address, or one that is not public')
}

// The connection uses the checked addresses: a name could resolve to others between check and use.
const only =
  (addresses: readonly string[]): LookupFunction =>
  (_host, options, found) => {
    const all = addresses.map(address => ({ address, family: isIP(address) }))
    const [first] = all
    if (options.all === true) found(null, all)
    else found(null, first?.address ?? '', first?.family)
  }

const MAX_HEADERS = 8192

const readResponse = (opened: ClientRequest, body: string | undefined): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    opened.on('response', resolve)
    opened.on('error', reject)
    // RFC 9110 §15.2.2: an answer that switches the protocol is no response, and ends the connection without an error.
    opened.on('close', () => reject(new Error('the connection was closed without a response')))
    opened.end(body)
  })

/**
 * Sends a request over HTTPS, on a connection of its own to an address of the host that was checked before, without a proxy and
 * without following redirects; returns the response when its headers are there. Throws NameFailed, AddressRefused, the reason of
 * the signal, or the error of the connection. The caller destroys the response.
 */
export const sendOutside = async (outside: Outside, outgoing: OutsideRequest): Promise<IncomingMessage> => {
  const { host, port, path, method = 'GET', headers, body, signal } = outgoing
  const addresses = await checkedAddresses(outside, outgoing)
  const all = { host, port, path, method, headers, signal, agent: false, maxHeaderSize: MAX_HEADERS } as const
  const checked = { servername: host, lookup: only(addresses), ca: outside.ca, rejectUnauthorized: true }
  return readResponse(request({ ...all, ...checked }), body)
}

/** The same over HTTP to a name or address of this computer, which is not checked. */
export const sendOnLoopback = (outgoing: OutsideRequest): Promise<IncomingMessage> => {
  const { host, port, path, method = 'GET', headers, body, signal } = outgoing
  return readResponse(
    requestPlain({ host, port, path, method, headers, signal, agent: false, maxHeaderSize: MAX_HEADERS }),
    body,
  )
}
