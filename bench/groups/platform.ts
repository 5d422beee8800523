import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startApp, type TestApp } from '#testing/app.ts'
import { createTestDatabase } from '#testing/database.ts'
import { send } from '#testing/http.ts'
import { freePort } from '#testing/ports.ts'
import { bytesBelow } from '../dependencies.ts'
import type { BenchRequest, Comparison } from '../measure.ts'
import { measureStarts, type Startable } from '../rival-start.ts'
import { fillDirectus, MEMBER_TOKEN } from '../rivals/directus/fill.ts'
import { installDirectus, packages } from '../rivals/directus/install.ts'
import { bootstrapDirectus, type DirectusSettings, startDirectus } from '../rivals/directus/serve.ts'
import { type Served, serve, stop } from '../served.ts'
import type { Group } from './group.ts'
import { type BenchSchool, benchSchool, openSide, startStoa } from './school.ts'

type PlatformCase = {
  readonly title: string
  readonly requests: readonly BenchRequest[]
  readonly theirs: readonly BenchRequest[]
  /** Whether the rival can answer it from its cache. */
  readonly isRead: boolean
}

const NAMES = ['Mia Torres', 'Mia Torres-Lima']
const bearer = { authorization: `Bearer ${MEMBER_TOKEN}` }
const byTheirToken = (path: string): readonly BenchRequest[] => [{ path: `/items${path}`, headers: bearer }]

const listCases = ({ memberIds, byToken, anonymous }: BenchSchool): readonly PlatformCase[] => {
  const [member = ''] = memberIds
  const bodies = NAMES.map(name => JSON.stringify({ name }))
  const changes = bodies.flatMap(body => memberIds.slice(0, 50).map(id => ({ id, body })))
  return [
    {
      title: 'one member by token',
      requests: byToken(`/members/${member}`),
      theirs: byTheirToken(`/members/${member}`),
      isRead: true,
    },
    {
      title: 'a page of 25 members by token',
      requests: byToken('/members'),
      theirs: byTheirToken('/members?limit=25'),
      isRead: true,
    },
    {
      title: 'a page of 25 members with a filter, a search and an order, by token',
      requests: byToken('/members?status=invited&q=member&sort=name'),
      theirs: byTheirToken('/members?limit=25&filter[status][_eq]=invited&search=member&sort=name'),
      isRead: true,
    },
    {
      title: 'a changed name of a member by token',
      requests: changes.flatMap(({ id, body }) => byToken(`/members/${id}`, { method: 'PATCH', body })),
      theirs: changes.map(({ id, body }) => ({
        ...{ method: 'PATCH' as const, path: `/items/members/${id}`, body },
        headers: { ...bearer, 'content-type': 'application/json' },
      })),
      isRead: false,
    },
    {
      title: 'the courses without a token',
      requests: anonymous('/api/v1/courses'),
      theirs: [{ path: '/items/courses?limit=25', headers: {} }],
      isRead: true,
    },
  ]
}

const readCount = async (port: number, { path, headers }: BenchRequest): Promise<number> => {
  const { data = [] } = (await send(port, { path, headers })).json
  return Array.isArray(data) ? data.length : 1
}

// A case in which one of them returns fewer rows would measure something else.
const checkRows = async (cases: readonly PlatformCase[], stoa: number, theirs: number): Promise<void> => {
  for (const { title, requests, theirs: others, isRead } of cases) {
    const [ours, other] = [requests[0], others[0]]
    if (!isRead || ours === undefined || other === undefined) continue
    const counts = [await readCount(stoa, ours), await readCount(theirs, other)]
    if (counts[0] !== counts[1]) throw new Error(`${title}: ${counts.join(' and ')} rows`)
  }
}

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

const buildAddress = (port: number, path: string): string => `http://127.0.0.1:${port}${path}`

const stoaToStart = async ({ database, secret, folder }: TestApp): Promise<Startable> => {
  const port = await freePort()
  const env = {
    ...{ PATH: process.env.PATH, STOA_DATABASE_URL: database.appUrl, STOA_SECRET: secret, STOA_DATA: folder },
    ...{ STOA_PORT: String(port), STOA_LOG_LEVEL: 'error' },
    // As the launcher does.
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
  }
  return {
    name: 'Stoa',
    url: buildAddress(port, '/readyz'),
    begin: () => spawn(process.execPath, [MAIN, 'serve'], { stdio: 'ignore', env }),
  }
}

const directusToStart = (name: string, settings: DirectusSettings): Startable => ({
  name,
  url: buildAddress(settings.port, '/server/ping'),
  begin: () => startDirectus(settings),
})

type Rivals = { readonly plain: Served & { port: number }; readonly cached: Served & { port: number } }

const startRivals = async (databaseUrl: string, app: TestApp, school: BenchSchool): Promise<Rivals> => {
  const ports = [await freePort(), await freePort()] as const
  await bootstrapDirectus({ databaseUrl, port: ports[0] })
  const start = async (port: number, isCached: boolean) => {
    const { begin, url } = directusToStart('', { databaseUrl, port, isCached })
    return { ...(await serve(begin, url)), port }
  }
  const plain = await start(ports[0], false)
  await fillDirectus(plain.port, [
    { name: 'members', rows: await school.rows('/members'), indexed: ['status', 'name', 'email', 'created_at'] },
    { name: 'courses', rows: (await app.send({ path: '/api/v1/courses' })).json.data, indexed: [] },
  ])
  return { plain, cached: await start(ports[1], true) }
}

/** Stoa and Directus on the same PostgreSQL, with the same members and courses. */
export const platform = async (): Promise<Group> => {
  const name = await installDirectus()
  const app = await startApp()
  const database = await createTestDatabase('template0')
  const school = await benchSchool(app)
  const { plain, cached } = await startRivals(database.ownerUrl, app, school)
  const stoa = await startStoa(app)
  const cases = listCases(school)
  await checkRows(cases, stoa.port, plain.port)
  const comparisons = cases.flatMap(({ title, requests, theirs, isRead }): Comparison[] => [
    { title, rival: name, stoa: openSide(stoa, requests), other: openSide(plain, theirs) },
    ...(isRead
      ? [{ title, rival: `${name} with its cache`, stoa: openSide(stoa, requests), other: openSide(cached, theirs) }]
      : []),
  ])
  return {
    comparisons,
    starts: async rounds => {
      await Promise.all([stop(plain), stop(cached)])
      const rival = directusToStart(name, { databaseUrl: database.ownerUrl, port: plain.port })
      return {
        starts: await measureStarts([await stoaToStart(app), rival], rounds),
        packages: Math.round((await bytesBelow(packages)) / 1e6),
      }
    },
    stop: async () => {
      await Promise.all([stop(plain), stop(cached), stoa.stop()])
      await database.drop()
      await app.stop()
    },
  }
}
