import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { ownFaults } from '#testing/faults/meet.ts'
import { type FaultProxy, startFaultProxy } from '#testing/faults/proxy.ts'
import type { Fault } from '#testing/faults/session.ts'
import type { TestReply } from '#testing/http.ts'

let proxy: FaultProxy | undefined
const app = testApp({
  databaseUrl: async direct => {
    proxy = await startFaultProxy(direct, text => text !== 'commit')
    return proxy.url
  },
})
after(() => proxy?.close())

const groups = () => app.actor('ada', { scopes: ['members:read', 'members:write'] })
const listNames = ({ json }: TestReply): string[] => json.data.map(({ name }: { name: string }) => name)

/** Sends a request whose COMMIT meets a fault. */
const meet = async (fault: Fault, send: () => Promise<TestReply>): Promise<TestReply> => {
  assert.ok(proxy)
  proxy.arm(fault, 1)
  const reply = await send()
  assert.equal(proxy.disarm(), 'commit')
  await proxy.settle()
  return reply
}

const assertUnknown = ({ status, json, headers, text }: TestReply): void => {
  assert.deepEqual([status, json.code, json.retryable], [503, 'outcome_unknown', false], text)
  assert.match(String(headers['retry-after']), /^[1-9]\d*$/)
  assert.match(json.detail, /not known whether it was made.*same Idempotency-Key/)
}

for (const { fault, isMade } of [
  { fault: 'lost after', isMade: true },
  { fault: 'lost before', isMade: false },
  { fault: '57P01', isMade: false },
] as const)
  test(`S-03 a write whose COMMIT meets the fault "${fault}" says that its outcome is unknown, and its key settles it`, async () => {
    const ada = await groups()
    const name = `Group ${fault}`
    const create = () =>
      ada.write('POST', '/groups', { name }, { 'idempotency-key': `unknown-${fault}`.replace(' ', '-') })
    assertUnknown(await meet(fault, create))
    assert.equal(listNames(await ada.get('/groups?limit=100')).includes(name), isMade)
    const again = await create()
    assert.equal(again.status, 201, again.text)
    assert.equal(again.headers['idempotency-replayed'], isMade ? 'true' : undefined)
    assert.equal(listNames(await ada.get('/groups?limit=100')).filter(one => one === name).length, 1)
  })

test('S-03 a refused COMMIT has a known outcome: it is retried, or the reply says that nothing changed', async () => {
  const ada = await groups()
  for (const [fault, status] of [
    ['40001', 201],
    ['53300', 503],
  ] as const) {
    const reply = await meet(fault, () => ada.write('POST', '/groups', { name: `Refused ${fault}` }))
    assert.equal(reply.status, status, reply.text)
    if (status === 503) assert.equal(reply.json.code, 'unavailable')
    assert.equal(listNames(await ada.get('/groups?limit=100')).includes(`Refused ${fault}`), status === 201)
  }
})

test('every write declares that its outcome may be unknown, and the code has a page', async () => {
  const { json } = await app.send({ path: '/openapi.json' })
  type Responses = Readonly<Record<string, { readonly $ref: string }>>
  const listCodes = (name = ''): string[] => {
    const { schema } = json.components.responses[name]?.content['application/problem+json'] ?? {}
    return schema?.allOf[1].properties.code.enum ?? []
  }
  for (const [path, methods] of Object.entries<Record<string, { responses: Responses }>>(json.paths))
    for (const [method, { responses }] of Object.entries(methods)) {
      const isDeclared = listCodes(responses['503']?.$ref.split('/').at(-1)).includes('outcome_unknown')
      assert.equal(isDeclared, method !== 'get', `${method} ${path}`)
    }
  const page = await app.send({ path: '/problems/outcome_unknown', headers: { accept: 'text/html' } })
  assert.equal(page.status, 200)
  assert.match(page.text, /same Idempotency-Key/)
  assert.deepEqual(ownFaults(app), [])
})
