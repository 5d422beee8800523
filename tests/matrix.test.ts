import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Role } from '#src/contract/caller.ts'
import type { Operation } from '#src/contract/operation.ts'
import type { School } from '#src/contract/school.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { lookUp } from '#testing/examples.ts'
import { jsonBody, type TestReply, type TestRequest } from '#testing/http.ts'
import { enrollEverybody } from '#testing/learning.ts'
import {
  areaScopes,
  asksPerson,
  buildRequest,
  chooseExampleStatus,
  everyOperation,
  getSuccess,
  grantable,
  grantEach,
  type IdPlace,
  type Instead,
  identityScopes,
  idPlaces,
  idsIn,
  nobodysId,
  resetLimits,
  sumOfRows,
} from '#testing/matrix.ts'
import { withinASecond } from '#testing/oauth.ts'
import { callers, listCallers, mayPass, passing, standIns } from '#testing/operation-kinds.ts'
import { setProvider } from '#testing/payments.ts'
import { PINS, pinboard } from '#testing/pinboard.ts'
import { chosen, pickSome } from '#testing/share.ts'
import { addWebhooks } from '#testing/webhooks.ts'
import { people } from '../src/demo/index.ts'

const app = testApp({ hasSubscriptions: true, moreAreas: [pinboard], moreTables: PINS, cachesPublicReads: true })

// In `npm test`, for each operation, and how many operations are repeated as somebody whose role shrank.
const OTHER_SCOPES = 2
const SHRUNK = 12

const LOCKS = ['sign_in_required', 'invalid_token', 'insufficient_scope', 'role_required']
const everything = [...identityScopes, ...grantable]

const getRole = (name: PersonName): Role =>
  (({ ...standIns }) as Partial<Record<string, Role>>)[name] ?? people[name].role

// Consent does not offer what a role cannot do: each person allows everything as an owner and is then what they are.
const signInAsOwner = async (name: PersonName): Promise<string> => {
  const { token, scopes } = await app.actor(name, { scopes: everything, as: getRole(name), approvedAs: 'owner' })
  assert.deepEqual([...scopes].sort(), [...everything].sort(), `${name} granted every scope`)
  return token
}

// The lecturer of another course teaches one that no example names.
const teachRye = async (token: string): Promise<void> => {
  const asAda = { authorization: `Bearer ${token}` }
  const found = await app.send({ path: `/api/v1/members?email=${people.eli.email}`, headers: asAda })
  const patch = { member_id: found.json.data[0].id }
  const linked = await app.send(jsonBody('PATCH', '/api/v1/lecturers/slug:gil-tavares', patch, asAda))
  assert.equal(linked.status, 200, linked.text)
  const path = `/api/v1/courses/slug:rye-for-the-patient/lecturers/${linked.json.id}`
  assert.equal((await app.send({ method: 'PUT', path, headers: asAda })).status, 200)
}

const visitor = () => ({ port: app.port, school: app.a, email: people.ada.email, password: PASSWORD })

const prepare = async () => {
  const all: Partial<Record<PersonName, string>> = {}
  for (const [, name] of callers) all[name] = await signInAsOwner(name)
  await enrollEverybody(app, all.ada ?? '')
  const granted = await grantEach(
    visitor(),
    everything.map(scope => [scope]),
  )
  const other = await app.actor('ada', { scopes: everything, school: app.b })
  for (const provider of ['manual', 'test'] as const) await setProvider(app, provider, {})
  await teachRye(all.ada ?? '')
  // Of the apps a person has connected, one does not ask.
  const metadata = { client_name: 'Recipe Box' }
  for (const [, name] of callers) await app.actor(name, { metadata })
  await app.actor('ada', { metadata, school: app.b })
  // An app sees its own webhooks alone.
  for (const token of Object.values(all)) await addWebhooks(token, request => app.send(request))
  await addWebhooks(other.token, request => app.send(request, app.b))
  return {
    /** A token of each person with every scope. */
    all,
    /** Ada's tokens with one scope each. */
    alone: everything.map((scope, index) => ({ scope, ...granted[index] })),
    /** Ada's token of the other school, with every scope. */
    other: other.token,
  }
}

let preparing: ReturnType<typeof prepare> | undefined
const prepared = () => {
  preparing ??= prepare()
  return preparing
}

/** Looks up the ids in the example of an operation in school A, as a caller sees them. */
const lookUpAs = async (operation: Operation, seenBy: string | undefined): Promise<Instead> => {
  const look = (token = '') => lookUp(operation, token, request => app.send(request))
  // Who has nothing of the kind names what Ada has, and finds nothing there.
  return look(seenBy).catch(async () => look((await prepared()).all.ada))
}

