import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { hasSessionCookie } from '#src/contract/session-cookie.ts'
import { matchedEtag } from '#src/kit/cacheable.ts'
import { splitTarget } from './answer.ts'
import { hasBody } from './body.ts'
import { codedHeaders, codingFor } from './compress.ts'
import type { SchoolFinder } from './find-school.ts'
import { commonHeaders, flatHeaders } from './headers.ts'
import { readRequestId } from './log.ts'
import { readPeer } from './peer.ts'
import { buildKey, isAnonymous, isApi, type PublicResponse, type PublicResponses } from './public-responses.ts'
import type { createNetworkRate } from './rate.ts'
import { acceptsJson } from './read.ts'
import { isForPrograms, isSiteHost } from './site-host.ts'
import type { ViewCounter } from './views.ts'

type ListenerParts = {
  readonly responses: PublicResponses
  readonly schools: SchoolFinder
  readonly isProxy: (address: string) => boolean
  readonly countNetwork: ReturnType<typeof createNetworkRate>
  /** Counts a request to the API of a school. */
  readonly count: (schoolId: string) => void
  readonly countView: ViewCounter['count']
  readonly log: () => Pick<FastifyBaseLogger, 'info'>
}

const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD'

// A page is sent whatever is accepted; an operation returns JSON or a CSV file.
const isAccepted = ({ url = '', headers }: IncomingMessage): boolean => !isApi(url) || acceptsJson(headers.accept)

type Sending = {
  readonly raw: IncomingMessage
  readonly response: ServerResponse
  readonly found: PublicResponse
  readonly more: readonly string[]
  encode: PublicResponses['encode']
}

// Synchronous where nothing has to be encoded.
const send = async ({ raw, response, found, more, encode }: Sending): Promise<number> => {
  const headers = [...found.headers, ...more]
  const known = matchedEtag(raw.headers['if-none-match'], found.etag)
  if (known !== undefined) {
    response.writeHead(304, ['etag', known, ...headers]).end()
    return 304
  }
  const coding = found.encoded === undefined ? undefined : codingFor(raw, found.body.length)
  const body = coding === undefined ? found.body : await encode(found, coding)
  const own = coding === undefined ? { etag: found.etag } : codedHeaders(found.etag, coding)
  const described = { ...own, 'content-type': found.type, 'content-length': String(body.length) }
  response.writeHead(200, [...headers, ...flatHeaders([described])])
  response.end(raw.method === 'HEAD' ? undefined : body)
  return 200
}

/**
 * Responds to requests without a token from the cache, with the limit of the network, the counter and the log line of every
 * request; returns false for all others, which the pipeline handles.
 */
export const createPublicListener = ({
  responses,
  schools,
  isProxy,
  countNetwork,
  count,
  countView,
  log,
}: ListenerParts) => {
  const findFor = (raw: IncomingMessage) => {
    if (!isRead(raw) || !isAnonymous(raw) || hasBody(raw) || !isAccepted(raw)) return undefined
    const peer = readPeer(raw, isProxy)
    const hosted = peer.host === undefined ? undefined : schools.cached(peer.host)
    if (hosted === undefined || hosted.purpose === 'pages') return undefined
    if (!isForPrograms(raw.url ?? '') && !isSiteHost(hosted.school, peer.host)) return undefined
    // Pages are about who is signed in; the API reads no cookie.
    if (!isApi(raw.url ?? '') && hasSessionCookie(hosted.school, raw.headers.cookie)) return undefined
    const found = responses.find(hosted.school.id, buildKey(raw, hosted.school))
    return found === undefined ? undefined : { found, schoolId: hosted.school.id, network: peer.network }
  }
  return (raw: IncomingMessage, response: ServerResponse): boolean => {
    const hit = findFor(raw)
    if (hit === undefined) return false
    const began = performance.now()
    const rate = countNetwork(hit.network)
    // The pipeline refuses it, in the form that the refusal has there.
    if (!rate.allowed) return false
    const { url = '', method } = raw
    if (isApi(url)) count(hit.schoolId)
    countView(hit.schoolId, raw, hit.found.viewed)
    const requestId = readRequestId(raw)
    const limit = isApi(url) ? rate.headers : {}
    const path = splitTarget(url)[0]
    const more = flatHeaders([{ 'x-request-id': requestId }, commonHeaders(path), limit])
    void send({ raw, response, found: hit.found, more, encode: responses.encode })
      .then(status =>
        log().info(
          {
            request_id: requestId,
            method,
            route: hit.found.route,
            status,
            ms: performance.now() - began,
            school: hit.schoolId,
          },
          'request',
        ),
      )
      // Without a response the connection has to end.
      .catch(() => response.destroy())
    return true
  }
}
