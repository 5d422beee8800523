import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import type { Times } from './latency.ts'
import { loadSchool } from './load.ts'
import { type Examples, measureSchool, readExamples } from './measure-school.ts'
import { writePlans } from './plans.ts'
import { buildLine, computeGrowths, type Growth, type Sized } from './report.ts'
import { HOST, serveSchool } from './serving.ts'

/** How long a run of the group may take, in minutes: for a million rows, loading takes a third of it. */
export const SCALE_MINUTES = 120

const SIZES = [10_000, 100_000, 1_000_000]
const TIMES: Times = { warm: 2, requests: 15, longestMs: 3000 }

/** What is measured: up to how many rows of each kind, and which operations; all of them if none is named. */
export type ScaleOptions = { readonly rows: number; readonly only: readonly string[] }

/** What was measured: the sizes, each with how long it took to load, and the cases. */
export type Scale = {
  readonly sizes: readonly { readonly rows: number; readonly loaded_seconds: number }[]
  readonly growths: readonly Growth[]
}

const withDatabase = async <Result>(work: (database: TestDatabase) => Promise<Result>): Promise<Result> => {
  const database = await createTestDatabase('world')
  try {
    return await work(database)
  } finally {
    await database.drop()
  }
}

const findExamples = (): Promise<Examples> =>
  withDatabase(async database => {
    const school = await serveSchool(database)
    return readExamples(school).finally(() => school.stop())
  })

const readSchoolId = async ({ query }: TestDatabase): Promise<string> => {
  const [host] = await query<{ school_id: string }>('select school_id from hosts where host = $1', [HOST])
  if (host === undefined) throw new Error('the school was not made')
  return host.school_id
}

type Run = {
  readonly examples: Examples
  readonly only: readonly string[]
  readonly until: number
  say(line: string): void
}

const measureSize = (rows: number, { examples, only, until, say }: Run): Promise<Sized> =>
  withDatabase(async database => {
    const began = performance.now()
    await loadSchool(database.ownerUrl, { schoolId: await readSchoolId(database), rows })
    const loadedMs = performance.now() - began
    say(`${rows} members, enrollments and orders loaded in ${Math.round(loadedMs / 1000)} s`)
    // At the largest size, and only to be reviewed and committed.
    if (rows === SIZES.at(-1) && process.env.STOA_WRITE_PLANS === '1')
      await writePlans(database, await readSchoolId(database), rows)
    const school = await serveSchool(database)
    const figures = await measureSchool(school, examples, { times: TIMES, only, until }).finally(() => school.stop())
    say(`${figures.length} cases measured`)
    return { rows, loadedMs, figures }
  })

/** Measures every list, filter, search, deepest page, count, export and report of one school at three sizes. */
export const measureScale = async (options: ScaleOptions, say: (line: string) => void): Promise<Scale> => {
  const until = performance.now() + (SCALE_MINUTES - 5) * 60_000
  const examples = await findExamples()
  const sizes: Sized[] = []
  for (const rows of SIZES.filter(size => size <= options.rows))
    sizes.push(await measureSize(rows, { examples, only: options.only, until, say }))
  const growths = computeGrowths(sizes)
  say(`case | ${sizes.map(({ rows }) => `${rows}: median (worst) ms`).join(' | ')} | factor`)
  for (const growth of growths) say(buildLine(growth))
  return {
    sizes: sizes.map(({ rows, loadedMs }) => ({ rows, loaded_seconds: Math.round(loadedMs / 1000) })),
    growths,
  }
}
