import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { routedOperations } from '#src/contract/area.ts'
import type { Caller } from '#src/contract/caller.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidRequest, unsupportedMediaType } from '#src/contract/problems.ts'
import {
  createRequestHandler,
  type Methods,
  type RequestLogContext,
  refusedReply,
  splitTarget,
  tooMany,
} from './answer.ts'
import { hasBody } from './body.ts'
import { onClientError } from './client-error.ts'
import { compressBody, createKept, type Kept } from './compress.ts'
import { limitConnections } from './connections.ts'
import { limitBodyTime } from './content.ts'
import { endpointRoutes, fallbackRoute, pagesHostRoute } from './endpoints.ts'
import { createSchoolFinder } from './find-school.ts'
import { commonHeaders } from './headers.ts'
import { type LastSeen, startLastSeen } from './last-seen.ts'
import { limits, rates } from './limits.ts'
import { loggerOptions, logRequest, readRequestId } from './log.ts'
import type { ServerParts } from './parts.ts'
import { perform } from './perform.ts'
import { createPublicListener } from './public-listener.ts'
import {
  buildKey,
  buildPublicResponse,
  createPublicResponses,
  isAnonymous,
  isPublicRead,
  type PublicResponse,
  type PublicResponses,
} from './public-responses.ts'
import { readLastFact } from './queries.ts'
import { createNetworkRate, createRate } from './rate.ts'
import { unlessCurrent } from './read.ts'
import { createRouter, routerOptions } from './router.ts'
import { chooseErrorFormat, type Route, routeTable } from './routes.ts'
import { type Encoding, sendReply } from './send.ts'
import { startUsageCounter, type UsageCounter } from './usage.ts'
import { startViewCounter } from './views.ts'
import { createWaitingRoom, type WaitingRoom } from './waiting.ts'

declare module 'fastify' {
  interface FastifyRequest {
    logContext: RequestLogContext | undefined
  }
}

const grantCounter = (parts: ServerParts) => {
  const count = createRate('grant', (parts.rates ?? rates).grant)
  return (caller: Caller): Readonly<Record<string, string>> | undefined => {
    if (caller.grantId === undefined) return undefined
    const { allowed, headers, wait } = count(caller.grantId)
    if (!allowed) throw tooMany(wait, headers)
    return headers
  }
}

type Counters = { readonly usage: UsageCounter; readonly lastSeen: LastSeen }

const apiRoutes = (parts: ServerParts, { usage, lastSeen }: Counters, waitingRoom: WaitingRoom): Route[] => {
  const operations = new Map(parts.areas.flatMap(area => area.operations).map(operation => [operation.id, operation]))
  const { database, authenticate, files, keyFor } = parts
  const countGrant = grantCounter(parts)
  const deps = {
    database,
    authenticate,
    files,
    keyFor,
    countGrant,
    operations,
    checksGuards: parts.checksGuards ?? false,
    markSeen: lastSeen.mark,
    waitingRoom,
  }
  return routedOperations(parts.areas).map(operation => {
    const isPublic = isPublicRead(operation)
    return {
      method: operation.method,
      path: `/api/v1${operation.path}`,
      handle: async incoming => {
        usage.count(incoming.school.id)
        const reply = await perform(deps, { ...incoming, operation })
        if (isPublic && isAnonymous(incoming.raw)) return { ...reply, publicSince: incoming.schoolReadAt }
        return operation.method === 'GET' ? unlessCurrent(incoming.raw, reply) : reply
      },
    }
  })
}

const NO_METHODS: Methods = new Map()

// The connection would wait for the rest of a body that is not read.
const isUnread = (raw: IncomingMessage): boolean => hasBody(raw) && !raw.complete

// What the fallback does not have is not there for any method, so only reads are matched.
const unmatchedMethods = ({ fallback, database }: ServerParts, { mark }: LastSeen) => {
  if (fallback === undefined) return () => NO_METHODS
  const methods: Methods = new Map([['GET', fallbackRoute(fallback, database, mark)]])
  return ({ method, url }: FastifyRequest): Methods =>
    (method === 'GET' || method === 'HEAD') && chooseErrorFormat(splitTarget(url)[0]) === 'site' ? methods : NO_METHODS
}

type Sharing = { readonly responses: PublicResponses; readonly compresses: boolean; readonly kept: Kept }

// Keeps a reply that everybody gets, and answers 304 to who has it.
const shareReply = (
  { responses, compresses }: Sharing,
  { raw, url }: FastifyRequest,
  { school, route }: RequestLogContext,
  reply: Reply,
): { readonly reply: Reply; readonly found?: PublicResponse | undefined } => {
  if (reply.publicSince === undefined || school === undefined) return { reply }
  const described = { at: reply.publicSince, route: route ?? null, path: splitTarget(url)[0], compresses }
  const found = isAnonymous(raw) ? buildPublicResponse(reply, described) : undefined
  if (found !== undefined) responses.keep(school.id, buildKey(raw, school), found)
  return { reply: unlessCurrent(raw, reply), found }
}

const chooseEncoding = (
  { responses, compresses, kept }: Sharing,
  { raw, url }: FastifyRequest,
  { reply, found }: ReturnType<typeof shareReply>,
): Encoding | undefined => {
  if (!compresses) return undefined
  const path = splitTarget(url)[0]
  if (found !== undefined) return { raw, path, encode: (_, coding) => responses.encode(found, coding) }
  const etag = reply.headers?.etag
  if (reply.isStable !== true || etag === undefined) return { raw, path, encode: compressBody }
  return { raw, path, encode: (body, coding) => kept(String(etag), body, coding) }
}

const CLOSE = { connection: 'close' }

