import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { DocumentAddress } from './address.ts'
import { computeCacheLifetime } from './cache-lifetime.ts'
import { isPublicAddress } from './public-address.ts'
import { resolverAt } from './resolve.ts'

/** How documents are fetched: an argument, so that tests can serve theirs on this computer. */
export type Outside = {
  /** Every address of a host name. */
  resolve(host: string): Promise<readonly string[]>
  /** Whether connections to this address are allowed. */
  isAllowed(address: string): boolean
  /** The trusted certificates, in PEM; undefined: those of Node. */
  readonly ca: string | undefined
}

/** The public Internet: names from the system's name servers, public addresses only, Node's certificates. */
export const internet: Outside = {
  resolve: resolverAt(),
  isAllowed: isPublicAddress,
  ca: undefined,
}

/**
 * A document that is refused; the message can be shown, `why` is only for the log. A temporary failure says nothing
 * about the document, so that an earlier copy may be used.
 */
export class DocumentRefused extends Error {
  readonly why: string
  readonly isTemporary: boolean
  constructor(message: string, { why = message, isTemporary = false }: { why?: string; isTemporary?: boolean } = {}) {
    super(message)
    this.why = why
    this.isTemporary = isTemporary
  }
}

/** The result of a fetch: the bytes, and for how many seconds they may be cached. */
type Fetched = { readonly body: Buffer; readonly seconds: number }

const LARGEST = 5 * 1024
const MILLISECONDS = 3000

// The same message for all of these, so that it reveals no names or ports of our network.
const unreachable = (why: string): DocumentRefused =>
  new DocumentRefused('The document at this client_id could not be fetched.', { why, isTemporary: true })

const checkedAddresses = async ({ resolve, isAllowed }: Outside, host: string): Promise<readonly string[]> => {
  const addresses = await resolve(host)
  if (addresses.length > 0 && addresses.every(isAllowed)) return addresses
  throw unreachable('the host has no address, or one that is not public')
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

type Opening = { readonly outside: Outside; readonly addresses: readonly string[]; readonly signal: AbortSignal }

const open = ({ host, port, path }: DocumentAddress, { outside, addresses, signal }: Opening) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request({
      host,
      port,
      path,
      servername: host,
      lookup: only(addresses),
      ca: outside.ca,
      rejectUnauthorized: true,
      agent: false,
      maxHeaderSize: 8192,
      headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'Stoa' },
      signal,
    })
    outgoing.on('response', resolve)
    outgoing.on('error', reject)
    outgoing.end()
  })

const isJson = (type: string): boolean => /^application\/(?:json|[\w.-]+\+json)\s*(?:;|$)/i.test(type)

const checkHead = ({ statusCode, headers }: IncomingMessage): void => {
  if (statusCode !== 200) {
    // RFC 5861 §4 allows a copy in place of an error of the server; 429 says as little about the document.
    const isTemporary = statusCode === 429 || (statusCode ?? 0) >= 500
    throw new DocumentRefused('The response for the document at this client_id does not have status 200.', {
      isTemporary,
    })
  }
  if (!isJson(headers['content-type'] ?? '')) throw new DocumentRefused('The document at this client_id is not JSON.')
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new DocumentRefused('The document at this client_id is compressed.')
}

const readBody = async (response: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > LARGEST) throw new DocumentRefused('The document at this client_id is larger than 5 KB.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const within = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> => {
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(unreachable('the request timed out')), { once: true })
  })
  return Promise.race([work, late])
}

/** Fetches a document from a checked address: no redirect, no cookie, status 200, JSON, at most 5 KB and 3 seconds. */
export const fetchDocument = async (outside: Outside, address: DocumentAddress): Promise<Fetched> => {
  const signal = AbortSignal.timeout(MILLISECONDS)
  let response: IncomingMessage | undefined
  try {
    const addresses = await within(signal, checkedAddresses(outside, address.host))
    response = await open(address, { outside, addresses, signal })
    checkHead(response)
    return { body: await readBody(response), seconds: computeCacheLifetime(response.headers) }
  } catch (error) {
    if (error instanceof DocumentRefused) throw error
    throw unreachable(error instanceof Error ? error.message : String(error))
  } finally {
    response?.destroy()
  }
}
