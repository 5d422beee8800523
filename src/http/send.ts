import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Reply } from '#src/contract/endpoint.ts'
import { flatHeaders } from './headers.ts'
import { limits } from './limits.ts'

type Headers = NonNullable<Reply['headers']>

type Whole = { readonly status: number; readonly headers: readonly Headers[]; readonly body: string | Buffer }

const isBodiless = (status: number): boolean => status === 204 || status === 304

// In one call, which costs a fraction of what setting headers one by one costs.
const sendWhole = (response: ServerResponse, { status, headers, body }: Whole): void => {
  const flat = flatHeaders(headers)
  // A response to HEAD says the length of what GET returns.
  if (!isBodiless(status) && headers.every(part => part['content-length'] === undefined))
    flat.push('content-length', String(Buffer.byteLength(body)))
  response.writeHead(status, flat).end(isBodiless(status) ? undefined : body)
}

/** Sends a response with the headers of several parts, of which later ones replace earlier ones. */
export const sendReply = (
  reply: FastifyReply,
  { status, body = '' }: Pick<Reply, 'status' | 'body'>,
  headers: readonly Headers[],
): FastifyReply => {
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    reply.hijack()
    sendWhole(reply.raw, { status, headers, body })
    return reply
  }
  // Without a listener Node closes the connection.
  reply.raw.setTimeout(limits.stalled)
  reply.headers(Object.assign({}, ...headers))
  return reply.code(status).send(Readable.from(body))
}