/** Sends the example of an operation in school A, with its ids looked up as a caller sees them. */
const example = async (operation: Operation, seenBy: string | undefined, instead: Instead): Promise<TestRequest> => {
  // What waits for a person would become too much before it expires, and the clock would outrun the tokens.
  await app.database.query('update confirmations set expires_at = created_at where decision is null')
  await resetLimits(operation, app.database)
  return buildRequest(operation, { ...(await lookUpAs(operation, seenBy)), ...instead })
}

const formatProblem = ({ status, json, headers, text }: TestReply): string => {
  assert.match(String(headers['content-type']), /^application\/problem\+json(;|$)/, `${status} ${text}`)
  assert.equal(json.status, status)
  return `${status} ${json.code}`
}

const assertPasses = (reply: TestReply, why: string): void => {
  assert.ok(reply.status < 500 && !LOCKS.includes(reply.json?.code), `${why}: ${reply.status} ${reply.text}`)
}

const unchanged = async (work: () => Promise<void>): Promise<void> => {
  const sum = await sumOfRows(app.database)
  await work()
  assert.equal(await sumOfRows(app.database), sum, 'a refusal changes nothing')
}

/** That each of these requests is refused, and that nothing is changed by them all. */
const assertRefused = <Case>(cases: readonly Case[], refused: (one: Case) => Promise<void>): Promise<void> =>
  unchanged(async () => {
    for (const one of cases) await refused(one)
  })

let describing: Promise<TestReply> | undefined
const description = (): Promise<TestReply> => {
  describing ??= app.send({ path: '/openapi.json' })
  return describing
}

test('F-02 of the 38 scopes those with operations are granted one by one, the others shown and never granted', async () => {
  const { alone } = await prepared()
  for (const { scope, scopes } of alone) assert.deepEqual(scopes, [scope])
  const later = areaScopes.filter(scope => !grantable.includes(scope))
  const [all, onlyLater] = await grantEach(visitor(), [['openid', ...areaScopes], later], areaScopes)
  for (const scope of areaScopes) {
    assert.match(all?.consent.text ?? '', new RegExp(`<span class="quiet">${scope}[ <]`), `${scope} is shown`)
    const box = all?.consent.text.includes(`name="scope" value="${scope}"`)
    assert.equal(box, grantable.includes(scope), `${scope} has a box only when it can be granted`)
  }
  assert.deepEqual(all?.scopes, ['openid', ...grantable])
  if (later.length > 0) assert.equal(onlyLater?.token, undefined)
})

for (const operation of chosen(everyOperation)) {
  const { id, who, scope } = operation

  test(`${id} without a token is ${who === 'anyone' ? 'served' : 'refused with 403 and no challenge'}`, async () => {
    const call = () => app.send(buildRequest(operation))
    if (who === 'anyone') {
      const found = await lookUp(operation, undefined, request => app.send(request))
      const { status, text } = await app.send(buildRequest(operation, { ...found, dryRun: true }))
      const isDry = operation.method !== 'GET' && operation.mode === 'write'
      return assert.equal(status, isDry ? 200 : getSuccess(operation), text)
    }
    await unchanged(async () => {
      const reply = await call()
      assert.equal(formatProblem(reply), '403 sign_in_required')
      assert.equal(reply.headers['www-authenticate'], undefined)
    })
  })

  test(`F-02 ${id} is reached with the scope ${scope} and with no other`, async () => {
    const { alone, all } = await prepared()
    const isRight = (name: string) => scope === 'none' || name === scope
    const found = await lookUpAs(operation, all.ada)
    await assertRefused(
      pickSome(
        alone.filter(one => !isRight(one.scope)),
        OTHER_SCOPES,
        id,
      ),
      async ({ token }) => assertNamesScope(await app.send(buildRequest(operation, { ...found, token })), scope),
    )
    const right = alone.filter(one => isRight(one.scope))
    for (const { scope: name, token } of pickSome(right, OTHER_SCOPES, id)) {
      const request = await example(operation, all.ada, { token, dryRun: true })
      assertPasses(await app.send(request), `${id} with ${name}`)
    }
  })

  test(`${id} is for ${who}: of seven kinds of caller exactly they pass, holding every scope`, async () => {
    const { all } = await prepared()
    for (const [kind, name] of listCallers(operation)) {
      const isPassing = mayPass(operation, kind)
      const request = await example(operation, isPassing ? all[name] : all.ada, {
        token: all[name],
        dryRun: isPassing,
      })
      if (isPassing) assertPasses(await app.send(request), `${id} as ${kind}`)
      else await unchanged(() => assertKeptOut(operation, kind, request, all[name]))
    }
  })

  test(`F-01 ${id} refuses the token of another school`, async () => {
    const { all, other } = await prepared()
    const request = await example(operation, all.ada, { token: all.ada })
    await unchanged(async () => {
      assertInvalid(await app.send(request, app.b), app.b)
      assertInvalid(await app.send(buildRequest(operation, { token: other })), app.a)
    })
  })

  test(`${id} is in /openapi.json with its scope and who`, async () => {
    const { json } = await description()
    const path = `/api/v1${operation.path.replace(/:(\w+)/g, '{$1}')}`
    const described = json.paths[path][operation.method.toLowerCase()]
    assert.equal(described.operationId, id)
    assert.equal(described['x-scope'], scope)
    assert.equal(described['x-who'], who)
    assert.equal(described['x-confirm'], operation.confirm)
    const expected = scope === 'none' ? [{}] : [...(who === 'anyone' ? [{}] : []), { oauth: [scope] }, { bearer: [] }]
    assert.deepEqual(described.security, expected)
  })
}

