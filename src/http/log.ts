import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '#src/contract/caller.ts'
import type { School } from '#src/contract/school.ts'
import { limits } from './limits.ts'
import { readValues } from './raw-headers.ts'

const VISIBLE = /^[\x21-\x7e]+$/

/** The request's own id if it is visible ASCII of at most the allowed length, else a new one. */
export const readRequestId = (raw: IncomingMessage): string => {
  const values = readValues(raw, 'x-request-id')
  const [value = ''] = values
  return values.length === 1 && value.length <= limits.requestId && VISIBLE.test(value) ? value : randomUUID()
}

/** The options of Fastify's logger: one JSON line per entry, and errors without the request that caused them. */
export const loggerOptions = (log: {
  readonly level: string
  readonly stream?: { write(line: string): void } | undefined
}) => ({
  level: log.level,
  base: null,
  timestamp: () => `,"time":"${new Date(performance.timeOrigin + performance.now()).toISOString()}"`,
  ...(log.stream === undefined ? {} : { stream: log.stream }),
})

type LogContext = { readonly school?: School; readonly caller?: Caller; readonly route?: string } | undefined

/** Logs one line per request, without the query, the headers and the body, which may contain secrets. */
export const logRequest = (request: FastifyRequest, reply: FastifyReply, context: LogContext): void => {
  request.log.info(
    {
      request_id: request.id,
      method: request.method,
      route: context?.route ?? null,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      school: context?.school?.id,
      member: context?.caller?.member?.id,
      client: context?.caller?.clientId,
    },
    'request',
  )
}
