import type { FastifyRequest } from 'fastify'
import type { Caller } from '#src/contract/caller.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { chooseLanguage } from '#src/contract/language.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidRequest, methodNotAllowed, notFound, rateLimited, unknownMethod } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { cutSessionPath, isOnLoopback } from '#src/contract/session-path.ts'
import { createSchoolFinder } from './find-school.ts'
import { acceptsHtml, preflightHeaders } from './headers.ts'
import { healthReply } from './health.ts'
import { limits, rates } from './limits.ts'
import type { ServerParts } from './parts.ts'
import { type Peer, peerOf } from './peer.ts'
import { createNetworkRate } from './rate.ts'
import { refusalFrom, refusalReply } from './replies.ts'
import { allowOf, errorFormatOf, isShared, type Route } from './routes.ts'

/** What became known of a request on its way, for the log line and for refusals. */
export type RequestLogContext = {
  school?: School
  caller?: Caller
  route?: string
  rate?: Readonly<Record<string, string>>
}

/** The routes of one path by method. */
export type Methods = ReadonlyMap<string, Route>

/** A refusal for who asked too often. */
export const tooMany = (wait: number, headers: Readonly<Record<string, string>>): Refusal =>
  new Refusal(rateLimited, `Too many requests; wait ${wait} seconds.`, {
    headers: { ...headers, 'retry-after': String(wait) },
  })

/** Cuts a request target into path and raw query. */
export const splitTarget = (url: string): [path: string, query: string] => {
  const cut = url.indexOf('?')
  return cut < 0 ? [url, ''] : [url.slice(0, cut), url.slice(cut + 1)]
}

/** The path of the session in which a page was asked for; `rewriteUrl` has taken it off. */
export const sessionPathOf = (request: FastifyRequest): string => cutSessionPath(request.originalUrl)[0]

const KNOWN_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const checkMethod = (method: string): void => {
  if (!KNOWN_METHODS.includes(method)) throw new Refusal(unknownMethod, 'The server does not know this method.')
}

const nothingHere = { en: 'There is nothing at this address.', pt: 'Não há nada neste endereço.' }

const refuseMethod = (method: string, methods: Methods): Reply => {
  if (methods.size === 0) throw new Refusal(notFound, nothingHere)
  const headers = { allow: allowOf(methods) }
  if (method === 'OPTIONS') return { status: 204, headers }
  throw new Refusal(methodNotAllowed, 'This address does not have that method.', { headers })
}

const unknownHost = (served: readonly string[]): Refusal => {
  const detail = 'No school is served under this host.'
  const links = served.map(url => ({ href: `${url}/`, label: url }))
  return new Refusal(notFound, served.length === 0 ? detail : `${detail} Served here: ${served.join(', ')}`, { links })
}

const schoolFinder = (parts: ServerParts) => {
  const find = createSchoolFinder(parts.database.shared)
  return async (peer: Peer): Promise<School> => {
    const school = peer.host === undefined ? undefined : await find(peer.host)
    if (school === undefined) throw unknownHost(await parts.servedHere())
    return school
  }
}

/** Answers a request: health, network limit, school by host, route; what is refused is thrown, `early` too. */
export const createRequestHandler = (parts: ServerParts) => {
  const schoolOf = schoolFinder(parts)
  const countNetwork = createNetworkRate((parts.rates ?? rates).network)
  return async (
    request: FastifyRequest,
    methods: Methods,
    known: RequestLogContext,
    early?: unknown,
  ): Promise<Reply> => {
    const { raw } = request
    const method = raw.method ?? ''
    const [path, query] = splitTarget(request.url)
    const health = await healthReply(path, parts.ready)
    if (health !== undefined) return health
    const peer = peerOf(raw, parts.isProxy)
    const { allowed, headers, wait } = countNetwork(peer.network)
    if (method === 'OPTIONS' && isShared(path)) return { status: 204, headers: preflightHeaders(raw) }
    known.rate = errorFormatOf(path) === 'problem' ? headers : {}
    if (!allowed) throw tooMany(wait, headers)
    // RFC 9112 §3.2.2: an absolute target would outweigh the Host header; only proxies are sent one.
    if (!raw.url?.startsWith('/')) throw new Refusal(invalidRequest, 'The request target is a path.')
    const school = await schoolOf(peer)
    known.school = school
    const sessionPath = sessionPathOf(request)
    // On HTTPS cookies have no path of their own, so that nothing is there.
    if (sessionPath !== '' && !isOnLoopback(school)) throw new Refusal(notFound, nothingHere)
    checkMethod(method)
    if (early !== undefined) throw early
    if (Buffer.byteLength(query) > limits.query)
      throw new Refusal(invalidRequest, `The query may have ${limits.query} bytes.`)
    const route = methods.get(method === 'HEAD' ? 'GET' : method)
    if (route === undefined) return refuseMethod(method, methods)
    known.route = route.path
    return route.handle({
      raw,
      school,
      path,
      query,
      sessionPath,
      params: request.params as Record<string, string>,
      requestId: request.id,
      network: peer.network,
      known: facts => void Object.assign(known, facts),
      note: (event, fields) => request.log.warn({ event, request_id: request.id, school: school.id, ...fields }, event),
    })
  }
}

const isServerError = (refusal: Refusal | OAuthError): boolean =>
  (refusal instanceof OAuthError ? refusal.status : refusal.problem.status) === 500

/** The answer to a request that was refused, or met a fault of ours, which is logged. */
export const refusedReply = (request: FastifyRequest, known: RequestLogContext, error: unknown): Reply => {
  const refusal = refusalFrom(error, request.raw.method === 'DELETE' ? 'delete' : 'write')
  if (isServerError(refusal)) request.log.error({ request_id: request.id, err: error }, 'fault')
  return refusalReply(refusal, {
    speech: errorFormatOf(splitTarget(request.url)[0]),
    acceptsHtml: acceptsHtml(request.raw),
    reader: {
      language: chooseLanguage({ browser: request.headers['accept-language'], school: known.school?.locale ?? 'en' }),
      school: known.school,
    },
    baseUrl: known.school?.baseUrl ?? '',
    requestId: request.id,
  })
}