// A forbidden resource is refused by role, or is not found, with the same reply as for an unknown id.
const assertKeptOut = async (
  operation: Operation,
  kind: string,
  request: TestRequest,
  token: string | undefined,
): Promise<void> => {
  const reply = await app.send(request)
  assert.equal(reply.headers['www-authenticate'], undefined)
  const isUnknown = reply.status === 404 || formatProblem(reply) === '422 invalid_body'
  if (!isUnknown) return assert.equal(formatProblem(reply), '403 role_required', `${operation.id} as ${kind}`)
  assert.deepEqual(
    comparable(reply),
    comparable(await app.send(buildRequest(operation, { token }))),
    `${operation.id} as ${kind}`,
  )
}

const assertNamesScope = (reply: TestReply, scope: string): void => {
  assert.equal(formatProblem(reply), '403 insufficient_scope')
  assert.equal(reply.json.error, 'insufficient_scope')
  const challenge = String(reply.headers['www-authenticate'])
  assert.match(challenge, /^Bearer error="insufficient_scope", /)
  assert.equal(/ scope="([^"]*)"/.exec(challenge)?.[1], scope)
  assert.match(challenge, / resource_metadata="[^"]+\/\.well-known\/oauth-protected-resource"/)
}

const assertInvalid = (reply: TestReply, school: School): void => {
  assert.equal(formatProblem(reply), '401 invalid_token')
  const challenge = String(reply.headers['www-authenticate'])
  assert.match(challenge, /^Bearer error="invalid_token", error_description="[^"]+", /)
  assert.ok(challenge.includes(`resource_metadata="${school.baseUrl}/.well-known/oauth-protected-resource"`), challenge)
}

// What school B shows its owner: one id of every kind.
const readOfB = async (token: string): Promise<ReadonlyMap<string, string>> => {
  const ask = (request: TestRequest) => app.send(request, app.b)
  const reads = everyOperation.filter(({ method }) => method === 'GET')
  const replies = reads.map(async read => ask(buildRequest(read, { token, ...(await lookUp(read, token, ask)) })))
  return idsIn(await Promise.all(replies))
}

let readingB: ReturnType<typeof readOfB> | undefined
const idsOfB = (token: string) => {
  readingB ??= readOfB(token)
  return readingB
}

const withId = ({ where, name, isList }: IdPlace, value: string) => ({ [where]: { [name]: isList ? [value] : value } })

const comparable = ({ status, json }: TestReply) => ({ status, ...json, request_id: undefined })

for (const operation of chosen(everyOperation).filter(one => idPlaces(one).length > 0)) {
  test(`F-01 ${operation.id} takes the ids of another school for ids that nobody has`, async () => {
    const { all, other } = await prepared()
    const ids = await idsOfB(other)
    const examples = await lookUp(operation, other, request => app.send(request, app.b))
    const token = all.ada
    for (const place of idPlaces(operation)) {
      const [named] = [examples[place.where]?.[place.name]].flat()
      // A slug or external id of an example names something in either school.
      const isId = typeof named === 'string' && named.startsWith(`${place.prefix}_`)
      const theirs = isId ? named : ids.get(place.prefix)
      assert.ok(theirs, `no read of the named world shows an id ${place.prefix}_…`)
      await resetLimits(operation, app.database)
      const sum = await sumOfRows(app.database)
      const reply = await app.send(buildRequest(operation, { token, ...withId(place, theirs) }))
      const unknown = await app.send(buildRequest(operation, { token, ...withId(place, nobodysId(place.prefix)) }))
      assert.deepEqual(comparable(reply), comparable(unknown))
      if (place.where === 'params') assert.equal(formatProblem(reply), '404 not_found')
      assert.equal(await sumOfRows(app.database), sum, 'nothing was written')
    }
  })
}

