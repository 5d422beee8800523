import type { FastifyRequest } from 'fastify'
import type { Caller } from '#src/contract/caller.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidRequest, methodNotAllowed, notFound, rateLimited, unknownMethod } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { isForOperator } from '#src/db/sqlstates.ts'
import { createEntrance } from './entrance.ts'
import type { FoundSchool, SchoolFinder } from './find-school.ts'
import { acceptsHtml, preflightHeaders } from './headers.ts'
import { healthReply, isHealthPath } from './health.ts'
import { limits } from './limits.ts'
import type { ServerParts } from './parts.ts'
import { type Peer, readPeer } from './peer.ts'
import type { createNetworkRate } from './rate.ts'
import { readLanguage } from './raw-headers.ts'
import { refusalFrom, refusalReply } from './replies.ts'
import { chooseErrorFormat, formatAllow, type Incoming, isShared, nothingHere, type Route } from './routes.ts'
import { leadToSite } from './site-host.ts'

/** What the pipeline has found out about a request, for its log line and for refusals. */
export type RequestLogContext = {
  school?: School
  /** Where the school is not read, as when the database is busy: the base URL that it had. */
  lastBaseUrl?: string | undefined
  /** Whether the host is one for uploaded pages, where refusals are never pages of the school. */
  isPagesHost?: boolean
  caller?: Caller
  route?: string
  rate?: Readonly<Record<string, string>>
}

/** The routes of one path by method. */
export type Methods = ReadonlyMap<string, Route>

/** The refusal of a caller who has used up a rate limit. */
export const tooMany = (wait: number, headers: Readonly<Record<string, string>>): Refusal =>
  new Refusal(rateLimited, `Too many requests; wait ${wait} seconds.`, {
    headers: { ...headers, 'retry-after': String(wait) },
  })

/** Splits a request target into path and raw query. */
export const splitTarget = (url: string): [path: string, query: string] => {
  const cut = url.indexOf('?')
  return cut < 0 ? [url, ''] : [url.slice(0, cut), url.slice(cut + 1)]
}

const KNOWN_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const checkMethod = (method: string): void => {
  if (!KNOWN_METHODS.includes(method)) throw new Refusal(unknownMethod, 'The server does not know this method.')
}

const answerWithoutRoute = (method: string, methods: Methods): Reply => {
  if (methods.size === 0) throw nothingHere()
  const headers = { allow: formatAllow(methods) }
  if (method === 'OPTIONS') return { status: 204, headers }
  throw new Refusal(methodNotAllowed, 'This address does not support that method.', { headers })
}

const unknownHost = (baseUrls: readonly string[]): Refusal => {
  const detail = 'No school is served under this host.'
  const links = baseUrls.map(url => ({ href: `${url}/`, label: url }))
  return new Refusal(notFound, baseUrls.length === 0 ? detail : `${detail} The schools here: ${baseUrls.join(', ')}`, {
    links,
  })
}

const schoolFinder =
  (parts: ServerParts, { find }: SchoolFinder) =>
  async (peer: Peer): Promise<FoundSchool> => {
    const found = peer.host === undefined ? undefined : await find(peer.host)
    if (found === undefined) throw unknownHost(await parts.publicBaseUrls())
    return found
  }

/** What requests share: the limit of networks, and the schools by their hosts. */
type SharedParts = {
  readonly countNetwork: ReturnType<typeof createNetworkRate>
  readonly schools: SchoolFinder
}

/**
 * Handles a request: health, network limit, school by host, route. A host for uploaded pages has the methods of
 * `pagesHost` at every path, and nothing else. Throws refusals, also the one in `early`.
 */
export const createRequestHandler = (
  parts: ServerParts,
  { countNetwork, schools }: SharedParts,
  pagesHost: Methods,
) => {
  const findSchool = schoolFinder(parts, schools)
  const entrance = createEntrance()
  return async (
    request: FastifyRequest,
    methods: Methods,
    logContext: RequestLogContext,
    early?: unknown,
  ): Promise<Reply> => {
    const { raw } = request
    const method = raw.method ?? ''
    const [path, query] = splitTarget(request.url)
    if (isHealthPath(path)) return healthReply(path, parts.ready)
    const peer = readPeer(raw, parts.isProxy)
    const { allowed, headers, wait } = countNetwork(peer.network)
    if (method === 'OPTIONS' && isShared(path)) return { status: 204, headers: preflightHeaders(raw) }
    logContext.rate = chooseErrorFormat(path) === 'problem' ? headers : {}
    if (!allowed) throw tooMany(wait, headers)
    // RFC 9112 §3.2.2: an absolute target overrides the Host header; clients send it only to proxies.
    if (!raw.url?.startsWith('/')) throw new Refusal(invalidRequest, 'The request target must be a path.')
    const { school, purpose, readAt } = await findSchool(peer).catch((error: unknown) => {
      logContext.lastBaseUrl = peer.host === undefined ? undefined : schools.lastBaseUrl(peer.host)
      throw error
    })
    Object.assign(logContext, { school, isPagesHost: purpose === 'pages' })
    checkMethod(method)
    const elsewhere = purpose === 'pages' ? undefined : await leadToSite(raw, school, peer.host)
    if (elsewhere !== undefined) return elsewhere
    if (early !== undefined) throw early
    if (Buffer.byteLength(query) > limits.query)
      throw new Refusal(invalidRequest, `The query may have at most ${limits.query} bytes.`)
    const offered = purpose === 'pages' ? pagesHost : methods
    const route = offered.get(method === 'HEAD' ? 'GET' : method)
    if (route === undefined || route.isFor?.(query) === false) return answerWithoutRoute(method, offered)
    logContext.route = route.path
    const incoming: Incoming = {
      raw,
      school,
      schoolReadAt: readAt,
      path,
      query,
      params: request.params as Record<string, string>,
      requestId: request.id,
      network: peer.network,
      setCaller: details => void Object.assign(logContext, details),
      logWarning: (event, fields) =>
        request.log.warn({ event, request_id: request.id, school: school.id, ...fields }, event),
    }
    return entrance.handle(raw, school.id, () => route.handle(incoming))
  }
}

const isServerError = (refusal: Refusal | OAuthError): boolean =>
  (refusal instanceof OAuthError ? refusal.status : refusal.problem.status) === 500

/** The response to a request that was refused or failed; an error of the server is logged. */
export const refusedReply = (request: FastifyRequest, logContext: RequestLogContext, error: unknown): Reply => {
  const refusal = refusalFrom(error, request.raw.method === 'DELETE' ? 'delete' : 'write')
  if (isServerError(refusal) || isForOperator(error)) request.log.error({ request_id: request.id, err: error }, 'fault')
  return refusalReply(refusal, {
    errorFormat: logContext.isPagesHost === true ? 'problem' : chooseErrorFormat(splitTarget(request.url)[0]),
    acceptsHtml: acceptsHtml(request.raw),
    reader: {
      language: readLanguage(request.raw, logContext.school),
      school: logContext.school,
    },
    baseUrl: logContext.school?.baseUrl ?? logContext.lastBaseUrl ?? '',
    requestId: request.id,
  })
}
