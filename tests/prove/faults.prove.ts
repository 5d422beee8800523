import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Operation } from '#src/contract/operation.ts'
import { startApp } from '#testing/app.ts'
import { createMeetings, meetEachFault, ownFaults } from '#testing/faults/meet.ts'
import { faultyOperations, kindsFor, oneOfEachKind, withPinboard } from '#testing/faults/operations.ts'
import { type FaultProxy, startFaultProxy } from '#testing/faults/proxy.ts'
import { type Fault, faults } from '#testing/faults/session.ts'
import type { TestRequest } from '#testing/http.ts'
import { buildRequest, everyOperation, getSuccess } from '#testing/matrix.ts'
import { isWhole } from '#testing/rounds.ts'
import { connect, REFRESHING, refreshAt } from '#testing/tokens.ts'

const { app, proxy, readToken, tokenWithout, foreignToken, buildExample, kept, observe, withTokenLookups } =
  faultyOperations(withPinboard)
const reads = everyOperation.filter(({ method }) => method === 'GET')
const total = { requests: 0, runs: 0 }
// What all reads send meets each fault in two of them, or in one.
const meetings = createMeetings()
after(() => console.log(`S-03: ${total.requests} requests to ${everyOperation.length} operations, ${total.runs} runs`))

// What moves by itself between two answers; a link to a file ends an hour later when the hour is over.
const settled = (text: string): string =>
  text
    // When somebody was seen is stored beside requests, every two seconds.
    .replace(/"last_seen_at":("[^"]*"|null)/g, '"last_seen_at"')
    .replace(/"(as_of|at|today|last_30_days|url_expires_at)":("[^"]*"|\d+)/g, '"$1"')
    .replace(/([?&]expires=)\d+(&signature=)[\w-]+/g, '$1$2')

const note = (runs: number): void => {
  total.requests++
  total.runs += runs
}

// Amounts of one instant, which do not change from request to request.
const atOneInstant = (operation: Operation, request: TestRequest): TestRequest =>
  /Proration$/.test(operation.id)
    ? { ...request, path: `${request.path}&at=${new Date(Date.now() - 60_000).toISOString()}` }
    : request

const readUnderFaults = async (operation: Operation, kinds: readonly Fault[]): Promise<void> => {
  const rows = await kept()
  const request = atOneInstant(operation, await buildExample(operation, { token: await readToken('ada') }))
  const before = await rows.changes()
  const clean = await app.send(request)
  assert.equal(clean.status, getSuccess(operation), clean.text)
  const { runs, all } = await meetEachFault(
    proxy(),
    async ({ fault, meet }) => {
      const met = await meet(() => app.send(request))
      const why = `${fault} at ${met.hit}: ${met.reply.text}`
      if (met.hit === undefined || fault.startsWith('40')) assert.equal(met.reply.status, clean.status, why)
      if (met.reply.status !== 503) assert.equal(settled(met.reply.text), settled(clean.text), why)
      assert.equal(settled((await app.send(request)).text), settled(clean.text), `after ${why}`)
      return met
    },
    kinds,
    meetings,
  )
  // An operation that reads no rows of its own, as listReports, still looks up the token and the person.
  assert.ok(all >= 2, `it has ${all} calls`)
  note(runs)
  assert.deepEqual(await rows.changes(), before, 'a read changes nothing')
  await rows.putBack()
}

reads.forEach((operation, index) => {
  test(`S-03 ${operation.id} is answered whole or with 503 when a call meets a fault`, () =>
    // Both states of a kind for one of them; the map of states is the same for all.
    readUnderFaults(operation, index === 0 ? faults : isWhole ? oneOfEachKind : kindsFor(index)))
})

const refusedUnderFaults = async (request: TestRequest, status: number): Promise<void> => {
  const rows = await kept()
  const clean = await app.send(request)
  assert.equal(clean.status, status, clean.text)
  const { runs } = await meetEachFault(proxy(), async ({ fault, meet }) => {
    const met = await meet(() => app.send(request))
    const { status: got, json } = met.reply
    const why = `${fault} at ${met.hit}: ${met.reply.text}`
    assert.ok(got === 503 || (got === status && json.code === clean.json.code), why)
    if (met.hit === undefined) assert.equal(got, status, why)
    return met
  })
  note(runs)
  assert.deepEqual(await rows.changes(), {}, 'a refusal changes nothing')
}

type Refused = { readonly title: string; readonly request: TestRequest; readonly status: number }

const withToken = (operation: Operation, token?: string): TestRequest => buildRequest(operation, { token })

const listRefused = async (operation: Operation, foreign: string): Promise<Refused[]> => [
  { title: 'an unknown token', request: withToken(operation, foreign), status: 401 },
  ...(operation.scope === 'none'
    ? []
    : [{ title: 'no scope', request: withToken(operation, await tokenWithout(operation)), status: 403 }]),
  ...(operation.who === 'anyone' ? [] : [{ title: 'nobody', request: withToken(operation), status: 403 }]),
  ...(operation.who === 'staff' || operation.who === 'owner'
    ? [{ title: 'another role', request: withToken(operation, await readToken('dev')), status: 403 }]
    : []),
]

test('S-03 a caller without permission never gets in when a call meets a fault', async () => {
  const foreign = await foreignToken()
  await (await kept()).putBack()
  // Requests that are refused in the same way after the same statements are one: a fault cannot tell them apart.
  const ways = new Map<string, Refused>()
  for (const operation of everyOperation) {
    for (const refused of await listRefused(operation, foreign)) {
      // Heard twice, since the first may look up what the second finds remembered.
      const [first, second] = [await observe(refused.request), await observe(refused.request)]
      for (const { reply, statements } of [first, second]) {
        assert.equal(reply.status, refused.status, `${operation.id} with ${refused.title}: ${reply.text}`)
        ways.set(`${operation.method === 'GET'} ${refused.title} ${reply.json.code}\n${statements.join('\n')}`, refused)
      }
    }
  }
  console.log(`S-03: refusals of ${everyOperation.length} operations go ${ways.size} ways`)
  await withTokenLookups(async () => {
    for (const { request, status } of ways.values()) await refusedUnderFaults(request, status)
  })
})

test('S-03 the first use of a token is served or 503', async () => {
  const connected = await connect(app, 'ada', { metadata: REFRESHING })
  let refresh = connected.refresh
  await withTokenLookups(async () => {
    const { runs } = await meetEachFault(proxy(), async ({ fault, meet }) => {
      const { json, text } = await refreshAt(app.port, connected, refresh)
      assert.ok(json.access_token, text)
      refresh = json.refresh_token
      const met = await meet(() =>
        app.send({ path: '/api/v1/account', headers: { authorization: `Bearer ${json.access_token}` } }),
      )
      const why = `${fault} at ${met.hit}: ${met.reply.text}`
      if (met.hit === undefined || fault.startsWith('40')) assert.equal(met.reply.status, 200, why)
      assert.ok([200, 503].includes(met.reply.status), why)
      return met
    })
    note(runs)
  })
})

test('S-03 the lookup of a school is served or 503, and an unknown host never finds one', async () => {
  const proxies: FaultProxy[] = []
  const other = await startApp({
    hasSubscriptions: true,
    databaseUrl: async direct => {
      const own = await startFaultProxy(direct)
      proxies.push(own)
      return own.url
    },
  })
  const [own] = proxies
  assert.ok(own)
  let number = 0
  const calls = await meetEachFault(own, async ({ fault, meet }) => {
    // No request has used this host, so it has to be looked up.
    const host = `fresh-${number++}.example`
    await other.database.query('insert into hosts (host, school_id) values ($1, $2)', [host, other.a.id])
    const met = await meet(() => other.send({ path: '/api/v1/school', host }))
    if (met.hit === undefined || fault.startsWith('40')) assert.equal(met.reply.status, 200, met.reply.text)
    return met
  })
  const unknown = await meetEachFault(own, async ({ fault, meet }) => {
    const met = await meet(() => other.send({ path: '/api/v1/school', host: 'nobody.example' }))
    assert.ok([404, 503].includes(met.reply.status), `${fault} at ${met.hit}: ${met.reply.text}`)
    return met
  })
  note(calls.runs)
  note(unknown.runs)
  assert.deepEqual(ownFaults(other), [])
  await other.stop()
  await own.close()
})

test('S-03 no fault was one of ours', () => assert.deepEqual(ownFaults(app), []))
