import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '#src/contract/caller.ts'
import type { School } from '#src/contract/school.ts'
import { limits } from './limits.ts'

const VISIBLE = /^[\x21-\x7e]+$/

/** The request's own id when it is one line of visible ASCII, else a new one. */
export const requestIdOf = (raw: IncomingMessage): string => {
  const values = raw.headersDistinct['x-request-id'] ?? []
  const [value = ''] = values
  return values.length === 1 && value.length <= limits.requestId && VISIBLE.test(value) ? value : randomUUID()
}

/** How Fastify's pino writes: one JSON line each, an error without the request that caused it. */
export const loggerOptions = (log: {
  readonly level: string
  readonly stream?: { write(line: string): void } | undefined
}) => ({
  level: log.level,
  base: null,
  timestamp: () => `,"time":"${new Date(performance.timeOrigin + performance.now()).toISOString()}"`,
  ...(log.stream === undefined ? {} : { stream: log.stream }),
})

type Known = { readonly school?: School; readonly caller?: Caller; readonly route?: string } | undefined

/** One line per request: never the query, a header or a body, where secrets travel. */
export const logRequest = (request: FastifyRequest, reply: FastifyReply, known: Known): void => {
  request.log.info(
    {
      request_id: request.id,
      method: request.method,
      route: known?.route ?? null,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      school: known?.school?.id,
      member: known?.caller?.member?.id,
      client: known?.caller?.clientId,
    },
    'request',
  )
}
