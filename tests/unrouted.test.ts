import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unroutedOperations } from '#src/contract/area.ts'
import type { UnroutedOperation } from '#src/contract/operation.ts'
import { people } from '#src/demo/index.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { type PersonName, testApp } from '#testing/app.ts'
import { lookUp } from '#testing/examples.ts'
import { jsonBody, type TestReply, type TestRequest } from '#testing/http.ts'
import { buildRequest, grantable, identityScopes, methodsByPath, operations, sumOfRows } from '#testing/matrix.ts'
import { listCallers, mayPass, standIns } from '#testing/operation-kinds.ts'
import { PINS, performingPage, pinboard } from '#testing/pinboard.ts'
import { pick, pickSome } from '#testing/share.ts'
import { once } from '#testing/staff-pages.ts'
import { cookieAt } from '#testing/unrouted.ts'
import { areas } from '../src/areas.ts'

const app = testApp({
  hasSubscriptions: true,
  moreAreas: [pinboard],
  moreTables: PINS,
  morePages: parts => [performingPage(parts)],
})

const unrouted = unroutedOperations([...areas, pinboard])

type Call = { readonly params?: unknown; readonly body?: unknown; readonly dry_run?: true; readonly was?: string }

const perform = async (name: PersonName, operation: string, call: Call = {}, school = app.a): Promise<TestReply> => {
  const headers = { cookie: await cookieAt(app, name, school) }
  return app.send(jsonBody('POST', '/account/perform', { operation, ...call }, headers), school)
}

const reader = once(async () => (await app.actor('ada', { scopes: [...identityScopes, ...grantable] })).token)

const readExample = async (operation: UnroutedOperation): Promise<Call> =>
  lookUp(operation, await reader(), request => app.send(request))

const formatRefusal = ({ status, json }: TestReply): string => `${status} ${json?.code}`

const putUp = async (text: string, school = app.a): Promise<string> => {
  const { json, status, text: answer } = await perform('ada', 'putUpNotice', { body: { text } }, school)
  assert.equal(status, 200, answer)
  return json.id
}

for (const operation of unrouted) {
  const { id, who, mode } = operation
  // What is named by its parameters stands in the path of a routed operation.
  const named = {
    ...operation,
    path: Object.keys(operation.params?.properties ?? {})
      .map(name => `/:${name}`)
      .join(''),
  }

  test(`${id} is for ${who}: of six kinds of member exactly they may perform it, and a refusal changes nothing`, async () => {
    for (const [name, role] of Object.entries(standIns)) await app.setRole(name as PersonName, role)
    for (const [kind, name] of listCallers(named)) {
      const call = { ...(await readExample(operation)), ...(mode === 'write' ? { dry_run: true as const } : {}) }
      await cookieAt(app, name)
      const sum = await sumOfRows(app.database)
      const reply = await perform(name, id, call)
      const isPassing = mayPass(named, kind)
      // What is not in the demo data is refused by the handler, which was then reached.
      const declared = ['not_found', ...operation.fails.map(({ code }) => code)]
      if (isPassing) assert.ok(reply.status === 200 || declared.includes(reply.json?.code), `${kind}: ${reply.text}`)
      else assert.equal(formatRefusal(reply), '403 role_required', `${id} as ${kind}`)
      assert.equal(await sumOfRows(app.database), sum, 'nothing was written')
    }
  })
}