for (const operation of chosen(everyOperation).filter(({ ifMatch }) => ifMatch !== undefined)) {
  test(`If-Match: ${operation.id} is 412 for a revision that there never was, tells the current one, and writes nothing`, async () => {
    const { all } = await prepared()
    const token = all[passing(operation).at(-1) ?? 'ada']
    const request = await example(operation, token, { token })
    const sum = await sumOfRows(app.database)
    const headers = { ...request.headers, 'if-match': '"999999999-AAAAAAAAAAAAAAAA"' }
    const reply = await app.send({ ...request, headers })
    assert.equal(formatProblem(reply), '412 precondition_failed')
    assert.match(String(reply.headers.etag), /^"\d+-[\w-]{16}"$/)
    assert.equal(await sumOfRows(app.database), sum)
  })
}

// Rows that are made have other ids in the dry run.
const withoutNewIds = (effects: unknown): unknown =>
  JSON.parse(JSON.stringify(effects).replace(/\b(rfd|pay)_[0-9a-z]{26}/g, '$1'))

for (const operation of chosen(everyOperation).filter(asksPerson)) {
  test(`${operation.id} asks the person: 202, and nothing but the asking is written; its effects are in words`, async () => {
    const { all } = await prepared()
    const token = all[passing(operation).at(-1) ?? 'ada']
    const request = await example(operation, token, { token })
    // The response that asks is kept with its key, where the operation has to have one.
    const keyed = operation.idempotency === 'required' ? ['idempotency_keys'] : []
    const written = ['confirmations', 'jobs', ...keyed]
    const sum = await sumOfRows(app.database, written)
    const { status, json, headers, text } = await app.send(request)
    assert.equal(status, 202, text)
    const { confirmation } = json
    assert.deepEqual([confirmation.status, confirmation.operation], ['pending', operation.id])
    assert.equal(confirmation.url, `${app.a.baseUrl}/account/confirmations/${confirmation.id}`)
    assert.equal(headers.location, `${app.a.baseUrl}/api/v1/account/confirmations/${confirmation.id}`)
    assert.ok(confirmation.effects.length > 0)
    for (const { type, money, mail, access } of confirmation.effects) assert.ok(money ?? mail ?? access, type)
    assert.equal(await sumOfRows(app.database, written), sum, 'nothing has happened')
    const wet = await example(operation, token, { token, dryRun: true })
    const dry = await app.send(wet)
    assert.deepEqual([dry.status, withoutNewIds(dry.json.effects)], [200, withoutNewIds(confirmation.effects)])
  })
}

test('the example of every operation is served as it declares', async () => {
  const { all } = await prepared()
  // Other examples need the access, the pending order and the code that these end, so they come last.
  const isLast = ({ id }: Operation): number =>
    Number(['endAccountEnrollment', 'cancelAccountOrder', 'deleteEvent', 'updateCoupon', 'stopCouponCode'].includes(id))
  for (const operation of chosen(everyOperation).toSorted((a, b) => isLast(a) - isLast(b))) {
    const who = passing(operation).at(-1) ?? 'ada'
    const reply = await app.send(await example(operation, all[who], { token: all[who] }))
    assert.equal(reply.status, chooseExampleStatus(operation), `${operation.id}: ${reply.text}`)
  }
})

test('a role that shrank refuses also what was done before under an idempotency key', async () => {
  const { all } = await prepared()
  const writes = chosen(everyOperation).filter(({ who, mode }) => who === 'staff' && mode === 'write')
  for (const operation of pickSome(writes, SHRUNK, 'shrank')) {
    // Looked up by Ada, for Ben may still be taken for what he was the second before.
    const { headers, ...request } = await example(operation, all.ada, { token: all.ben })
    const keyed = { ...request, headers: { ...headers, 'idempotency-key': `shrank-${operation.id}` } }
    const send = () => app.send(keyed)
    assertPasses(await withinASecond(send, ({ status }) => status !== 403), operation.id)
    await app.setRole('ben', 'member')
    const reply = await withinASecond(send, ({ status }) => status === 403)
    await app.setRole('ben', 'admin')
    assert.equal(formatProblem(reply), '403 role_required', operation.id)
    // The next example is looked up as Ben.
    const authorization = `Bearer ${all.ben}`
    await withinASecond(
      () => app.send({ path: '/api/v1/school/staff', headers: { authorization } }),
      ({ status }) => status === 200,
    )
  }
})
