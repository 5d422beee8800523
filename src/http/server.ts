import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Caller } from '#src/contract/caller.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidRequest, unsupportedMediaType } from '#src/contract/problems.ts'
import { cutSessionPath, replyBelow } from '#src/contract/session-path.ts'
import {
  createRequestHandler,
  type Methods,
  type RequestLogContext,
  refusedReply,
  sessionPathOf,
  splitTarget,
  tooMany,
} from './answer.ts'
import { hasBody } from './body.ts'
import { onClientError } from './client-error.ts'
import { guardSlow } from './content.ts'
import { endpointRoutes } from './endpoints.ts'
import { commonHeaders } from './headers.ts'
import { limits, rates } from './limits.ts'
import { loggerOptions, logRequest, requestIdOf } from './log.ts'
import type { ServerParts } from './parts.ts'
import { perform } from './perform.ts'
import { createRate } from './rate.ts'
import { type Route, routeTable } from './routes.ts'
import { type Seen, startSeen } from './seen.ts'
import { startUsageCounter, type UsageCounter } from './usage.ts'

const grantCounter = (parts: ServerParts) => {
  const count = createRate('grant', (parts.rates ?? rates).grant)
  return (caller: Caller): Readonly<Record<string, string>> | undefined => {
    if (caller.grantId === undefined) return undefined
    const { allowed, headers, wait } = count(caller.grantId)
    if (!allowed) throw tooMany(wait, headers)
    return headers
  }
}

type Traced = { readonly usage: UsageCounter; readonly seen: Seen }

const apiRoutes = (parts: ServerParts, { usage, seen }: Traced): Route[] => {
  const operations = new Map(parts.areas.flatMap(area => area.operations).map(operation => [operation.id, operation]))
  const { database, authenticate, files, keyFor } = parts
  const countGrant = grantCounter(parts)
  const performing = {
    database,
    authenticate,
    files,
    keyFor,
    countGrant,
    operations,
    checksGuards: parts.checksGuards ?? false,
    seen: seen.mark,
  }
  return [...operations.values()].map(operation => ({
    method: operation.method,
    path: `/api/v1${operation.path}`,
    handle: incoming => {
      usage.count(incoming.school.id)
      return perform(performing, { ...incoming, operation })
    },
  }))
}

const NOTHING: Methods = new Map()

// A body that nobody reads would keep the connection waiting for the rest of it.
const isUnread = (raw: IncomingMessage): boolean => hasBody(raw) && !raw.complete

/** Makes the HTTP server of an installation: every school, every area, every endpoint. */
export const createServer = (parts: ServerParts): FastifyInstance => {
  const answer = createRequestHandler(parts)
  const closing = { now: false }
  const seen = new WeakMap<FastifyRequest, RequestLogContext>()
  const respond = async (request: FastifyRequest, reply: FastifyReply, methods: Methods, early?: unknown) => {
    const known: RequestLogContext = {}
    seen.set(request, known)
    const answered = await answer(request, methods, known, early).catch(error => refusedReply(request, known, error))
    const given = replyBelow(sessionPathOf(request), answered)
    reply.code(given.status).headers(commonHeaders(splitTarget(request.url)[0], request.id))
    for (const [name, value] of Object.entries({ ...known.rate, ...given.headers })) reply.header(name, value)
    if (closing.now || isUnread(request.raw)) reply.header('connection', 'close')
    const { body = '' } = given
    // Without a listener Node closes the connection.
    if (typeof body === 'object' && !Buffer.isBuffer(body)) reply.raw.setTimeout(limits.stalled)
    return reply.send(typeof body === 'string' || Buffer.isBuffer(body) ? body : Readable.from(body))
  }
  const app = createFastify(parts, (request, reply) => respond(request, reply, NOTHING))
  const usage = startUsageCounter(parts.database)
  const visitors = startSeen(parts.database)
  const endpoints = endpointRoutes(parts.endpoints, parts.database, visitors.mark)
  const table = routeTable([...apiRoutes(parts, { usage, seen: visitors }), ...endpoints])
  for (const [path, methods] of table) app.all(path, (request, reply) => respond(request, reply, methods))
  app.setNotFoundHandler((request, reply) => respond(request, reply, NOTHING))
  app.setErrorHandler((error, request, reply) => respond(request, reply, NOTHING, ownRefusal(error)))
  app.addHook('onResponse', async (request, reply) => logRequest(request, reply, seen.get(request)))
  app.addHook('onClose', () => Promise.all([usage.stop(), visitors.stop()]).then(() => undefined))
  app.addHook('preClose', async () => {
    closing.now = true
    closeWhenIdle(app)
  })
  return app
}

// An answer that was on its way when the server closed leaves its connection idle, and nobody would look at it again.
const closeWhenIdle = ({ server }: FastifyInstance): void => {
  const timer = setInterval(() => server.closeIdleConnections(), limits.idleLook).unref()
  server.once('close', () => clearInterval(timer))
}

// What Fastify refuses before the pipeline sees the request: a Content-Type it cannot read, for one.
const ownRefusal = (error: unknown): unknown => {
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status === 415) return new Refusal(unsupportedMediaType, 'The Content-Type cannot be read.')
  return status < 500 ? new Refusal(invalidRequest, 'The request cannot be read.') : error
}

type OnBadUrl = (request: FastifyRequest, reply: FastifyReply) => unknown

const createFastify = (parts: ServerParts, onBadUrl: OnBadUrl): FastifyInstance => {
  const app = Fastify({
    logger: loggerOptions(parts.log),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    rewriteUrl: ({ url = '' }) => cutSessionPath(url)[1],
    // A file takes as long as its bytes keep coming; every other body is timed by `guardSlow`.
    requestTimeout: 0,
    keepAliveTimeout: limits.keepAliveTimeout,
    connectionTimeout: limits.stalledSocket,
    http: { maxHeaderSize: limits.headers, headersTimeout: limits.headersTimeout, connectionsCheckingInterval: 1000 },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: 500 },
    frameworkErrors: (_error, request, reply) => void onBadUrl(request, reply),
    clientErrorHandler: onClientError,
  })
  app.server.maxConnections = limits.connections
  app.server.on('request', guardSlow)
  // Bodies are read by the pipeline, after the scope is decided.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  return app
}
