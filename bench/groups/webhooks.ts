import { factTypes } from '#src/contract/fact-types.ts'
import { openDatabase } from '#src/db/database.ts'
import { numberFacts } from '#src/worker/facts.queries.ts'
import { startApp } from '#testing/app.ts'
import { jsonBody, send } from '#testing/http.ts'
import { freePort } from '#testing/ports.ts'
import type { ServerProcess } from '#testing/process.ts'
import { type Comparison, type Effort, type Load, median, type Side, sendRequests } from '../measure.ts'
import { type Rival, startRival } from '../rivals/start-rival.ts'
import { type Arrivals, startArrivals } from '../webhooks/arrivals.ts'
import {
  activateOnly,
  addFacts,
  addWaiting,
  addWebhook,
  holdBack,
  quieten,
  type Range,
  restartAfter,
  untilDistributed,
  wakeJob,
} from '../webhooks/facts.ts'
import { numberings } from '../webhooks/numbering.ts'
import type { Group } from './group.ts'
import { type BenchSchool, benchSchool, openSide, startStoa } from './school.ts'

const FACTS = 100_000
/** How many are sent and distributed for each second that a round may take. */
const [SENT, DISTRIBUTED] = [250, 2500]
const SCOPES: readonly string[] = ['school:read', 'members:read', 'courses:read']
const PAGE = '/school/changes?limit=100'

/** A school with 100,000 facts, `stoa serve` on it, and the webhook that is sent what happens. */
type Installation = {
  readonly app: Awaited<ReturnType<typeof startApp>>
  readonly school: BenchSchool
  readonly stoa: ServerProcess
  readonly facts: Range
  readonly live: string
}

const openInstallation = async (url: string): Promise<Installation> => {
  const app = await startApp()
  const school = await benchSchool(app)
  const live = await addWebhook(app, 'ben', url)
  const stoa = await startStoa(app)
  return { app, school, stoa, live, facts: await addFacts(app, FACTS) }
}

const timed = async (count: number, work: () => Promise<unknown>): Promise<Load> => {
  const began = performance.now()
  await work()
  const took = performance.now() - began
  return { perSecond: (count / took) * 1000, requests: count, p50: took, p99: took }
}

const postTo = async ({ port }: Rival, path: string, body: object): Promise<void> => {
  const { status, text } = await send(port, jsonBody('POST', path, body))
  if (status !== 200) throw new Error(`the rival answered ${status}: ${text.slice(0, 300)}`)
}

const compareSending = ({ app, stoa, live, facts }: Installation, bare: Rival, arrivals: Arrivals): Comparison => {
  const fillBare = `
    insert into bare_messages (id, body, is_sent)
    select 'fct_' || n, jsonb_build_object('id', 'fct_' || n, 'type', 'course.updated', 'sequence', n, 'previous', n - 1,
      'timestamp', now(), 'school', 'http://localhost', 'data', jsonb_build_object('course_id', repeat('c', 30)))::text, false
    from generate_series(1, $1::integer) as n`
  return {
    title: 'facts sent by a webhook, four at a time',
    rival: 'a bare loop that signs, posts and marks a row, four at a time',
    target: 0.5,
    stoa: {
      pid: stoa.pid,
      prepare: async ({ seconds }) => {
        await activateOnly(app, [live])
        await quieten(app, live)
        await restartAfter(app, facts.to)
        const count = seconds * SENT
        await addWaiting(app, live, { after: facts.to - count, to: facts.to })
        return () =>
          timed(count, async () => {
            const all = arrivals.reach(count)
            await wakeJob(app, 'webhook', live)
            await all
          })
      },
    },
    other: {
      pid: bare.pid,
      prepare: async ({ seconds }) => {
        await app.database.query('truncate bare_messages')
        await app.database.query(fillBare, [seconds * SENT])
        return () => timed(seconds * SENT, () => postTo(bare, '/send', { url: arrivals.url }))
      },
    },
  }
}

const compareDistribution = async (installation: Installation, bare: Rival): Promise<Comparison> => {
  const { app, stoa, live, facts } = installation
  const ids: string[] = []
  while (ids.length < 5) ids.push(await addWebhook(app, 'ada', `https://hooks.example.org/${ids.length}`))
  const rangeOf = ({ seconds }: Effort): Range => ({ after: facts.to - seconds * DISTRIBUTED, to: facts.to })
  return {
    title: 'facts distributed to five webhooks (2,000 in a second are the target)',
    rival: 'a bare insert … select of 500 facts at a time',
    stoa: {
      pid: stoa.pid,
      prepare: async effort => {
        await quieten(app, live)
        await holdBack(app, ids)
        const { after, to } = rangeOf(effort)
        await restartAfter(app, after)
        return () =>
          timed(to - after, async () => {
            await wakeJob(app, 'distribution', app.a.id)
            await untilDistributed(app, to)
          })
      },
    },
    other: {
      pid: bare.pid,
      prepare: async effort => {
        const { after, to } = rangeOf(effort)
        await app.database.query('truncate bare_deliveries')
        return () => timed(to - after, () => postTo(bare, '/distribute', { after, to, webhookIds: ids }))
      },
    },
  }
}

