import type { Database } from '#src/contract/db.ts'
import type { Endpoint, EndpointRequest, Fallback } from '#src/contract/endpoint.ts'
import { readBytes, readForm, readJson } from './body.ts'
import { withFormParts } from './form-parts.ts'
import { readValues } from './raw-headers.ts'
import { type Incoming, nothingHere, type Route } from './routes.ts'

const cookies = (header: string): Map<string, string> =>
  new Map(
    header
      .split(';')
      .map(part => {
        const cut = part.indexOf('=')
        return [part.slice(0, Math.max(0, cut)).trim(), part.slice(cut + 1).trim()] as const
      })
      // Of several cookies with one name the first applies.
      .reverse(),
  )

type MarkSeen = (schoolId: string, memberId: string) => void

const buildRequest = (incoming: Incoming, database: Database, markSeen: MarkSeen): EndpointRequest => {
  const { raw } = incoming
  const jar = cookies(raw.headers.cookie ?? '')
  return {
    method: raw.method ?? 'GET',
    path: incoming.path,
    query: incoming.query,
    sessionPath: incoming.sessionPath,
    params: incoming.params,
    school: incoming.school,
    schoolReadAt: incoming.schoolReadAt,
    database,
    requestId: incoming.requestId,
    network: incoming.network,
    header: name => readValues(raw, name)[0],
    headers: name => readValues(raw, name),
    cookie: name => jar.get(name),
    form: () => readForm(raw),
    formParts: (sender, read) => withFormParts(raw, { school: incoming.school.id, ...sender }, read),
    json: () => readJson(raw, ['application/json']),
    bytes: maxBytes => readBytes(raw, maxBytes),
    logWarning: incoming.logWarning,
    markSeen: memberId => markSeen(incoming.school.id, memberId),
  }
}

/** The routes of endpoints that are not operations of the API. */
export const endpointRoutes = (endpoints: readonly Endpoint[], database: Database, markSeen: MarkSeen): Route[] =>
  endpoints.map(({ route, handle }) => {
    const [method = '', path = ''] = route.split(' ')
    return { method, path, handle: incoming => handle(buildRequest(incoming, database, markSeen)) }
  })

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
