import assert from 'node:assert/strict'
import type { TestApp } from '../app.ts'
import { type Touched, watchTouched } from '../changed-rows.ts'
import type { TestDatabase } from '../database.ts'
import type { TestReply } from '../http.ts'
import { isWhole } from '../rounds.ts'
import type { FaultProxy } from './proxy.ts'
import { type Fault, faults } from './session.ts'

/** One run of a request in which one of its calls meets a fault. */
export type Run = {
  readonly fault: Fault
  readonly at: number
  /** Sends the request once over fresh connections; other requests of the run meet no fault. */
  meet(send: () => Promise<TestReply>): Promise<Met>
}

/** The reply, and the statement that met the fault; no statement when the request had no further call. */
export type Met = { readonly reply: TestReply; readonly hit: string | undefined }

/** How many runs a request had, the largest number of its calls that met a fault, and of those that it has without one. */
type Tally = { runs: number; calls: number; all: number }

/** Which statements have met which faults in earlier requests. */
export type Meetings = {
  /** Whether enough earlier requests met this fault there; a commit is never left out. */
  isMetBefore(fault: Fault, text: string): boolean
  note(hits: Iterable<string>): void
}

const OFTEN = isWhole ? 2 : 1

/** Records what met faults, so that statements which many requests share meet each fault in two of them, or in one. */
export const createMeetings = (): Meetings => {
  const counts = new Map<string, number>()
  return {
    isMetBefore: (fault, text) => text !== 'commit' && (counts.get(`${fault} ${text}`) ?? 0) >= OFTEN,
    note: hits => {
      for (const hit of hits) counts.set(hit, (counts.get(hit) ?? 0) + 1)
    },
  }
}

// Ends a loop; erasing a person who bought much has 155 calls.
const MOST_CALLS = 300

/** Asserts that a reply is not a server error of ours, and that a 503 says when to retry. */
export const assertHonest = ({ status, headers, text }: TestReply, why: string): void => {
  assert.ok(status < 500 || status === 503, `${why}: ${status} ${text}`)
  if (status === 503) assert.match(String(headers['retry-after']), /^\d+$/, why)
}

/**
 * Runs a request with every fault at each of its calls, one in each run, until a run has no further call. Calls whose
 * statement met the fault in enough earlier requests are left out.
 */
export const meetEachFault = async (
  proxy: FaultProxy,
  attempt: (run: Run) => Promise<Met>,
  kinds: readonly Fault[] = faults,
  meetings?: Meetings,
): Promise<Tally> => {
  const tally = { runs: 0, calls: 0, all: 0 }
  const hits = new Set<string>()
  for (const fault of kinds) {
    for (let at = 1; ; at++) {
      assert.ok(at <= MOST_CALLS, 'the request never passes')
      const meet = async (send: () => Promise<TestReply>): Promise<Met> => {
        let leftOut = 0
        await proxy.cut()
        proxy.arm(fault, at, text => {
          const isLeftOut = meetings?.isMetBefore(fault, text) ?? false
          if (isLeftOut) leftOut++
          return isLeftOut
        })
        const reply = await send()
        const hit = proxy.disarm()
        if (hit === undefined) tally.all = Math.max(tally.all, at - 1 + leftOut)
        await proxy.settle()
        assertHonest(reply, `${fault} at call ${at} (${hit})`)
        return { reply, hit }
      }
      const { hit } = await attempt({ fault, at, meet })
      tally.runs++
      if (hit === undefined) break
      hits.add(`${fault} ${hit}`)
      tally.calls = Math.max(tally.calls, at)
    }
  }
  meetings?.note(hits)
  return tally
}

/** Returns the server errors that an application has logged so far. */
export const ownFaults = (app: TestApp): string[] => app.log.filter(line => Number(JSON.parse(line).level) >= 50)

type Counted = { readonly touched: Touched; readonly counts: Map<string, number> }

const readCounts = async ({ query }: TestDatabase, names: Iterable<string>): Promise<[string, number][]> => {
  const counts = [...names].map(name => `select '${name}' as name, count(*)::integer as count from ${name}`)
  if (counts.length === 0) return []
  const rows = await query<{ name: string; count: number }>(counts.join(' union all '))
  return rows.map(({ name, count }) => [name, count])
}

const countAll = async (database: TestDatabase): Promise<Counted> => {
  const tables = await database.query<{ name: string }>(
    `select tablename as name from pg_tables
     where schemaname = 'public' and tablename not in ('limits', 'usage_days', 'view_counts') order by 1`,
  )
  const names = tables.map(({ name }) => name)
  const touched = await watchTouched(database, 'counted', names)
  return { touched, counts: new Map(await readCounts(database, names)) }
}

const counting = new WeakMap<TestDatabase, Promise<Counted>>()

/**
 * Counts the rows of each table, without counters that requests increase whatever their outcome. Only tables that were
 * written to since are counted again.
 */
export const countRows = async ({ database }: TestApp): Promise<Readonly<Record<string, number>>> => {
  const all = counting.get(database) ?? countAll(database)
  counting.set(database, all)
  const { touched, counts } = await all
  for (const [name, count] of await readCounts(database, await touched.take())) counts.set(name, count)
  return Object.fromEntries(counts)
}

/** Returns the number of rows by which each table grew, without unchanged tables. */
export const growth = (
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(after)
      .map(([name, count]) => [name, count - (before[name] ?? 0)] as const)
      .filter(([, grown]) => grown !== 0),
  )