const comparePages = async ({ stoa, school }: Installation, bare: Rival): Promise<Comparison> => {
  const [first = { path: '', headers: {} }] = school.byToken(PAGE)
  const { json } = await send(stoa.port, first)
  const path = `${PAGE}&after=${encodeURIComponent(json.next_after)}`
  const requests = school.byToken(path)
  const [next = first] = requests
  const { text, json: page } = await send(stoa.port, next)
  if (page?.data?.length !== 100) throw new Error(`the page of changes is not full: ${text.slice(0, 300)}`)
  const after = page.data[0].sequence - 1
  return {
    title: `GET ${PAGE}&after=… by token`,
    rival: 'a bare handler with the same statement',
    target: 0.65,
    stoa: openSide(stoa, requests),
    other: openSide(bare, [{ path: `/changes?after=${after}&until=${after + 5000}`, headers: {} }]),
  }
}

const compareNumbering = ({ app }: Installation): { readonly comparison: Comparison; close(): Promise<void> } => {
  const database = openDatabase(app.database.appUrl, { wait: 10_000, max: 2 })
  const [now, before] = numberings(database, app.b.id, numberFacts)
  return {
    comparison: {
      title: 'a fact recorded and numbered in a school without webhooks',
      rival: 'the same as it was before there were webhooks',
      target: 0.9,
      stoa: now,
      other: before,
    },
    close: () => database.close(),
  }
}

// Each with another token, since a grant may send 3,000 requests a minute.
const changes = ({ school }: Installation, name: string) =>
  school.memberIds.map((id, at) => {
    const requests = school.byToken(`/members/${id}`, {
      method: 'PATCH',
      body: JSON.stringify({ name: `${name} ${at}` }),
    })
    const request = requests[at % requests.length]
    if (request === undefined) throw new Error('there is nobody who sends')
    return { id, request }
  })

type Prepare = Side['prepare']

// From a change until the receiver has it, one after the other; a name that is the same again would be no fact.
const timeArrivals = (installation: Installation, arrivals: Arrivals, set: () => Promise<void>): Prepare => {
  let round = 0
  return async ({ seconds }) => {
    await set()
    round += 1
    const all = changes(installation, `Round ${round}`)
    return async () => {
      const taken: number[] = []
      const end = performance.now() + seconds * 1000
      for (const { id, request } of all) {
        if (performance.now() > end) break
        const arrived = arrivals.about(id)
        const began = performance.now()
        const { status, text } = await send(installation.stoa.port, request)
        if (status !== 200) throw new Error(`${status}: ${text.slice(0, 300)}`)
        await arrived
        taken.push(performance.now() - began)
      }
      const p50 = median(taken)
      return { perSecond: 1000 / p50, requests: taken.length, p50, p99: Math.max(...taken) }
    }
  }
}

const timeWrites = (installation: Installation, set: () => Promise<void>): Prepare => {
  const requests = ['Mia Torres', 'Mia Torres-Lima'].flatMap(name =>
    changes(installation, name).map(({ request }) => request),
  )
  return async effort => {
    await set()
    return async () => {
      const load = await sendRequests(installation.stoa.port, requests, effort)
      return { ...load, perSecond: 1000 / load.p99 }
    }
  }
}

// Beside a webhook whose receiver is gone and for which all facts wait, and in an installation without it.
const compareDead = async (
  alone: Installation,
  arrivals: Arrivals,
): Promise<{ list: Comparison[]; beside: Installation }> => {
  const beside = await openInstallation(arrivals.url)
  const dead = await addWebhook(beside.app, 'ada', `http://127.0.0.1:${await freePort()}/`)
  await restartAfter(beside.app, beside.facts.to)
  await addWaiting(beside.app, dead, beside.facts)
  const setAlone = async (): Promise<void> => {
    await activateOnly(alone.app, [alone.live])
    await quieten(alone.app, alone.live)
  }
  // Its receiver has just gone: it is tried, and then seen to fail.
  const setBeside = async (): Promise<void> => {
    await activateOnly(beside.app, [beside.live, dead])
    await quieten(beside.app, beside.live)
    await wakeJob(beside.app, 'webhook', dead)
  }
  const sidesOf = (time: (installation: Installation, set: () => Promise<void>) => Prepare) => ({
    rival: 'the same without that webhook',
    target: 0.67,
    stoa: { pid: beside.stoa.pid, prepare: time(beside, setBeside) },
    other: { pid: alone.stoa.pid, prepare: time(alone, setAlone) },
  })
  return {
    beside,
    list: [
      {
        title: `the reciprocal of the time until a webhook has a change, beside a dead one for which ${FACTS} facts wait`,
        ...sidesOf((installation, set) => timeArrivals(installation, arrivals, set)),
      },
      {
        title: `the reciprocal of the p99 of PATCH /members/{id}, beside a dead webhook for which ${FACTS} facts wait`,
        ...sidesOf(timeWrites),
      },
    ],
  }
}

/** What webhooks and the feed of changes cost: sending, distribution, pages, numbering, and a receiver that is gone. */
export const webhooks = async (): Promise<Group> => {
  const arrivals = await startArrivals()
  const alone = await openInstallation(arrivals.url)
  const types = Object.entries(factTypes).flatMap(([type, { scope }]) => (SCOPES.includes(scope) ? [type] : []))
  const bare = await startRival('webhooks.ts', {
    ownerUrl: alone.app.database.ownerUrl,
    schoolId: alone.app.a.id,
    types,
  })
  const numbering = compareNumbering(alone)
  const { beside, list } = await compareDead(alone, arrivals)
  return {
    comparisons: [
      compareSending(alone, bare, arrivals),
      await compareDistribution(alone, bare),
      await comparePages(alone, bare),
      numbering.comparison,
      ...list,
    ],
    stop: async () => {
      bare.stop()
      await numbering.close()
      for (const { app, stoa } of [alone, beside]) {
        await stoa.stop()
        await app.stop()
      }
      await arrivals.stop()
    },
  }
}