// Lets every operation report that it was reached, instead of doing its work.
const watchReached = () => {
  const reached: string[] = []
  const names = ['handle', 'runSteps'] as const
  const handlers = unrouted.flatMap(operation => names.map(name => [operation, name, operation[name]] as const))
  for (const [operation, name, before] of handlers)
    if (before !== undefined) Reflect.set(operation, name, async () => void reached.push(operation.id))
  const stop = () => {
    for (const [operation, name, before] of handlers) if (before !== undefined) Reflect.set(operation, name, before)
  }
  return { reached, stop }
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const FOLDERS = ['/api/v1/', '/', '/staff/', '/account/']

// Of the methods and folders of each suggested path, in `npm test`.
const SUGGESTED = 4

const kebab = (id: string): string => id.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

// Every method of every path of the server, and paths that the name of an operation suggests.
const everyRequest = (token: string): TestRequest[] => {
  const headers = { authorization: `Bearer ${token}`, 'if-match': '*' }
  const declared = operations.map(operation => buildRequest(operation, { token, dryRun: true }))
  const undeclared = [...methodsByPath()].flatMap(([path, methods]) =>
    METHODS.filter(method => !methods.has(method)).map(method => ({ method, path, headers })),
  )
  const suggested = unrouted.flatMap(({ id }) =>
    [id, kebab(id), `operations/${id}`, `pins/${id}`, `school?operation=${id}`].flatMap(name => {
      const ways = FOLDERS.flatMap(folder => METHODS.map(method => ({ method, path: `${folder}${name}` })))
      return pickSome(ways, SUGGESTED, name).map(way => ({ ...way, headers: { ...headers, 'x-operation': id } }))
    }),
  )
  return [...declared, ...undeclared, ...suggested]
}

test('no method and path of the server reaches an operation without a route, whatever the token may do', async () => {
  const { token } = await app.actor('ada', { scopes: [...identityScopes, ...grantable] })
  await cookieAt(app, 'ada')
  const { reached, stop } = watchReached()
  try {
    const { status } = await perform('ada', 'clearPinboard')
    assert.deepEqual([status, reached.splice(0)], [200, ['clearPinboard']], 'the watch sees a call')
    const requests = everyRequest(token)
    assert.ok(requests.length > pick({ whole: 20, part: 5 }) * operations.length, String(requests.length))
    for (const request of requests) {
      await app.send(request)
      assert.deepEqual(reached, [], `${request.method} ${request.path}`)
    }
  } finally {
    stop()
  }
})

test('/openapi.json, the scopes and allowed_actions of an app name no operation without a route', async () => {
  const { text } = await app.send({ path: '/openapi.json' })
  for (const { id } of unrouted) assert.ok(!text.includes(`"${id}"`), id)
})

test('allowed_actions on a page name those that the person may perform', async () => {
  const { json } = await perform('ada', 'getPinboard')
  assert.deepEqual(json.allowed_actions, ['putUpNotice', 'clearPinboard', 'getSchool'])
  assert.deepEqual((await perform('ben', 'getPinboard')).json.allowed_actions, ['putUpNotice', 'getSchool'])
})

test('a write is recorded with the member as actor and without an app, with its facts, in one transaction', async () => {
  const id = await putUp('No loaves today')
  const [entry] = await app.database.query(
    `select a.operation, a.client_id, a.actor, a.resource_ids, a.fields, m.email from audit_log a
     join members m on m.school_id = a.school_id and m.id = a.member_id order by a.id desc limit 1`,
  )
  const expected = { operation: 'putUpNotice', client_id: null, actor: null, resource_ids: [id], fields: ['text'] }
  assert.deepEqual(entry, { ...expected, email: people.ada.email })
  assert.equal((await app.database.query(`select from facts where payload->>'pin_id' = $1`, [id])).length, 1)
  const ada = await app.actor('ada')
  const { json } = await ada.get('/school/audit-log?operation=putUpNotice')
  assert.deepEqual([json.data[0].actor.kind, json.data[0].actor.member.name], ['member', 'Ada Moreira'])
})

test('a dry run returns the answer and the effects, and leaves nothing', async () => {
  await cookieAt(app, 'ada')
  const sum = await sumOfRows(app.database)
  const { json } = await perform('ada', 'putUpNotice', { body: { text: 'Never up' }, dry_run: true })
  assert.equal(json.result.text, 'Never up')
  assert.deepEqual(
    json.effects.map(({ type, effects }: { type: string; effects: object }) => [type, effects]),
    [['pin.put_up', { mail: { en: 'Nobody gets a mail.', pt: 'Ninguém recebe uma mensagem.' } }]],
  )
  assert.equal(await sumOfRows(app.database), sum)
})

test('a refusal, of a dry run too, is that of the API and leaves nothing', async () => {
  await putUp('Only once')
  const sum = await sumOfRows(app.database)
  for (const dry of [{}, { dry_run: true as const }]) {
    const again = await perform('ada', 'putUpNotice', { body: { text: 'Only once' }, ...dry })
    assert.equal(formatRefusal(again), '409 pin_taken')
    assert.equal(formatRefusal(await perform('ada', 'putUpNotice', { body: { text: '' }, ...dry })), '422 invalid_body')
    const unknown = { params: { pin_id: toId('pst', newUuid(Date.now())) }, ...dry }
    assert.equal(formatRefusal(await perform('ada', 'hidePin', unknown)), '404 not_found')
  }
  assert.equal(await sumOfRows(app.database), sum)
})

test('somebody whose role has changed since the page read the session is refused, and nothing is written', async () => {
  await cookieAt(app, 'femi')
  const sum = await sumOfRows(app.database)
  const late = await perform('femi', 'putUpNotice', { body: { text: 'Too late' }, was: 'admin' })
  assert.equal(formatRefusal(late), '403 role_required')
  assert.equal(formatRefusal(await perform('ben', 'clearPinboard', { was: 'owner' })), '403 role_required')
  assert.equal(await sumOfRows(app.database), sum)
})

test('what another school has is not there', async () => {
  const theirs = await putUp('A pin of the other school', app.b)
  const sum = await sumOfRows(app.database)
  assert.equal(formatRefusal(await perform('ada', 'hidePin', { params: { pin_id: theirs } })), '404 not_found')
  assert.equal(await sumOfRows(app.database), sum)
  const before = (await perform('ada', 'getPinboard', {}, app.b)).json.count
  await perform('ada', 'clearPinboard')
  assert.equal((await perform('ada', 'getPinboard')).json.count, 0)
  assert.equal((await perform('ada', 'getPinboard', {}, app.b)).json.count, before)
})

test('the same write twice at once is done once', async () => {
  const replies = await Promise.all(
    ['ada', 'ben', 'ada', 'ben'].map(name =>
      perform(name as PersonName, 'putUpNotice', { body: { text: 'At the same time' } }),
    ),
  )
  assert.deepEqual(replies.map(formatRefusal).sort(), ['200 undefined', ...Array(3).fill('409 pin_taken')])
  assert.equal((await app.database.query(`select from pins where text = 'At the same time'`)).length, 1)
})
