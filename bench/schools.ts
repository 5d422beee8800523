import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '#src/db/database.ts'
import { createSchool } from '#src/demo/index.ts'
import { createKeys } from '#src/oauth/index.ts'
import { createTestDatabase, setting, type TestDatabase } from '#testing/database.ts'
import { type ServerProcess, startProcess } from '#testing/process.ts'
import { databaseMicros, processMicros, readMemory } from './cpu.ts'
import { median } from './measure.ts'
import { send } from './scale/latency.ts'

/** The numbers of schools that are measured. */
const COUNTS = [100, 1000, 10_000]
const WRITERS = 4
const ASKED = 300
const IDLE_SECONDS = 5
const JOBS_MINUTES = 10

/** The latency of several requests in milliseconds. */
type Latency = { readonly median: number; readonly worst: number }

/** How one installation serves a number of schools; memory in MB. */
export type SchoolsServed = {
  readonly schools: number
  readonly createdSeconds: number
  /** Until the server was ready, in milliseconds. */
  readonly start: number
  readonly memoryAtRest: number
  /** The processor time of a second in which nothing is requested, in milliseconds. */
  readonly idle: { readonly server: number; readonly database: number }
  /** The first request to each of 300 schools, and the next one. */
  readonly first: Latency
  readonly next: Latency
  readonly memoryInUse: number
  /** Until every job of every school had run, in seconds, and what a request took meanwhile. */
  readonly jobs: { readonly count: number; readonly seconds: number; readonly meanwhile: Latency }
}

const formatHost = (n: number): string => `s${n}.schools.example`

const addSchools = async ({ appUrl }: TestDatabase, from: number, until: number): Promise<number> => {
  const began = performance.now()
  const database = openDatabase(appUrl, { max: WRITERS })
  const keys = createKeys(setting('STOA_TEST_SECRET'))
  let next = from
  const add = async (): Promise<void> => {
    while (next < until) {
      const n = next++
      const id = await createSchool(
        database,
        keys,
        { baseUrl: `https://${formatHost(n)}`, name: `School ${n}` },
        Date.now(),
      )
      if (id === undefined) throw new Error(`school ${n} exists already: nothing was measured`)
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, add))
  await database.close()
  return (performance.now() - began) / 1000
}

const ask = async (port: number, n: number): Promise<number> => {
  const headers = { host: formatHost(n), 'x-forwarded-for': `10.${(n >> 8) & 255}.${n & 255}.1` }
  const { status, text, whole } = await send({ port, path: '/api/v1/school', headers })
  if (status !== 200) throw new Error(`${status}: ${text.slice(0, 200)}`)
  return whole
}

const computeLatency = (times: readonly number[]): Latency => ({ median: median(times), worst: Math.max(...times) })

const askEach = async (port: number, schools: number): Promise<Latency> => {
  const times: number[] = []
  const step = Math.max(1, Math.floor(schools / ASKED))
  for (let n = 0; n < schools; n += step) times.push(await ask(port, n))
  return computeLatency(times)
}

const measureIdle = async ({ pid }: ServerProcess, postmaster: number): Promise<SchoolsServed['idle']> => {
  const [server, database] = [await processMicros(pid), await databaseMicros(postmaster)]
  await pause(IDLE_SECONDS * 1000)
  const since = (before: number, now: number): number => (now - before) / 1000 / IDLE_SECONDS
  return {
    server: since(server, await processMicros(pid)),
    database: since(database, await databaseMicros(postmaster)),
  }
}

const countDue = async ({ query }: TestDatabase): Promise<number> => {
  const [row] = await query<{ count: number }>('select count(*)::integer as count from jobs where due_at <= stoa.now()')
  return row?.count ?? Number.NaN
}

const runJobs = async (database: TestDatabase, port: number, schools: number): Promise<SchoolsServed['jobs']> => {
  await database.query('update jobs set due_at = stoa.now()')
  const count = await countDue(database)
  const began = performance.now()
  const times: number[] = []
  for (let n = 0; (await countDue(database)) > 0; n = (n + 1) % schools) {
    times.push(await ask(port, n))
    await pause(50)
    if (performance.now() - began > JOBS_MINUTES * 60_000)
      throw new Error(`jobs did not end in ${JOBS_MINUTES} minutes`)
  }
  return { count, seconds: (performance.now() - began) / 1000, meanwhile: computeLatency(times) }
}

const measureCount = async (
  database: TestDatabase,
  postmaster: number,
  { schools, createdSeconds }: { readonly schools: number; readonly createdSeconds: number },
): Promise<SchoolsServed> => {
  await database.query('analyze')
  const began = performance.now()
  const served = await startProcess(
    { databaseUrl: database.appUrl, secret: setting('STOA_TEST_SECRET') },
    { STOA_TRUST_PROXY: '127.0.0.0/8' },
  )
  const { port, pid } = served
  const start = performance.now() - began
  try {
    await pause(3000)
    const memoryAtRest = await readMemory(pid)
    const idle = await measureIdle(served, postmaster)
    const [first, next] = [await askEach(port, schools), await askEach(port, schools)]
    const memoryInUse = await readMemory(pid)
    const jobs = await runJobs(database, port, schools)
    return { schools, createdSeconds, start, memoryAtRest, idle, first, next, memoryInUse, jobs }
  } finally {
    await served.stop()
  }
}

/** A count of schools in two lines for people. */
const formatLines = ({
  schools,
  createdSeconds,
  start,
  memoryAtRest,
  idle,
  first,
  next,
  memoryInUse,
  jobs,
}: SchoolsServed) => {
  const ms = ({ median: middle, worst }: Latency): string => `${middle.toFixed(1)} (worst ${worst.toFixed(0)}) ms`
  return [
    `${schools} schools, created in ${createdSeconds.toFixed(0)} s: start ${start.toFixed(0)} ms, ${memoryAtRest} MB at rest, ${memoryInUse} MB in use`,
    `  idle ${idle.server.toFixed(1)} + ${idle.database.toFixed(1)} ms of processor time a second; first request ${ms(first)}, next ${ms(next)}`,
    `  ${jobs.count} jobs in ${jobs.seconds.toFixed(0)} s; a request meanwhile ${ms(jobs.meanwhile)}`,
  ].join('\n')
}

/** Measures one installation with 100, 1,000 and 10,000 schools, or fewer of these. */
export const measureSchools = async (
  postmaster: number,
  most: number,
  say: (line: string) => void,
): Promise<readonly SchoolsServed[]> => {
  const database = await createTestDatabase('world')
  const measured: SchoolsServed[] = []
  let from = 0
  try {
    for (const schools of COUNTS.filter(count => count <= most)) {
      const createdSeconds = await addSchools(database, from, schools)
      from = schools
      const one = await measureCount(database, postmaster, { schools, createdSeconds })
      measured.push(one)
      say(formatLines(one))
    }
  } finally {
    await database.drop()
  }
  return measured
}
