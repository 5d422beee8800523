import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation } from '#src/contract/operation.ts'
import { fromId, type IdPrefix } from '#src/kit/ids.ts'
import { type PersonName, testApp } from '#testing/app.ts'
import { lookUp } from '#testing/examples.ts'
import { type Kept, keepRows } from '#testing/faults/keep.ts'
import type { TestReply } from '#testing/http.ts'
import { buildRequest, grantable, type Instead, identityScopes, operations } from '#testing/matrix.ts'
import { setProvider } from '#testing/payments.ts'
import { type Resource, refusedByOthers, resources } from '#testing/resource-states.ts'
import { chosen, pickSome } from '#testing/share.ts'

const app = testApp({ hasSubscriptions: true })

type Shapes = Readonly<Record<string, { readonly enum?: readonly string[] }>>

const getShapes = ({ returns }: Operation): Shapes =>
  (returns as { readonly properties?: Shapes } | undefined)?.properties ?? {}

// The operations that read a resource with `allowed_actions`.
const reads = operations.filter(one => one.method === 'GET' && 'allowed_actions' in getShapes(one))

// The states of a resource by its schema.
const listStates = (read: Operation): readonly string[] => {
  const { status, visibility, archived_at: archivedAt } = getShapes(read)
  const statuses = status?.enum ?? (archivedAt === undefined ? visibility?.enum : undefined) ?? ['there']
  return [...new Set([...statuses, ...(archivedAt === undefined ? [] : ['archived'])])]
}

const isRead = (path: string): boolean => operations.some(one => one.method === 'GET' && one.path === path)

// The writes at the path of a resource and one segment below it. What is read at its own path is another resource, as is what
// is created below a path without an id.
const listWrites = ({ path }: Operation): readonly Operation[] =>
  operations.filter(one => {
    if (one.method === 'GET') return false
    if (one.path === path) return true
    const isBelow = one.path.startsWith(`${path}/`) && !one.path.slice(path.length + 1).includes('/')
    return isBelow && !isRead(one.path) && (one.method !== 'POST' || path.includes(':'))
  })

const PEOPLE = ['ada', 'carla', 'femi'] as const satisfies readonly PersonName[]

// In `npm test`, of each resource.
const STATES = 2

const tokens = new Map<string, string>()
const examples = new Map<string, Instead>()
let kept: Kept

const lookUpAs = (example: object, token: string): Promise<Instead> =>
  lookUp({ example }, token, request => app.send(request))

const prepare = async (): Promise<void> => {
  await setProvider(app, 'test', {})
  // Examples are about another app that Ada has connected, too.
  await app.actor('ada', { metadata: { client_name: 'Recipe Box' } })
  const scopes = [...identityScopes, ...grantable]
  for (const name of PEOPLE) tokens.set(name, (await app.actor(name, { scopes, approvedAs: 'owner' })).token)
  const token = tokens.get('ada') ?? assert.fail()
  for (const { id, example } of operations) examples.set(id, await lookUpAs(example, token))
  for (const [id, { requests = {} }] of Object.entries(resources))
    for (const [operation, example] of Object.entries(requests))
      examples.set(`${id} ${operation}`, await lookUpAs(example, token))
  kept = await keepRows(app.database)
}
let preparing: ReturnType<typeof prepare> | undefined

const named = (id: string): Operation => operations.find(one => one.id === id) ?? assert.fail(id)

/** A row in a state. */
type Row = {
  readonly read: Operation
  readonly params: NonNullable<Instead['params']>
  arrange(): Promise<void>
}

const send = (name: PersonName, operation: Operation, { read, params }: Pick<Row, 'read' | 'params'>) => {
  const example = { ...examples.get(operation.id), ...examples.get(`${read.id} ${operation.id}`) }
  const request = { token: tokens.get(name), dryRun: true, ...example, params: { ...example.params, ...params } }
  return app.send(buildRequest(operation, request))
}

