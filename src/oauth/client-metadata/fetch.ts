import type { IncomingMessage } from 'node:http'
import type { Outside } from '#src/contract/outside.ts'
import { sendOutside } from '#src/outbound/index.ts'
import type { DocumentAddress } from './address.ts'
import { computeCacheLifetime } from './cache-lifetime.ts'

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

const HEADERS = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'Stoa' }

/** Fetches a document from a checked address: no redirect, no cookie, status 200, JSON, at most 5 KB and 3 seconds. */
export const fetchDocument = async (outside: Outside, address: DocumentAddress): Promise<Fetched> => {
  const signal = AbortSignal.timeout(MILLISECONDS)
  let response: IncomingMessage | undefined
  try {
    response = await sendOutside(outside, { ...address, headers: HEADERS, signal })
    checkHead(response)
    return { body: await readBody(response), seconds: computeCacheLifetime(response.headers) }
  } catch (error) {
    if (error instanceof DocumentRefused) throw error
    if (signal.aborted) throw unreachable('the request timed out')
    throw unreachable(error instanceof Error ? error.message : String(error))
  } finally {
    response?.destroy()
  }
}
