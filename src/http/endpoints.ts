import type { Database } from '#src/contract/db.ts'
import type { Endpoint, EndpointRequest, Fallback } from '#src/contract/endpoint.ts'
import { readBytes, readForm, readJson } from './body.ts'
import { withFormParts } from './form-parts.ts'
import type { LastSeen } from './last-seen.ts'
import { parseCookies, readValues } from './raw-headers.ts'
import { type Incoming, nothingHere, type Route } from './routes.ts'
import { isForPrograms } from './site-host.ts'
import { withoutWrites } from './without-writes.ts'

type MarkSeen = LastSeen['mark']

const buildRequest = (incoming: Incoming, database: Database, markSeen: MarkSeen): EndpointRequest => {
  const { raw } = incoming
  // Only pages are about who is signed in.
  const jar = parseCookies((!isForPrograms(raw.url ?? '') && raw.headers.cookie) || '')
  return {
    method: raw.method ?? 'GET',
    path: incoming.path,
    query: incoming.query,
    params: incoming.params,
    school: incoming.school,
    schoolReadAt: incoming.schoolReadAt,
    receivedAt: new Date(),
    database,
    requestId: incoming.requestId,
    network: incoming.network,
    header: name => readValues(raw, name)[0],
    headers: name => readValues(raw, name),
    cookie: name => jar.get(name),
    form: maxBytes => readForm(raw, maxBytes),
    formParts: (sender, read) => withFormParts(raw, { school: incoming.school.id, ...sender }, read),
    json: () => readJson(raw, ['application/json']),
    bytes: maxBytes => readBytes(raw, maxBytes),
    logWarning: incoming.logWarning,
    markSeen: (memberId, sessionId) => markSeen(incoming.school.id, memberId, sessionId),
  }
}

const pathIn = ({ route }: Pick<Endpoint, 'route'>): string => route.slice(route.indexOf(' ') + 1)

const asksForKept = (query: string): boolean => new URLSearchParams(query).has('kept')

type Handle = Endpoint['handle']

// A form without a page of its own is part of the closest page above.
const leadAbove = (path: string, pages: ReadonlyMap<string, Handle>): Handle => {
  const segments = path.split('/')
  const above = segments.findLastIndex((_, at) => pages.has(segments.slice(0, at + 1).join('/')))
  return async request => ({
    status: 303,
    headers: {
      location:
        request.path
          .split('/')
          .slice(0, above + 1)
          .join('/') || '/account',
      'cache-control': 'no-store',
    },
  })
}

/** The routes of endpoints that are not operations of the API, and of forms that were kept, at the addresses of their pages. */
export const endpointRoutes = (endpoints: readonly Endpoint[], database: Database, markSeen: MarkSeen): Route[] => {
  const pages = new Map(endpoints.filter(({ route }) => route.startsWith('GET ')).map(one => [pathIn(one), one.handle]))
  const readable = withoutWrites(database)
  const kept = new Map(
    endpoints.flatMap(one => {
      const { showKept } = one
      const path = pathIn(one)
      const show = pages.get(path) ?? leadAbove(path, pages)
      if (showKept === undefined) return []
      return [[path, (incoming: Incoming) => showKept(buildRequest(incoming, readable, markSeen), show)] as const]
    }),
  )
  const routes = endpoints.map(({ route, handle, checkForm }): Route => {
    const path = pathIn({ route })
    const isRead = route.startsWith('GET ')
    const again = isRead ? kept.get(path) : undefined
    return {
      method: isRead ? 'GET' : 'POST',
      path,
      handle: async incoming => {
        if (again !== undefined && asksForKept(incoming.query)) return again(incoming)
        const check = incoming.raw.headers['stoa-form'] === 'check' ? checkForm : undefined
        if (check !== undefined) return check(buildRequest(incoming, readable, markSeen))
        return handle(buildRequest(incoming, database, markSeen))
      },
    }
  })
  const withoutPage = [...kept].filter(([path]) => !pages.has(path))
  return [
    ...routes,
    ...withoutPage.map(([path, handle]): Route => ({ method: 'GET', path, isFor: asksForKept, handle })),
  ]
}

/** The route of paths that nothing else has, for GET; a path is its own, so it has no parameters. */
export const fallbackRoute = (fallback: Fallback, database: Database, markSeen: MarkSeen): Route => ({
  method: 'GET',
  path: '*',
  handle: async incoming => {
    const reply = await fallback(buildRequest({ ...incoming, params: {} }, database, markSeen))
    if (reply === undefined) throw nothingHere()
    return reply
  },
})

/** The route of every path on the hosts for uploaded pages, for GET. */
export const pagesHostRoute = (handle: Endpoint['handle'], database: Database, markSeen: MarkSeen): Route => ({
  method: 'GET',
  path: '*',
  handle: incoming => handle(buildRequest({ ...incoming, params: {} }, database, markSeen)),
})