// A row that is named by its slug or its code is named by its id from here on.
const readRow = async (read: Operation, { row = read.id }: Resource, statement: string): Promise<Row> => {
  const { params = {} } = examples.get(row) ?? {}
  const { json, text } = await send('ada', read, { read, params })
  const id = String(json.id ?? '')
  const [last = ''] = Object.keys(params).slice(-1)
  const uuid = id.includes('_') ? fromId(id.split('_')[0] as IdPrefix, id) : ''
  assert.ok(uuid !== '' || !statement.includes('$id'), text)
  // Triggers count for the school of the connection.
  const all = `set stoa.school_id = $school; ${statement}; reset stoa.school_id`
  return {
    read,
    params: String(params[last]).includes(':') ? { ...params, [last]: id } : params,
    arrange: async () => {
      if (statement === '') return
      await app.database.query(all.replaceAll('$id', `'${uuid}'`).replaceAll('$school', `'${app.a.id}'`))
    },
  }
}

const isIn = ({ json }: TestReply, state: string, read: Operation): boolean =>
  [json.status, json.visibility, json.archived_at ? 'archived' : 'there'].includes(state) ||
  !listStates(read).includes(state)

// What is so already is no refusal: nothing changes.
const isUnchanged = ({ json }: TestReply, revision: unknown): boolean =>
  json?.dry_run === true
    ? json.effects.length === 0 && (json.result?.revision ?? revision) === revision
    : json?.revision === revision

const findFault = (operation: Operation, reply: TestReply, { json }: TestReply): string | undefined => {
  const { status, text } = reply
  const isListed = json.allowed_actions.includes(operation.id)
  const isElsewhere = refusedByOthers[operation.id]?.includes(reply.json?.code) ?? false
  const isRight = isListed
    ? status < 300 || isElsewhere
    : status < 300
      ? isUnchanged(reply, json.revision)
      : [403, 404, 409].includes(status)
  return isRight ? undefined : `${isListed ? 'listed' : 'not listed'}: ${operation.id} ${status} ${text.slice(0, 400)}`
}

const faultsIn = async (name: PersonName, row: Row, seen: TestReply): Promise<readonly string[]> => {
  const listed: readonly string[] = seen.json.allowed_actions
  const faults: string[] = []
  for (const operation of new Set([...listed.map(named), ...listWrites(row.read)])) {
    const fault = findFault(operation, await send(name, operation, row), seen)
    if (fault !== undefined) faults.push(`${name}: ${fault}`)
    if (operation.method === 'GET' || operation.mode === 'write') continue
    // It has no dry run.
    await kept.putBack()
    await row.arrange()
  }
  return faults
}

test('every resource that lists allowed_actions is brought into every state that its schema has', () => {
  assert.deepEqual(Object.keys(resources).sort(), reads.map(({ id }) => id).sort())
  for (const read of reads) {
    const states = Object.keys(resources[read.id]?.states ?? {})
    assert.deepEqual(
      listStates(read).filter(one => !states.includes(one)),
      [],
      read.id,
    )
  }
})

for (const read of chosen(reads)) {
  test(`what ${read.id} lists as allowed_actions works in every state, and no other write of it does`, async () => {
    preparing ??= prepare()
    await preparing
    const resource = resources[read.id] ?? assert.fail(read.id)
    for (const [state, statement] of pickSome(Object.entries(resource.states), STATES, read.id)) {
      const row = await readRow(read, resource, statement)
      await row.arrange()
      const seen = await send('ada', read, row)
      if (resource.unseen === state) assert.equal(seen.status, 404, seen.text)
      else {
        assert.ok(seen.status === 200 && isIn(seen, state, read), `${state}: ${seen.text}`)
        const faults = [...(await faultsIn('ada', row, seen))]
        for (const name of read.who === 'self' || read.who === 'staff' ? [] : PEOPLE.slice(1)) {
          const reply = await send(name, read, row)
          if (reply.status === 200) faults.push(...(await faultsIn(name, row, reply)))
        }
        assert.deepEqual(faults, [], state)
      }
      await kept.putBack()
    }
  })
}
