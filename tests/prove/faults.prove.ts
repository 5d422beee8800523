import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, suite, test } from 'node:test'
import type { Operation } from '#src/contract/operation.ts'
import { people } from '#src/world/index.ts'
import { type PersonName, startApp, testApp } from '#testing/app.ts'
import { countRows, growth, meetEachFault, ownFaults } from '#testing/faults/meet.ts'
import { type FaultProxy, startFaultProxy } from '#testing/faults/proxy.ts'
import type { TestReply, TestRequest } from '#testing/http.ts'
import { grantable, identityScopes, operations, requestOf, successOf, sumOfRows } from '#testing/matrix.ts'

// The school of a host is remembered for a second, so that its lookup is sometimes there and sometimes not.
const isLookup = (text: string): boolean => text.includes('from hosts h join schools')
const proxies: FaultProxy[] = []
const proxied = (counted: (text: string) => boolean) => async (direct: string) => {
  const proxy = await startFaultProxy(direct, text => !counted(text))
  proxies.push(proxy)
  return proxy.url
}
const app = testApp({ databaseUrl: proxied(text => !isLookup(text)) })
const proxy = (): FaultProxy => {
  const [first] = proxies
  assert.ok(first)
  return first
}
after(() => Promise.all(proxies.map(one => one.close())))

const everything = [...identityScopes, ...grantable]
const tokens = new Map<string, string>()

const setRole = (name: PersonName, role: string) =>
  app.database.query('update members set role = $1 where school_id = $2 and email = $3', [
    role,
    app.a.id,
    people[name].email,
  ])

// Consent does not offer what a role cannot do: each person allows everything as an owner and is then what they are.
const tokenOf = async (name: PersonName): Promise<string> => {
  const known = tokens.get(name)
  if (known !== undefined) return known
  await setRole(name, 'owner')
  const { token } = await app.actor(name, { scopes: everything })
  await setRole(name, people[name].role)
  tokens.set(name, token)
  return token
}

const foreignToken = async (): Promise<string> => {
  const token = tokens.get('foreign') ?? (await app.actor('ada', { school: app.b })).token
  tokens.set('foreign', token)
  return token
}

const withoutScope = async (operation: Operation): Promise<string> => {
  const scopes = everything.filter(scope => scope !== operation.scope)
  const [scope = 'openid'] = scopes.filter(name => name.endsWith(':read'))
  const key = `ada ${scope}`
  const token = tokens.get(key) ?? (await app.actor('ada', { scopes: [scope] })).token
  tokens.set(key, token)
  return token
}

const keyed = (request: TestRequest): TestRequest => ({
  ...request,
  headers: { ...request.headers, 'idempotency-key': randomUUID() },
})

const isSuccess = ({ status }: TestReply): boolean => status < 300
const total = { runs: 0, requests: 0 }
after(() => console.log(`S-03: ${total.requests} requests to ${operations.length} operations, ${total.runs} runs`))

const note = (runs: number): void => {
  total.requests++
  total.runs += runs
}

const readUnderFaults = async (operation: Operation, request: TestRequest): Promise<void> => {
  const sum = await sumOfRows(app.database)
  const clean = await app.send(request)
  assert.equal(clean.status, successOf(operation), clean.text)
  const { runs, calls } = await meetEachFault(proxy(), async ({ fault, meet }) => {
    const met = await meet(() => app.send(request))
    const why = `${fault} at ${met.hit}: ${met.reply.text}`
    if (met.hit === undefined || fault.startsWith('40')) assert.equal(met.reply.status, clean.status, why)
    if (met.reply.status !== 503) assert.equal(met.reply.text, clean.text, why)
    assert.equal((await app.send(request)).text, clean.text, `after ${why}`)
    return met
  })
  assert.ok(calls >= 3, `${calls} calls were met`)
  note(runs)
  assert.equal(await sumOfRows(app.database), sum, 'a read changes nothing')
}

