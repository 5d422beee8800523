import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '../app.ts'
import { type Browser, openBrowser } from '../browser.ts'
import type { TestReply, TestRequest } from '../http.ts'
import { approve } from '../oauth.ts'
import { isOfRequest } from '../statements.ts'
import { REFRESHING } from '../tokens.ts'
import { countRows, growth, type Met, meetEachFault, ownFaults, type Run } from './meet.ts'
import { type FaultProxy, startFaultProxy } from './proxy.ts'
import type { Fault } from './session.ts'

/** The number of rows by which each table grew. */
type Grown = Readonly<Record<string, number>>

/** One run of a request; `why` describes its fault, for the message of a failure. */
export type Attempt = (run: Run & { readonly why: (met: Met) => string }) => Promise<Met>

/** The fault that one request met, and the rows that it added. */
type Outcome = { readonly met: Met; readonly grown: Grown }

/** A browser in which a person is signed in, and a client with refresh tokens that was approved there. */
export type Prepared = { readonly browser: Browser; readonly clientId: string }

/** An application behind a fault proxy, and the assertions that its suites make about every request. */
export const faultyApp = () => {
  const proxies: FaultProxy[] = []
  const total = { requests: 0, runs: 0 }
  const app = testApp({
    hasSubscriptions: true,
    trustProxy: '127.0.0.0/8',
    databaseUrl: async direct => {
      const proxy = await startFaultProxy(direct, text => !isOfRequest(text))
      proxies.push(proxy)
      return proxy.url
    },
  })
  after(() => Promise.all(proxies.map(proxy => proxy.close())))
  after(() => console.log(`S-03: ${total.requests} requests were met by faults in ${total.runs} runs`))

  const meetAll = async (
    attempt: (run: Run) => Promise<Met>,
    kinds?: readonly Fault[],
    leastCalls = 3,
  ): Promise<void> => {
    const [proxy] = proxies
    assert.ok(proxy)
    const { runs, calls } = await meetEachFault(proxy, attempt, kinds)
    assert.ok(calls >= leastCalls, `${calls} calls were met`)
    total.requests++
    total.runs += runs
  }
  const changed = async (work: () => Promise<unknown>): Promise<Grown> => {
    const start = await countRows(app)
    await work()
    return growth(start, await countRows(app))
  }

  const visitor = () => ({ port: app.port, school: app.a, email: people.dev.email, password: PASSWORD })
  let preparing: Promise<Prepared> | undefined
  const prepare = async (): Promise<Prepared> => {
    const browser = openBrowser(app.port, app.a)
    return { browser, clientId: (await approve(visitor(), { browser, metadata: REFRESHING })).clientId }
  }

  return {
    app,
    visitor,
    /** A test of the row S-03. */
    prove: (title: string, work: (prepared: Prepared) => Promise<void>): void => {
      test(`S-03 ${title}`, async () => {
        preparing ??= prepare()
        await work(await preparing)
        assert.deepEqual(ownFaults(app), [], 'no fault is one of ours')
      })
    },
    /** Returns the number of rows by which the tables grew meanwhile. */
    changed,
    /**
     * Runs a request with every fault at every call, of which there are at least `leastCalls`; without a fault it has the
     * status `success`, else that or 503.
     */
    underFaults: (success: number, attempt: Attempt, kinds?: readonly Fault[], leastCalls?: number): Promise<void> =>
      meetAll(
        async run => {
          const why = ({ reply, hit }: Met) => `${run.fault} at ${hit}: ${reply.status} ${reply.text}`
          const met = await attempt({ ...run, why })
          const mustPass = met.hit === undefined || run.fault.startsWith('40')
          const allowed = mustPass ? [success] : [success, 503]
          assert.ok(allowed.includes(met.reply.status), why(met))
          return met
        },
        kinds,
        leastCalls,
      ),
    /** Runs a request that must be refused, whatever fault it meets. */
    refusedUnderFaults: (refused: number, buildRequest: () => TestRequest | Promise<TestRequest>): Promise<void> =>
      meetAll(async ({ fault, meet }) => {
        const request = await buildRequest()
        const met = await meet(() => app.send(request))
        const why = `${fault} at ${met.hit}: ${met.reply.status} ${met.reply.text}`
        assert.ok([refused, 503].includes(met.reply.status), why)
        if (met.hit === undefined) assert.equal(met.reply.status, refused, why)
        return met
      }),
    /** Sends a request that meets its fault: refused, it leaves no row, unless the server may have committed before. */
    meetOnce: async (run: Parameters<Attempt>[0], request: TestRequest): Promise<Outcome> => {
      let met: Met | undefined
      const grown = await changed(async () => {
        met = await run.meet(() => app.send(request))
      })
      assert.ok(met)
      if (met.reply.status === 503 && run.fault !== 'lost after') assert.deepEqual(grown, {}, run.why(met))
      return { met, grown }
    },
    /** Returns the reply, or, when it was 503, the reply to the same request again. */
    answered: async ({ reply }: Met, request: TestRequest): Promise<TestReply> =>
      reply.status === 503 ? app.send(request) : reply,
  }
}
