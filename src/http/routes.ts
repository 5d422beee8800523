import type { IncomingMessage } from 'node:http'
import type { Caller } from '#src/contract/caller.ts'
import type { ErrorFormat, Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { texts } from '#src/texts/index.ts'

/** A request whose school is known. */
export type Incoming = {
  readonly raw: IncomingMessage
  readonly school: School
  /** Before the school was read, on the clock of this process. */
  readonly schoolReadAt: number
  readonly path: string
  readonly query: string
  readonly params: Record<string, string>
  readonly requestId: string
  readonly network: string
  /** Records the caller for the log, and the rate limit headers for the response. */
  setCaller(details: { readonly caller: Caller; readonly rate?: Readonly<Record<string, string>> }): void
  logWarning(event: string, fields: Readonly<Record<string, unknown>>): void
}

/** One method of one path. */
export type Route = {
  readonly method: string
  readonly path: string
  /** Whether the path has the method at an address with this query; Allow names methods that every address has. */
  isFor?(query: string): boolean
  handle(incoming: Incoming): Promise<Reply>
}

/** The routes by path, then by method; HEAD goes to GET. */
export type RouteTable = ReadonlyMap<string, ReadonlyMap<string, Route>>

/** Groups routes by path; throws when two have the same method and path. */
export const routeTable = (routes: readonly Route[]): RouteTable => {
  const table = new Map<string, Map<string, Route>>()
  for (const route of routes) {
    const methods = table.get(route.path) ?? new Map<string, Route>()
    if (methods.has(route.method)) throw new Error(`${route.method} ${route.path} is declared twice`)
    table.set(route.path, methods.set(route.method, route))
  }
  return table
}

/** The refusal where there is nothing. */
export const nothingHere = (): Refusal => new Refusal(notFound, texts.http.nothingHere)

/** The Allow header of a path. */
export const formatAllow = (methods: ReadonlyMap<string, Route>): string => {
  const always = [...methods.values()].filter(({ isFor }) => isFor === undefined).map(({ method }) => method)
  return [...always, ...(always.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}

/** The form of the refusals of a path. */
export const chooseErrorFormat = (path: string): ErrorFormat => {
  if (/^\/api\/v1(?:\/|$)/.test(path)) return 'problem'
  if (/^\/(?:api\/oauth|\.well-known)(?:\/|$)/.test(path)) return 'oauth'
  if (/^\/oauth(?:\/|$)/.test(path)) return 'page'
  return /^\/(?:api|webhooks)\//.test(path) ? 'problem' : 'site'
}

/** Whether pages of any origin may read the responses of a path. */
export const isShared = (path: string): boolean =>
  /^\/(?:api|\.well-known)(?:\/|$)/.test(path) || path === '/auth.md' || path === '/openapi.json'