const writeUnderFaults = async (operation: Operation, request: TestRequest): Promise<void> => {
  const clean = await app.send(keyed(request))
  assert.equal(clean.status, successOf(operation), clean.text)
  const start = await countRows(app)
  await app.send(keyed(request))
  const effect = growth(start, await countRows(app))
  assert.equal(effect.idempotency_keys, 1)
  const { runs, calls } = await meetEachFault(proxy(), async ({ fault, meet }) => {
    const once = keyed(request)
    const [before, sum] = [await countRows(app), await sumOfRows(app.database)]
    const met = await meet(() => app.send(once))
    const why = `${fault} at ${met.hit}: ${met.reply.text}`
    const grown = growth(before, await countRows(app))
    if (met.hit === undefined || fault.startsWith('40')) assert.ok(isSuccess(met.reply), why)
    if (isSuccess(met.reply)) assert.deepEqual(grown, effect, why)
    else if (fault !== 'lost after') assert.equal(await sumOfRows(app.database), sum, `unchanged after ${why}`)
    else
      assert.ok(
        [{}, effect].some(one => JSON.stringify(one) === JSON.stringify(grown)),
        `half written: ${why}`,
      )
    const again = await app.send(once)
    assert.ok(isSuccess(again), `the retry after ${why}: ${again.status} ${again.text}`)
    assert.deepEqual(growth(before, await countRows(app)), effect, `one effect after ${why}`)
    assert.equal(again.headers['idempotency-replayed'], Object.keys(grown).length > 0 ? 'true' : undefined, why)
    if (isSuccess(met.reply)) assert.equal(again.text, met.reply.text)
    return met
  })
  assert.ok(calls >= 6, `${calls} calls were met`)
  note(runs)
}

const refusedUnderFaults = async (request: TestRequest, status: number): Promise<void> => {
  const clean = await app.send(request)
  assert.equal(clean.status, status, clean.text)
  const sum = await sumOfRows(app.database)
  const { runs } = await meetEachFault(proxy(), async ({ fault, meet }) => {
    const met = await meet(() => app.send(request))
    const { status: got, json } = met.reply
    const why = `${fault} at ${met.hit}: ${met.reply.text}`
    assert.ok(got === 503 || (got === status && json.code === clean.json.code), why)
    if (met.hit === undefined) assert.equal(got, status, why)
    return met
  })
  note(runs)
  assert.equal(await sumOfRows(app.database), sum, 'a refusal changes nothing')
}

for (const operation of operations) {
  suite(`S-03 ${operation.id} when one of its calls to the database meets a fault`, () => {
    test('succeeds with its whole effect or is 503 without, and the same request again is one effect', async () => {
      const request = requestOf(operation, { token: await tokenOf('ada') })
      if (operation.method === 'GET') await readUnderFaults(operation, request)
      else await writeUnderFaults(operation, request)
    })

    test('never lets in a token that is unknown', async () => {
      await refusedUnderFaults(requestOf(operation, { token: await foreignToken() }), 401)
    })

    if (operation.scope !== 'none') {
      test('never lets in a token without its scope', async () => {
        await refusedUnderFaults(requestOf(operation, { token: await withoutScope(operation) }), 403)
      })
    }

    if (operation.who !== 'anyone') {
      test('never lets in nobody', () => refusedUnderFaults(requestOf(operation), 403))
    }

    if (operation.who === 'staff' || operation.who === 'owner') {
      test('never lets in another role', async () => {
        await refusedUnderFaults(requestOf(operation, { token: await tokenOf('dev') }), 403)
      })
    }
  })
}

test('S-03 the lookup of a school is served or 503, and an unknown host never finds one', async () => {
  const other = await startApp({ databaseUrl: proxied(() => true) })
  const [, own] = proxies
  assert.ok(own)
  let number = 0
  const known = await meetEachFault(own, async ({ fault, meet }) => {
    // Nobody has asked for this host, so that it has to be looked up.
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
  note(known.runs)
  note(unknown.runs)
  assert.deepEqual(ownFaults(other), [])
  await other.stop()
})

test('S-03 no fault was one of ours', () => assert.deepEqual(ownFaults(app), []))
