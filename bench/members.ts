import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { fromId } from '#src/kit/ids.ts'
import { startApp } from '#testing/app.ts'
import { startProcess } from '#testing/process.ts'
import type { Bare } from './bare.ts'
import { type Case, type Effort, type Measured, measure, type Percentile } from './measure.ts'

// The API allows a grant 3,000 requests a minute and a network 6,000; callers take turns so that none is slowed down.
const CALLERS = 40
const MEMBERS = 1000

/** The requests that are measured on both servers, and the latencies that are printed. */
export type Stage = {
  readonly measures: readonly ((effort: Effort) => Promise<Measured>)[]
  readonly percentiles: readonly Percentile[]
  stop(): Promise<void>
}

const startBare = async (bare: Bare): Promise<{ readonly port: number; stop(): void }> => {
  const child = fork(fileURLToPath(new URL('bare.ts', import.meta.url)), { execArgv: [] })
  child.send(bare)
  const port = await Promise.race([
    once(child, 'message').then(([message]) => Number(message)),
    once(child, 'exit').then(() => Promise.reject(new Error('the bare handler did not start'))),
  ])
  return { port, stop: () => child.disconnect() }
}

/** A school of 1,000 members and more, `stoa serve` in a process of its own, and the bare handler in another. */
export const members = async (): Promise<Stage> => {
  const app = await startApp()
  const scopes = ['members:read', 'members:write', 'school:read']
  const ada = await app.actor('ada', { scopes })
  const rows = Array.from({ length: MEMBERS }, (_, n) => ({
    email: `m${n}@crumb.example`,
    name: `Member ${n}`,
    tags: ['bench'],
  }))
  const batch = await ada.write('POST', '/members/batches', { rows })
  if (batch.json.created !== MEMBERS) throw new Error(`the members were not made: ${batch.text.slice(0, 300)}`)
  const tokens = [ada.token]
  while (tokens.length < CALLERS) tokens.push((await app.actor('ada', { scopes })).token)
  const { data } = (await ada.get('/members?limit=100')).json
  const member = data.at(-1)
  const school = await app.send({ path: '/api/v1/school' })
  const stoa = await startProcess(
    { databaseUrl: app.database.appUrl, secret: app.secret },
    { STOA_TRUST_PROXY: '127.0.0.0/8' },
  )
  const bare = await startBare({
    ownerUrl: app.database.ownerUrl,
    schoolId: app.a.id,
    memberId: fromId('mem', member.id) ?? '',
    school: school.json,
  })
  const host = new URL(app.a.baseUrl).host
  const from = (n: number) => ({ host, 'x-forwarded-for': `10.0.${n}.1`, accept: 'application/json' })
  const requestFor = (path: string, isSignedIn: boolean) =>
    tokens.map((token, n) => ({
      path: `/api/v1${path}`,
      headers: { ...from(n), ...(isSignedIn ? { authorization: `Bearer ${token}` } : {}) },
    }))
  const unchanged = requestFor('/school', false).map(({ path, headers }) => ({
    path,
    headers: { ...headers, 'if-none-match': String(school.headers.etag) },
  }))
  const ports = { stoa: stoa.port, bare: bare.port }
  const cases: readonly Case[] = [
    { title: 'GET /members/{id} by token', aim: 0.85, requests: requestFor(`/members/${member.id}`, true) },
    { title: 'GET /school anonymously', aim: undefined, requests: requestFor('/school', false) },
    { title: 'the same, unchanged (304)', aim: 0.5, requests: unchanged },
    { title: 'GET /members, a page of 25', aim: undefined, requests: requestFor('/members', true) },
  ]
  return {
    measures: cases.map(one => effort => measure(ports, one, effort)),
    percentiles: ['p99'],
    stop: async () => {
      bare.stop()
      await stoa.stop()
      await app.stop()
    },
  }
}
