import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import type { Operation } from '#src/contract/operation.ts'
import { people } from '#src/demo/index.ts'
import { type PersonName, type TestApp, type TestOptions, testApp } from '../app.ts'
import { lookUp } from '../examples.ts'
import type { TestReply, TestRequest } from '../http.ts'
import { buildRequest, everyOperation, grantable, type Instead, identityScopes } from '../matrix.ts'
import { setProvider } from '../payments.ts'
import { PINS, performingPage, pinboard } from '../pinboard.ts'
import { isWhole } from '../rounds.ts'
import { isOfRequest } from '../statements.ts'
import { cookieAt } from '../unrouted.ts'
import { type Kept, keepRows } from './keep.ts'
import { type FaultProxy, startFaultProxy } from './proxy.ts'
import type { Fault } from './session.ts'

/** One fault of each kind that is handled differently; `db/sqlstates.ts` maps SQL states to kinds. */
export const oneOfEachKind: readonly Fault[] = ['lost before', 'lost after', '40001', '57P01']

/**
 * The kinds of fault for the operation at a position: a lost reply, which is the hardest, and in turn one of the others. With a
 * part of the rounds, every second operation meets a lost reply alone.
 */
export const kindsFor = (index: number): readonly Fault[] => {
  if (!isWhole && index % 2 === 1) return ['lost after']
  const others = oneOfEachKind.filter(kind => kind !== 'lost after')
  return ['lost after', ...others.slice(index % others.length, (index % others.length) + 1)]
}

/** A reply and the statements that were sent for it. */
type Observed = { readonly reply: TestReply; readonly statements: readonly string[] }

// The caller of a token is cached, so its lookup is sometimes sent and sometimes not.
const isTokenLookup = (text: string): boolean => text.includes('from access_tokens t join grants g')

const everything = [...identityScopes, ...grantable]

/** An application behind a fault proxy, and requests to its operations. */
type FaultyOperations = {
  readonly app: TestApp
  proxy(): FaultProxy
  /** Returns a token of a person with every scope. */
  readToken(name: PersonName): Promise<string>
  /** Returns a token of Ada without the scope of an operation. */
  tokenWithout(operation: Operation): Promise<string>
  /** Returns Ada's token of the other school. */
  foreignToken(): Promise<string>
  /** Returns the example of an operation; its ids are looked up once, and what it needs is created and kept. */
  buildExample(operation: Operation, instead?: Instead): Promise<TestRequest>
  /** Returns the rows at the instant after everybody had signed in. */
  kept(): Promise<Kept>
  /** Sends a request over fresh connections and records its statements, token lookups included. */
  observe(request: TestRequest): Promise<Observed>
  /** Includes token lookups in the calls that meet faults while the work runs. */
  withTokenLookups(work: () => Promise<void>): Promise<void>
}

/** Returns the request with its own idempotency key, so that it may be sent again. */
export const keyed = (request: TestRequest): TestRequest => ({
  ...request,
  headers: { ...request.headers, 'idempotency-key': randomUUID() },
})

const createTokens = (app: TestApp) => {
  const tokens = new Map<string, Promise<string>>()
  const once = (key: string, make: () => Promise<string>): Promise<string> => {
    const token = tokens.get(key) ?? make()
    tokens.set(key, token)
    return token
  }
  return {
    // Consent does not offer what a role cannot do: each person approves everything as an owner and then gets their role back.
    readToken: (name: PersonName) =>
      once(name, async () => {
        const { token } = await app.actor(name, { scopes: everything, approvedAs: 'owner' })
        return token
      }),
    tokenWithout: ({ scope }: Operation) => {
      const [other = 'openid'] = everything.filter(name => name !== scope && name.endsWith(':read'))
      return once(other, async () => (await app.actor('ada', { scopes: [other] })).token)
    },
    foreignToken: () => once('foreign', async () => (await app.actor('ada', { school: app.b })).token),
  }
}

/** The pinboard and its page, for the kinds of operations that no area of the product has yet. */
export const withPinboard: TestOptions = {
  moreAreas: [pinboard],
  moreTables: PINS,
  morePages: parts => [performingPage(parts)],
}

/** Starts an application behind a fault proxy for the tests of one file. */
export const faultyOperations = (options: TestOptions = {}): FaultyOperations => {
  const proxies: FaultProxy[] = []
  const statements: string[] = []
  let meetsTokenLookups = false
  const isUncounted = (text: string): boolean => {
    if (!isOfRequest(text)) return true
    statements.push(text)
    return isTokenLookup(text) && !meetsTokenLookups
  }
  const app = testApp({
    hasSubscriptions: true,
    ...options,
    databaseUrl: async direct => {
      const proxy = await startFaultProxy(direct, isUncounted)
      proxies.push(proxy)
      return proxy.url
    },
  })
  after(() => Promise.all(proxies.map(one => one.close())))
  const proxy = (): FaultProxy => {
    const [first] = proxies
    assert.ok(first)
    return first
  }
  const { readToken, tokenWithout, foreignToken } = createTokens(app)
  let keeping: Promise<Kept> | undefined
  const keep = async (): Promise<Kept> => {
    for (const name of Object.keys(people) as PersonName[]) await readToken(name)
    for (const operation of everyOperation) await tokenWithout(operation)
    await foreignToken()
    await cookieAt(app, 'ada')
    // Payment methods are saved at a provider.
    await setProvider(app, 'test', {})
    // One of the apps that Ada has connected needs no confirmation.
    await app.actor('ada', { metadata: { client_name: 'Recipe Box' } })
    return keepRows(app.database)
  }
  const kept = (): Promise<Kept> => {
    keeping ??= keep()
    return keeping
  }
  return {
    app,
    proxy,
    readToken,
    tokenWithout,
    foreignToken,
    kept,
    buildExample: async (operation, instead = {}) => {
      const rows = await kept()
      let hasWritten = false
      const found = await lookUp(operation, await readToken('ada'), request => {
        hasWritten ||= request.method !== 'GET'
        return app.send(request)
      })
      // What an example creates first is there in every run of the operation.
      if (hasWritten) await rows.keepAgain()
      return buildRequest(operation, { ...found, ...instead })
    },
    observe: async request => {
      await proxy().cut()
      statements.length = 0
      proxy().arm('lost before', Number.POSITIVE_INFINITY)
      const reply = await app.send(request)
      proxy().disarm()
      return { reply, statements: [...statements] }
    },
    withTokenLookups: async work => {
      meetsTokenLookups = true
      await work().finally(() => {
        meetsTokenLookups = false
      })
    },
  }
}
