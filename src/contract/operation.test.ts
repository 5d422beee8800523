import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { multiStepOperation } from './multi-step-operation.ts'
import { declareFor, isRouted, operation } from './operation.ts'

const route = 'POST /things' as const
const common = {
  id: 'changeThing',
  summary: 'Change a thing',
  who: 'staff',
  mode: 'write',
  returns: undefined,
} as const
const PER_NETWORK = { times: 5, seconds: 60, by: 'network' } as const
const PER_MEMBER = { times: 5, seconds: 60, by: 'member' } as const
const handle = async () => undefined

// A declaration whose types the compiler would refuse, as plain JavaScript would pass it.
const declare = (declared: object): unknown => Reflect.apply(operation, undefined, [{ ...common, handle, ...declared }])

test('with a route and a scope an operation is an endpoint of the API, and without both it has neither', () => {
  const routed = operation({ ...common, route, scope: 'school:write', handle })
  assert.deepEqual([isRouted(routed), routed.method, routed.path], [true, 'POST', '/things'])
  const unrouted = operation({ ...common, handle })
  assert.equal(isRouted(unrouted), false)
  for (const name of ['method', 'path', 'scope', 'confirm', 'csv', 'ifMatch', 'runSteps'])
    assert.ok(!(name in unrouted), name)
})

test('the method of an endpoint says its mode and the scope of its section', () => {
  const { who: _, mode: __, ...changed } = { ...common, handle }
  const read = declareFor('anyone', 'school', { ...changed, route: 'GET /things' })
  assert.deepEqual([read.who, read.mode, read.scope], ['anyone', 'read', 'school:read'])
  const write = declareFor('staff', 'school', { ...changed, route: 'DELETE /things' })
  assert.deepEqual([write.who, write.mode, write.scope], ['staff', 'write', 'school:write'])
})

const nonsense: readonly (readonly [declared: object, why: RegExp])[] = [
  [{ scope: 'school:write' }, /has no route, so it cannot have scope/],
  [{ route }, /has a route and no scope/],
  [{ confirm: 'person' }, /has no route, so it cannot have confirm/],
  [{ ifMatch: 'required' }, /has no route, so it cannot have ifMatch/],
  [{ csv: { cells: {} } }, /has no route, so it cannot have csv/],
  [{ expand: {} }, /has no route, so it cannot have expand/],
  [{ status: 201 }, /has no route, so it cannot have status/],
  [{ mode: 'stream' }, /has no route, so its mode must be read, write or outside/],
  [{ route, scope: 'none', who: 'anyone', confirm: 'person' }, /confirmed by a person/],
  [{ idempotency: 'required' }, /has no route, so it cannot have idempotency/],
  [{ route, scope: 'school:read', mode: 'read', idempotency: 'required' }, /requires Idempotency-Key/],
  [
    { route, scope: 'none', who: 'anyone', rateLimit: PER_NETWORK, idempotency: 'required' },
    /requires Idempotency-Key/,
  ],
  [{ route, scope: 'none', who: 'anyone' }, /is a write for anyone, so it needs a rateLimit by network/],
  [{ route, scope: 'none', who: 'anyone', mode: 'stream' }, /is a write for anyone, so it needs a rateLimit/],
  [{ who: 'anyone' }, /is a write for anyone, so it needs a rateLimit by network/],
  [{ route, scope: 'none', who: 'anyone', rateLimit: PER_MEMBER }, /so its rateLimit must be by network/],
  [{ rateLimit: { ...PER_MEMBER, times: 0 } }, /not positive integers/],
  [{ rateLimit: { ...PER_MEMBER, seconds: 0.5 } }, /not positive integers/],
]

for (const [declared, why] of nonsense)
  test(`a declaration that contradicts itself is refused at the start: ${JSON.stringify(declared)}`, () => {
    assert.throws(() => declare(declared), why)
  })

test('the types refuse the same, and what does not fit together', () => {
  const csv = { cells: {}, statement: () => ({ text: '', values: [] }) }
  const open = { ...common, route, scope: 'none', who: 'anyone', rateLimit: PER_NETWORK } as const
  const streamed = { ...common, route, mode: 'stream' } as const
  const own = { scope: 'school:write', who: 'self', runSteps: handle } as const
  const refused = [
    // @ts-expect-error: an operation without a route has no scope
    () => operation({ ...common, scope: 'school:write', handle }),
    // @ts-expect-error: an operation with a route has a scope
    () => operation({ ...common, route, handle }),
    // @ts-expect-error: only a token is confirmed by a person
    () => operation({ ...common, confirm: 'person', handle }),
    // @ts-expect-error: a page does not merge
    () => operation({ ...common, ifMatch: 'required', handle }),
    // @ts-expect-error: only a list of the API is CSV
    () => operation({ ...common, mode: 'read', csv, handle }),
    // @ts-expect-error: a page sends no file
    () => operation({ ...common, mode: 'stream', handle }),
    // @ts-expect-error: an open write has a limit
    () => operation({ ...common, route, scope: 'none', who: 'anyone', handle }),
    // @ts-expect-error: an anonymous caller is no member
    () => operation({ ...common, route, scope: 'none', who: 'anyone', rateLimit: PER_MEMBER, handle }),
    // @ts-expect-error: a read happens as often as one likes
    () => operation({ ...common, route, scope: 'school:read', mode: 'read', idempotency: 'required', handle }),
    // @ts-expect-error: an anonymous caller has no keys
    () => operation({ ...open, idempotency: 'required', handle }),
    // @ts-expect-error: a stream for anyone has a limit
    () => multiStepOperation({ ...streamed, scope: 'none', who: 'anyone', runSteps: handle }),
    // @ts-expect-error: only one transaction has a key
    () => multiStepOperation({ ...streamed, ...own, idempotency: 'required' }),
  ]
  for (const declaring of refused) assert.throws(declaring)
  // @ts-expect-error: the operator has no account, so a handler cannot rely on one
  operation({ ...common, handle: async ({ caller }) => caller.member.id })
  const returns = Type.Object({ ok: Type.Boolean() })
  // @ts-expect-error: an answer of another shape
  operation({ ...common, returns, handle: async () => ({ ok: 'yes' }) })
  operation({ ...common, who: 'self', handle: async ({ caller }) => caller.member.id })
  operation({ ...open, handle: async ({ caller }) => caller.member?.id })
  multiStepOperation({ ...streamed, ...open, mode: 'stream', runSteps: async ({ caller }) => caller.member?.id })
})
