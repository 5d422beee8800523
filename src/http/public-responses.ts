import type { IncomingMessage } from 'node:http'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Operation } from '#src/contract/operation.ts'
import type { School } from '#src/contract/school.ts'
import type { Viewed } from '#src/contract/view-count.ts'
import type { Coding } from '#src/kit/content-coding.ts'
import { compressBody, isCompressible, varied } from './compress.ts'
import { limits } from './limits.ts'
import { readLanguage } from './raw-headers.ts'

/** A response that everybody without a token gets. */
export type PublicResponse = {
  /** Before its statements were sent, on the clock of this process. */
  readonly at: number
  readonly etag: string
  /** Names and values in turn, without those that describe the body. */
  readonly headers: readonly string[]
  readonly type: string
  readonly body: Buffer
  /** The body in the codings in which it was sent; undefined where it has none. */
  readonly encoded: Map<Coding, Promise<Buffer>> | undefined
  /** The route, for the log. */
  readonly route: string | null
  readonly viewed: Viewed | undefined
}

/** The cached responses of this process, by schools and keys. */
export type PublicResponses = {
  /** Undefined when there is none that may be used. */
  find(schoolId: string, key: string): PublicResponse | undefined
  keep(schoolId: string, key: string, response: PublicResponse): void
  /** The body of a response in a coding, encoded once. */
  encode(response: PublicResponse, coding: Coding): Promise<Buffer>
}

/** Whether a request target is an operation of the API. */
export const isApi = (target: string): boolean => target.startsWith('/api/v1/')

/** What responses of a school are kept by: the request target, and for pages the language of the reader. */
export const buildKey = (raw: IncomingMessage, school: School): string => {
  const { url = '' } = raw
  return isApi(url) ? url : `${readLanguage(raw, school)} ${url}`
}

/**
 * Creates the cache. A response is used for less than a second after its statements were sent, and not after this process
 * wrote something of its school (`writtenAt`, on the clock of this process). What another process writes is therefore seen
 * within a second, without a notification that could be lost.
 */
export const createPublicResponses = (
  writtenAt: (schoolId: string) => number,
  age: number = limits.publicAge,
): PublicResponses => {
  const schools = new Map<string, Map<string, PublicResponse>>()
  let bytes = 0
  // Whatever is in use is there again soon.
  const take = (size: number): void => {
    if (bytes + size > limits.publicBytes) {
      schools.clear()
      bytes = 0
    }
    bytes += size
  }
  const sizes = new WeakMap<PublicResponse, number>()
  const computeSize = (response: PublicResponse | undefined): number =>
    response === undefined ? 0 : (sizes.get(response) ?? 0)
  const grow = (response: PublicResponse, size: number): void => {
    take(size)
    sizes.set(response, computeSize(response) + size)
  }
  return {
    find: (schoolId, key) => {
      const found = schools.get(schoolId)?.get(key)
      if (found === undefined || performance.now() - found.at >= age) return undefined
      return found.at > writtenAt(schoolId) ? found : undefined
    },
    keep: (schoolId, key, response) => {
      const size = response.body.length
      if (size > limits.publicBody) return
      grow(response, size)
      const responses = schools.get(schoolId) ?? new Map<string, PublicResponse>()
      bytes -= computeSize(responses.get(key))
      schools.set(schoolId, responses.set(key, response))
    },
    encode: (response, coding) => {
      const encoded = response.encoded?.get(coding) ?? compressBody(response.body, coding)
      if (response.encoded?.has(coding) === false) {
        response.encoded.set(coding, encoded)
        encoded.then(({ length }) => grow(response, length)).catch(() => response.encoded?.delete(coding))
      }
      return encoded
    },
  }
}

/** Whether what an operation returns without a token depends on the request target and the database alone. */
export const isPublicRead = ({ method, mode, who, rateLimit, runSteps }: Operation): boolean =>
  method === 'GET' && mode === 'read' && who === 'anyone' && rateLimit === undefined && runSteps === undefined

/** Whether a request has no token. */
export const isAnonymous = ({ headers }: IncomingMessage): boolean => headers.authorization === undefined

/** A reply as everybody gets it; undefined when it is none to cache. */
export const buildPublicResponse = (
  reply: Reply,
  { at, route, path, compresses }: Pick<PublicResponse, 'at' | 'route'> & { path: string; compresses: boolean },
): PublicResponse | undefined => {
  const { 'content-type': type, etag, ...headers } = reply.headers ?? {}
  if (reply.status !== 200 || typeof reply.body !== 'string' || etag === undefined || type === undefined)
    return undefined
  if (!String(headers['cache-control']).startsWith('public')) return undefined
  const isEncoded = compresses && isCompressible(path, { status: reply.status, headers: reply.headers ?? {} })
  const sent = isEncoded ? { ...headers, vary: varied(headers.vary) } : headers
  const others = Object.entries(sent).flatMap(([name, value]) => [name, String(value)])
  const body = Buffer.from(reply.body)
  const encoded = isEncoded ? new Map<Coding, Promise<Buffer>>() : undefined
  return { at, route, etag: String(etag), headers: others, type: String(type), body, encoded, viewed: reply.viewed }
}
