import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Coding } from '#src/kit/content-coding.ts'
import { codedHeaders, codingFor, compressStream, currentEtag, isCompressible, isCsv, varied } from './compress.ts'
import { flatHeaders } from './headers.ts'
import { limits } from './limits.ts'

type Headers = NonNullable<Reply['headers']>

type Whole = {
  readonly status: number
  readonly headers: readonly Headers[]
  readonly body: string | Buffer | undefined
}

const isBodiless = (status: number): boolean => status === 204 || status === 304

// In one call, which costs a fraction of what setting headers one by one costs.
const sendWhole = (response: ServerResponse, { status, headers, body }: Whole): void => {
  const flat = flatHeaders(headers)
  // A response to HEAD says the length of what GET returns; that of a list as CSV is not known.
  if (body !== undefined && !isBodiless(status) && headers.every(part => part['content-length'] === undefined))
    flat.push('content-length', String(Buffer.byteLength(body)))
  response.writeHead(status, flat).end(isBodiless(status) ? undefined : body)
}

/** How the content of a response is encoded. */
export type Encoding = {
  readonly raw: IncomingMessage
  readonly path: string
  encode(body: Buffer, coding: Coding): Promise<Buffer>
}

type Encoded = { readonly headers: Headers; readonly body?: Reply['body'] | undefined }

const findTag = ({ headers }: Reply): string | undefined =>
  headers?.etag === undefined ? undefined : String(headers.etag)

// A 304 has no type, and varies as the response that it stands for.
const encodeNotModified = ({ raw }: Encoding, reply: Reply): Encoded => {
  const etag = findTag(reply)
  if (etag === undefined || reply.headers?.['accept-ranges'] !== undefined) return { headers: {} }
  return { headers: { etag: currentEtag(raw, etag), vary: varied(reply.headers?.vary) } }
}

/** Encodes the content of a response as its request accepts it: the body, and the headers to replace. */
const encodeReply = async (encoding: Encoding, reply: Reply): Promise<Encoded> => {
  const { status, headers = {}, body } = reply
  if (status === 304) return encodeNotModified(encoding, reply)
  if (!isCompressible(encoding.path, { status, headers })) return { headers: {}, body }
  const vary = varied(headers.vary)
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    const coding = codingFor(encoding.raw, Buffer.byteLength(body))
    if (coding === undefined) return { headers: { vary }, body }
    const encoded = await encoding.encode(Buffer.from(body), coding)
    return { headers: { vary, ...codedHeaders(findTag(reply), coding) }, body: encoded }
  }
  const coding = isCsv({ status, headers }) ? codingFor(encoding.raw, Number.POSITIVE_INFINITY) : undefined
  if (coding === undefined) return { headers: { vary }, body }
  return { headers: { vary, ...codedHeaders(undefined, coding) }, body: body && compressStream(body, coding) }
}

/** Sends a response with the headers of several parts, of which later ones replace earlier ones. */
export const sendReply = async (
  reply: FastifyReply,
  response: Reply,
  before: readonly Headers[],
  encoding: Encoding | undefined,
): Promise<FastifyReply> => {
  const { status, headers: own = {} } = response
  const encoded = encoding === undefined ? { headers: {}, body: response.body } : await encodeReply(encoding, response)
  const { body } = encoded
  const headers = [...before, own, encoded.headers]
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) {
    reply.hijack()
    const isUnknown = body === undefined && isCsv({ status, headers: own })
    sendWhole(reply.raw, { status, headers, body: isUnknown ? undefined : (body ?? '') })
    return reply
  }
  // Without a listener Node closes the connection.
  reply.raw.setTimeout(limits.stalled)
  reply.headers(Object.assign({}, ...headers))
  return reply.code(status).send(Readable.from(body))
}
