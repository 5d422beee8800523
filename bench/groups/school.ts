import type { School } from '#src/contract/school.ts'
import { people } from '#src/demo/index.ts'
import { fromId } from '#src/kit/ids.ts'
import { enterAccount, formatCookie } from '#testing/account-pages.ts'
import { PASSWORD, startApp, type TestApp } from '#testing/app.ts'
import { type ServerProcess, startProcess } from '#testing/process.ts'
import { type BenchRequest, type Comparison, type Side, sendRequests } from '../measure.ts'
import type { Row } from '../rivals/directus/fill.ts'
import { startRival } from '../rivals/start-rival.ts'
import type { Group } from './group.ts'

// The API allows a grant 3,000 requests a minute and a network 6,000; callers take turns so that none is slowed down.
const CALLERS = 60
const NETWORKS = 500
const MEMBERS = 1000
const SCOPES = ['members:read', 'members:write', 'courses:read', 'school:read']

/** A school with 1,000 members and more, and the requests of many callers. */
export type BenchSchool = {
  /** The application with its data, for what a group adds to them. */
  readonly app: TestApp
  readonly memberIds: readonly string[]
  /** Of a path of the API, or of the site, without a token. */
  anonymous(path: string, headers?: Readonly<Record<string, string>>): readonly BenchRequest[]
  /** Of a page, with the session of a browser, by default that of a member who learns. */
  bySession(path: string, name?: 'ada' | 'eli'): Promise<readonly BenchRequest[]>
  byToken(path: string, more?: Omit<BenchRequest, 'path' | 'headers'>): readonly BenchRequest[]
  /** The UUID of a member. */
  rowId(memberId: string): string
  /** All rows of a list of the API, page by page. */
  rows(path: string): Promise<readonly Row[]>
  /** What everybody gets at a path. */
  read(path: string): Promise<{ readonly type: string; readonly body: string; readonly etag: string }>
}

/** What is measured of a school: a title, a target, and the requests to Stoa and to the bare handler. */
export type SchoolCase = Pick<Comparison, 'title' | 'rival' | 'target'> & {
  readonly requests: readonly BenchRequest[]
  readonly bare: readonly BenchRequest[]
}

/** The cases of a group, and what the bare handler returns without a statement. */
type Cases = {
  readonly cases: readonly SchoolCase[]
  readonly constants?: Readonly<Record<string, { readonly type: string; readonly body: string }>>
}

const createTokens = async (app: TestApp, school: School): Promise<string[]> => {
  const tokens: string[] = []
  while (tokens.length < CALLERS) tokens.push((await app.actor('ada', { scopes: SCOPES, school })).token)
  return tokens
}

const addMembers = async (app: TestApp, school: School): Promise<string[]> => {
  const ada = await app.actor('ada', { scopes: SCOPES, school })
  const rows = Array.from({ length: MEMBERS }, (_, n) => ({
    email: `m${n}@crumb.example`,
    name: `Member ${n}`,
    tags: ['bench'],
  }))
  const batch = await ada.write('POST', '/members/batches', { rows })
  if (batch.json.created !== MEMBERS) throw new Error(`the members were not created: ${batch.text.slice(0, 300)}`)
  const { data } = (await ada.get('/members?limit=100&tag=bench')).json
  return data.map(({ id }: { id: string }) => id)
}

const readRows = async (app: TestApp, path: string): Promise<readonly Row[]> => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const rows: Row[] = []
  for (let cursor = ''; ; ) {
    const { data, next_cursor: next } = (await ada.get(`${path}?limit=100${cursor}`)).json
    rows.push(...data)
    if (next === undefined) return rows
    cursor = `&cursor=${encodeURIComponent(next)}`
  }
}

/** Adds the members to a school, the first one by default, and lets the callers sign in. */
export const benchSchool = async (app: TestApp, school: School = app.a): Promise<BenchSchool> => {
  const [memberIds, tokens] = [await addMembers(app, school), await createTokens(app, school)]
  const { host } = new URL(school.baseUrl)
  const from = (n: number) => ({ host, 'x-forwarded-for': `10.${n >> 8}.${n & 255}.1`, accept: '*/*' })
  return {
    app,
    memberIds,
    rowId: id => fromId('mem', id) ?? '',
    rows: path => readRows(app, path),
    anonymous: (path, headers = {}) =>
      Array.from({ length: NETWORKS }, (_, n) => ({ path, headers: { ...from(n), ...headers } })),
    bySession: async (path, name = 'eli') => {
      const person = { port: app.port, school, email: people[name].email, password: PASSWORD }
      const cookie = formatCookie(await enterAccount(person))
      return Array.from({ length: NETWORKS }, (_, n) => ({
        path,
        headers: { ...from(n), cookie, accept: 'text/html' },
      }))
    },
    byToken: (path, more = {}) =>
      tokens.map((token, n) => ({
        ...{ ...more, path: `/api/v1${path}` },
        headers: {
          ...from(n),
          authorization: `Bearer ${token}`,
          ...(more.body === undefined ? {} : { 'content-type': 'application/json', 'if-match': '*' }),
        },
      })),
    read: async path => {
      const { headers, text } = await app.send({ path }, school)
      return { type: String(headers['content-type']), body: text, etag: String(headers.etag) }
    },
  }
}

/** `stoa serve` on the database of an application, with the options of Node that rivals have too. */
export const startStoa = (app: TestApp): Promise<ServerProcess> => {
  const { NODE_OPTIONS = '' } = process.env
  return startProcess(
    { databaseUrl: app.database.appUrl, secret: app.secret },
    { STOA_TRUST_PROXY: '127.0.0.0/8', NODE_OPTIONS },
  )
}

/** A server to which the requests of a case are sent. */
export const openSide = (
  { port, pid }: { readonly port: number; readonly pid: number },
  requests: readonly BenchRequest[],
): Side => ({ pid, prepare: async effort => () => sendRequests(port, requests, effort) })

/** `stoa serve` with the demo data and 1,000 more members, and the bare handler, each in a process of its own. */
export const compareWithBare = async (listCases: (school: BenchSchool) => Cases | Promise<Cases>): Promise<Group> => {
  const app = await startApp()
  const { cases, constants = {} } = await listCases(await benchSchool(app))
  const stoa = await startStoa(app)
  const bare = await startRival('bare.ts', { ownerUrl: app.database.ownerUrl, schoolId: app.a.id, constants })
  return {
    comparisons: cases.map(({ requests, bare: bareRequests, ...about }) => ({
      ...about,
      stoa: openSide(stoa, requests),
      other: openSide(bare, bareRequests),
    })),
    stop: async () => {
      bare.stop()
      await stoa.stop()
      await app.stop()
    },
  }
}