/** Creates the HTTP server of an installation, for all its schools, areas and endpoints. */
export const createServer = (parts: ServerParts): FastifyInstance => {
  const usage = startUsageCounter(parts.database)
  const lastSeen = startLastSeen(parts.database)
  const views = startViewCounter(parts.database)
  const pagesHost: Methods = new Map([['GET', pagesHostRoute(parts.staticPages, parts.database, lastSeen.mark)]])
  const responses = createPublicResponses(parts.database.writtenAt, parts.publicAge)
  const sharing = { responses, compresses: parts.compresses ?? true, kept: createKept() }
  const shared = {
    countNetwork: createNetworkRate((parts.rates ?? rates).network),
    schools: createSchoolFinder(parts.database),
  }
  const handle = createRequestHandler(parts, shared, pagesHost)
  const closing = { now: false }
  const respond = async (request: FastifyRequest, reply: FastifyReply, methods: Methods, early?: unknown) => {
    const logContext: RequestLogContext = {}
    request.logContext = logContext
    const handled = await handle(request, methods, logContext, early).catch(error =>
      refusedReply(request, logContext, error),
    )
    if (logContext.school !== undefined) views.count(logContext.school.id, request.raw, handled.viewed)
    const outcome = shareReply(sharing, request, logContext, handled)
    const before = [
      { 'x-request-id': request.id },
      commonHeaders(splitTarget(request.url)[0]),
      logContext.rate ?? {},
      closing.now || isUnread(request.raw) ? CLOSE : {},
    ]
    return sendReply(reply, outcome.reply, before, chooseEncoding(sharing, request, outcome))
  }
  const listener = createPublicListener({
    ...shared,
    responses,
    isProxy: parts.isProxy,
    count: usage.count,
    countView: views.count,
    log: () => app.log,
  })
  const app: FastifyInstance = createFastify(parts, {
    onBadUrl: (request, reply) => respond(request, reply, NO_METHODS),
    // A connection that is to be closed is closed by the pipeline.
    respondEarly: (raw, response) => !closing.now && listener(raw, response),
  })
  const endpoints = endpointRoutes(parts.endpoints, parts.database, lastSeen.mark)
  const waitingRoom = createWaitingRoom({
    changes: parts.changes,
    readLast: schoolId => parts.database.statements(schoolId, db => readLastFact(db, schoolId)),
  })
  const table = routeTable([...apiRoutes(parts, { usage, lastSeen }, waitingRoom), ...endpoints])
  const unmatched = unmatchedMethods(parts, lastSeen)
  const findRoutes = createRouter(table)
  const route = (request: FastifyRequest, reply: FastifyReply) => {
    const found = findRoutes(splitTarget(request.url)[0])
    // Where the pipeline reads them.
    request.params = found?.params ?? {}
    return respond(request, reply, found?.methods ?? unmatched(request))
  }
  app.all('/*', route)
  // A target that is no path, and methods that Fastify does not know.
  app.setNotFoundHandler(route)
  app.setErrorHandler((error, request, reply) => respond(request, reply, NO_METHODS, fastifyRefusal(error)))
  app.addHook('onResponse', async (request, reply) => logRequest(request, reply, request.logContext))
  app.addHook('onClose', () => Promise.all([usage.stop(), lastSeen.stop(), views.stop()]).then(() => undefined))
  app.addHook('preClose', async () => {
    closing.now = true
    waitingRoom.close()
    closeWhenIdle(app)
  })
  return app
}

// A response that ends after the server began to close leaves its connection idle, and Node does not check it again.
const closeWhenIdle = ({ server }: FastifyInstance): void => {
  const timer = setInterval(() => server.closeIdleConnections(), limits.idleLook).unref()
  server.once('close', () => clearInterval(timer))
}

// A refusal by Fastify itself before the pipeline gets the request, for example of a malformed Content-Type.
const fastifyRefusal = (error: unknown): unknown => {
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status === 415) return new Refusal(unsupportedMediaType, 'The Content-Type cannot be read.')
  return status < 500 ? new Refusal(invalidRequest, 'The request cannot be read.') : error
}

type Handlers = {
  readonly onBadUrl: (request: FastifyRequest, reply: FastifyReply) => unknown
  /** Responds before Fastify sees a request; false when it did not. */
  readonly respondEarly: (raw: IncomingMessage, response: ServerResponse) => boolean
}

const serverOptions = {
  maxHeaderSize: limits.headers,
  headersTimeout: limits.headersTimeout,
  connectionsCheckingInterval: 1000,
  // A file may take longer, as long as bytes keep arriving; every other body is limited by `limitBodyTime`.
  requestTimeout: 0,
  keepAliveTimeout: limits.keepAliveTimeout,
}

// No route has a schema of Fastify's, whose compilers would be a hundred modules to load.
const noCompiler = (): never => {
  throw new Error('Schemas are checked by the pipeline, not by Fastify')
}

const createFastify = (parts: ServerParts, { onBadUrl, respondEarly }: Handlers): FastifyInstance => {
  const app = Fastify({
    logger: loggerOptions(parts.log),
    logController: new LogController({ disableRequestLogging: true }),
    // Every line names its request itself.
    childLoggerFactory: logger => logger,
    genReqId: readRequestId,
    serverFactory: handler =>
      createHttpServer(serverOptions, (raw, response) => {
        if (!respondEarly(raw, response)) handler(raw, response)
      }).setTimeout(limits.stalledSocket),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions,
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    frameworkErrors: (_error, request, reply) => void onBadUrl(request, reply),
    clientErrorHandler: onClientError,
  })
  app.decorateRequest('logContext', undefined)
  limitConnections(app.server, limits.connections, app.server)
  app.server.on('request', limitBodyTime)
  // The pipeline reads bodies after the check of the scope.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  return app
}
