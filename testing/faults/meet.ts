import assert from 'node:assert/strict'
import type { TestApp } from '../app.ts'
import type { TestReply } from '../http.ts'
import type { FaultProxy } from './proxy.ts'
import { type Fault, faults } from './session.ts'

/** One run of a request in which one of its calls meets a fault. */
export type Run = {
  readonly fault: Fault
  readonly at: number
  /** Sends the request over fresh connections, once; whatever else the run asks for passes untouched. */
  meet(send: () => Promise<TestReply>): Promise<Met>
}

/** What came back, and which statement met the fault; none when the request had no further call. */
export type Met = { readonly reply: TestReply; readonly hit: string | undefined }

/** How often a suite ran, and how many calls its requests had at most. */
type Tally = { runs: number; calls: number }

const MOST_CALLS = 150

/** That an answer is none of our own faults, and that who shall come again is told when. */
export const assertHonest = ({ status, headers, text }: TestReply, why: string): void => {
  assert.ok(status < 500 || status === 503, `${why}: ${status} ${text}`)
  if (status === 503) assert.match(String(headers['retry-after']), /^\d+$/, why)
}

/** Lets every call of a request meet every fault, one in each run, until a run has no further call. */
export const meetEachFault = async (
  proxy: FaultProxy,
  attempt: (run: Run) => Promise<Met>,
  kinds: readonly Fault[] = faults,
): Promise<Tally> => {
  const tally = { runs: 0, calls: 0 }
  for (const fault of kinds) {
    for (let at = 1; ; at++) {
      assert.ok(at <= MOST_CALLS, 'the request never passes')
      const meet = async (send: () => Promise<TestReply>): Promise<Met> => {
        await proxy.cut()
        proxy.arm(fault, at)
        const reply = await send()
        const hit = proxy.disarm()
        await proxy.settle()
        assertHonest(reply, `${fault} at call ${at} (${hit})`)
        return { reply, hit }
      }
      const { hit } = await attempt({ fault, at, meet })
      tally.runs++
      if (hit === undefined) break
      tally.calls = Math.max(tally.calls, at)
    }
  }
  return tally
}

/** The faults of ours that an application logged so far. */
export const ownFaults = (app: TestApp): string[] => app.log.filter(line => Number(JSON.parse(line).level) >= 50)

/** How many rows each table has; counters that requests move whatever becomes of them are none. */
export const countRows = async (app: TestApp): Promise<Readonly<Record<string, number>>> => {
  const tables = await app.database.query<{ name: string }>(
    `select tablename as name from pg_tables
     where schemaname = 'public' and tablename not in ('limits', 'usage_days') order by 1`,
  )
  const counts = tables.map(({ name }) => `select '${name}' as name, count(*)::integer as count from ${name}`)
  const rows = await app.database.query<{ name: string; count: number }>(counts.join(' union all '))
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

/** By how many rows each table grew, of those that did not stay. */
export const growth = (
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(after)
      .map(([name, count]) => [name, count - (before[name] ?? 0)] as const)
      .filter(([, grown]) => grown !== 0),
  )
