import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc, { type Arbitrary } from 'fast-check'
import type { TSchema } from 'typebox'
import { compileCheck } from '#src/contract/check.ts'
import { ConfirmationRequired } from '#src/contract/confirmation.ts'
import type { Endpoint } from '#src/contract/endpoint.ts'
import { oauthErrors } from '#src/contract/oauth-error.ts'
import type { Operation } from '#src/contract/operation.ts'
import { listRefusals } from '#src/http/index.ts'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { buildHostile, buildValid, hostileJson, hostileQuery, hostileText } from '#testing/arbitrary.ts'
import { openBrowser, parseForm } from '#testing/browser.ts'
import { lookUp } from '#testing/examples.ts'
import type { TestReply, TestRequest } from '#testing/http.ts'
import {
  buildRequest,
  endpoints,
  everyOperation,
  getSuccess,
  grantable,
  type Instead,
  identityScopes,
  resetLimits,
} from '#testing/matrix.ts'
import { authorizePath, CALLBACK, pkce, register } from '#testing/oauth.ts'
import { PINS, pinboard } from '#testing/pinboard.ts'
import { chosen, pick, pickSome } from '#testing/share.ts'

const app = testApp({ hasSubscriptions: true, moreAreas: [pinboard], moreTables: PINS, cachesPublicReads: true })

const RUNS = pick({ whole: 60, part: 6 })
// Values that are certain to be tried come first among the runs.
const CERTAIN = 2

// A fixed seed, as in the differential test: only a change of the code makes a test fail; another seed covers other values.
const seed = Number(process.env.STOA_TEST_SEED ?? 20_261_121)

type Place = { readonly properties?: Readonly<Record<string, TSchema>> }

const listNames = (schema: Place | undefined): string[] => Object.keys(schema?.properties ?? {})

const words = (text: string): string[] => text.trim().split(/\s+/)

// What a client of Node may put on the wire: no controls in headers, visible ASCII in addresses.
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  'if-match': [...words(`* "1-aaaaaaaaaaaaaaaa" "999999999-________________" W/"1" " 1 "" ,,,`), '"a'.repeat(2000)],
  'if-none-match': words(`* "a" W/"a","b" " , *,"a" ÿ`),
  'idempotency-key': ['', ' ', 'a b', ...words(`k é ' __proto__`), ...[255, 256].map(length => 'k'.repeat(length))],
  accept: ['', 'a'.repeat(2000), ...words('*/* text/html text/csv application/json;q=0 application/* ;;;')],
  'content-type': ['', 'application/json; charset=utf-16', ...words('application/json text/plain json ; a/b/c ÿ/ÿ')],
  'content-encoding': ['', ...words('gzip identity')],
  'x-request-id': ['two words', ...words('fine é {"level":60}'), ...[128, 129].map(length => 'r'.repeat(length))],
  'x-http-method-override': ['DELETE'],
}

const PARAMETERS = [...words('.. . %00 %ff % %zz %2e%2e%2f a%2Fb ;a=b *'), 'a'.repeat(499), 'a'.repeat(9000)]

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed()).slice(0, 6000)

const oneHeader: Arbitrary<Readonly<Record<string, string>>> = fc
  .constantFrom(...Object.entries(HEADERS))
  .chain(([name, values]) => fc.constantFrom(...values).map(value => ({ [name]: value })))

// Most requests spoil one thing, so that they get as far as they can.
const rarely = <Value>(arbitrary: Arbitrary<Value>): Arbitrary<Value | undefined> =>
  fc.oneof(fc.constant(undefined), fc.constant(undefined), arbitrary)

const bodyFor = (schema: TSchema): Arbitrary<string> =>
  fc.oneof(
    buildValid(schema).map(value => JSON.stringify(value)),
    buildHostile(schema).map(value => JSON.stringify(value)),
    hostileJson(schema),
    hostileText(),
  )

const paramsFor = (schema: Place): Arbitrary<Record<string, string>> =>
  fc.record(
    Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, one]) => [
        name,
        fc.oneof(buildValid(one).map(String).map(encoded), hostileText().map(encoded), fc.constantFrom(...PARAMETERS)),
      ]),
    ),
    { noNullPrototype: true },
  )

const requestFor = (operation: Operation, instead: Instead): Arbitrary<TestRequest> => {
  const { path } = buildRequest(operation, instead)
  const names = [...listNames(operation.query), 'dry_run', 'unknown']
  const query = fc.oneof(
    hostileQuery(names),
    hostileText().map(text => `${names[0]}=${encoded(text)}`),
  )
  const params = operation.params === undefined ? fc.constant(undefined) : rarely(paramsFor(operation.params))
  const body = operation.body === undefined ? rarely(fc.constantFrom('', '{}', 'x')) : bodyFor(operation.body)
  return fc.tuple(params, rarely(query), body, rarely(oneHeader)).map(([pathParams, added, text, headers]) => {
    const own =
      pathParams === undefined
        ? path
        : `/api/v1${operation.path.replace(/:(\w+)/g, (_, name) => pathParams[name] ?? '')}`
    const base = buildRequest(operation).headers ?? {}
    const type = text === undefined ? {} : { 'content-type': 'application/json' }
    return {
      method: operation.method,
      path: added === undefined ? own : `${own.split('?')[0]}?${added}`,
      headers: { ...base, ...type, ...headers },
      ...(text === undefined ? {} : { body: text }),
    }
  })
}

// Texts that PostgreSQL cannot keep, in every member of a body and every parameter, for certain.
const unstorable = (operation: Operation): TestRequest[] => [
  ...listNames(operation.body as Place | undefined).flatMap(name =>
    ['a\u0000b', '\ud800'].map(text => buildRequest(operation, { body: { [name]: text } })),
  ),
  ...listNames(operation.query).map(name => buildRequest(operation, { query: { [name]: 'a\u0000b' } })),
]

const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/u

const assertProblem = (operation: Operation, { status, headers, json, text }: TestReply): void => {
  const declared = listRefusals(operation).find(({ code }) => code === json?.code)
  assert.ok(declared, `${operation.id} does not declare ${status} ${text}`)
  assert.match(String(headers['content-type']), /^application\/problem\+json(;|$)/)
  assert.equal(declared.status, status)
  assert.equal(json.status, status)
  assert.equal(json.request_id, headers['x-request-id'])
  assert.equal(json.type, `${app.a.baseUrl}/problems/${json.code}`)
  for (const name of ['title', 'detail']) assert.ok(typeof json[name] === 'string' && json[name] !== '', name)
  assert.equal(json.retryable, declared.retryable)
  if (json.code !== 'invalid_body') return
  assert.ok(json.errors.length > 0, 'errors say what is wrong')
  for (const { pointer, code, message } of json.errors)
    assert.ok(POINTER.test(pointer) && code !== '' && message !== '')
}

const assertDone = (operation: Operation, { path }: TestRequest, { status, json, text, headers }: TestReply): void => {
  if (status === 304) assert.equal(operation.method, 'GET')
  else if (json?.dry_run === true) assert.match(path, /[?&]dry_run=true/)
  else if (status === 202 && operation.confirm === 'person')
    assert.ok(compileCheck(ConfirmationRequired).Check(json), text)
  else if (operation.csv !== undefined && String(headers['content-type']).startsWith('text/csv'))
    assert.ok(status === 200 && text.endsWith('# complete\r\n'), text)
  else {
    assert.equal(status, getSuccess(operation))
    if (operation.returns !== undefined) assert.ok(compileCheck(operation.returns).Check(json), text)
  }
}

const assertDeclared = (operation: Operation, request: TestRequest, reply: TestReply): void => {
  const { status, headers, text } = reply
  assert.ok(status < 500, `${operation.id} answers ${status}: ${text}`)
  assert.ok(headers['x-request-id'])
  if (status < 400) assertDone(operation, request, reply)
  else assertProblem(operation, reply)
}

// What examples name, looked up before anything of it is changed or gone.
const lookUpAll = async (): Promise<ReadonlyMap<string, Instead>> => {
  const { token } = await app.actor('ada', { scopes: [...identityScopes, ...grantable] })
  // An app that does not ask, for what is done to another one.
  await app.actor('ada', { metadata: { client_name: 'Recipe Box' } })
  const all = new Map<string, Instead>()
  for (const operation of everyOperation) all.set(operation.id, await lookUp(operation, token, one => app.send(one)))
  return all
}
let lookingUp: ReturnType<typeof lookUpAll> | undefined

let owner: Actor | undefined
// The owner keeps an app until a request of this file has ended its access.
const ownerNow = async (): Promise<Actor> => {
  if ((await owner?.get('/account'))?.status !== 200)
    owner = await app.actor('ada', { scopes: [...identityScopes, ...grantable] })
  assert.ok(owner)
  return owner
}

for (const operation of chosen(everyOperation)) {
  test(`H ${operation.id} answers whatever it is sent with something it declares`, async () => {
    const { token } = await ownerNow()
    const bearer = { authorization: `Bearer ${token}` }
    const callers = fc.constantFrom({}, bearer, bearer)
    lookingUp ??= lookUpAll()
    const instead = (await lookingUp).get(operation.id) ?? {}
    await fc.assert(
      fc.asyncProperty(callers, requestFor(operation, instead).filter(isWhole), async (caller, request) => {
        await resetLimits(operation, app.database)
        const reply = await app.send({ ...request, headers: { ...request.headers, ...caller } })
        assertDeclared(operation, request, reply)
      }),
      {
        seed,
        numRuns: RUNS,
        examples: pickSome(unstorable(operation), CERTAIN, operation.id).map((request): [object, TestRequest] => [
          bearer,
          request,
        ]),
      },
    )
    // Pending confirmations expire now, so that the next operation may be requested.
    if (operation.confirm === 'person') await app.moveClock(16 * 60)
  })
}

const FORM = 'application/x-www-form-urlencoded'
const VALUES = fc.oneof(
  hostileText().map(encoded),
  fc.constantFrom(...words('%zz %ff %00 a%00b %EF%BF%BF %ED%A0%80'), '', 'a'.repeat(7000)),
)

/** Pairs of a working request with one of them gone, sent twice or hostile. */
const spoiledPairs = (pairs: readonly (readonly [string, string])[]): Arbitrary<string> =>
  fc
    .tuple(fc.nat(), fc.constantFrom('gone', 'twice', 'hostile', 'hostile', 'whole'), VALUES)
    .map(([choice, how, value]) => {
      const at = choice % pairs.length
      const written = pairs.flatMap(([name, old], index) => {
        const pair = `${name}=${encodeURIComponent(old)}`
        if (index !== at || how === 'whole') return [pair]
        if (how === 'gone') return []
        return how === 'twice' ? [pair, pair] : [`${name}=${value}`]
      })
      return written.join('&')
    })

// A registration as its norm describes it, for values that are nearly right.
const strings = (values: readonly string[]) => ({ type: 'array', items: { enum: values }, minItems: 1, maxItems: 3 })
const REGISTRATION = {
  type: 'object',
  required: ['redirect_uris'],
  properties: {
    redirect_uris: strings([CALLBACK, 'http://[::1]:8080/cb']),
    client_name: { type: 'string', maxLength: 80 },
    grant_types: strings(['authorization_code', 'refresh_token']),
    response_types: strings(['code']),
    token_endpoint_auth_method: { enum: ['none', 'client_secret_post'] },
    scope: { enum: ['openid', 'school:read account:read'] },
  },
}

type Pairs = (readonly [string, string])[]

/** What each endpoint reads when all is well. */
const working = (clientId: string): Readonly<Record<string, Pairs>> => {
  const { verifier, challenge } = pkce()
  const client: Pairs = [
    ['client_id', clientId],
    ['redirect_uri', CALLBACK],
  ]
  const query = new URLSearchParams(
    authorizePath({ scope: 'openid', code_challenge: challenge, state: 's' }).split('?')[1],
  )
  return {
    '/oauth/authorize': [...client, ...query, ['resource', app.a.baseUrl], ['prompt', 'login'], ['max_age', '1']],
    '/api/oauth/token': [
      ...client,
      ['grant_type', 'authorization_code'],
      ['code', 'stoa_ac_x'],
      ['code_verifier', verifier],
    ],
    other: [
      ['request', 'a'.repeat(43)],
      ['email', 'ada@crumb.example'],
      ['password', 'x'],
      ['decision', 'approve'],
      ...client,
    ],
  }
}

const endpointRequest = ({ route }: Endpoint, fieldsOf: Readonly<Record<string, Pairs>>): Arbitrary<TestRequest> => {
  const [method = '', path = ''] = route.split(' ')
  const pairs = spoiledPairs(fieldsOf[path] ?? fieldsOf.other ?? [])
  const json = fc.oneof(
    buildHostile(REGISTRATION).map(value => JSON.stringify(value)),
    hostileJson(REGISTRATION),
  )
  const query = method === 'GET' ? fc.oneof(pairs, pairs, hostileQuery(['request', 'scope'])) : rarely(pairs)
  const body = method === 'GET' ? fc.constant(undefined) : fc.oneof(pairs, json)
  const types = path.endsWith('/register') ? ['application/json'] : [FORM, FORM, 'text/plain', 'application/json']
  const also = { type: fc.constantFrom(...types), accept: fc.constantFrom('text/html', '*/*') }
  return fc.record({ query, body, ...also }).map(one => ({
    method,
    path: `${path.replace(/:\w+/g, 'not_found')}${one.query === undefined ? '' : `?${one.query}`}`,
    headers: { accept: one.accept, ...(one.body === undefined ? {} : { 'content-type': one.type }) },
    ...(one.body === undefined ? {} : { body: one.body }),
  }))
}

// The limit of the header section is met before there is a request.
const isWhole = ({ path }: TestRequest): boolean => path.length < 12_000

const isPage = ({ headers, text }: TestReply): boolean =>
  String(headers['content-type']).startsWith('text/html') && /<h1>.+<\/h1>/.test(text) && /<html lang="\w+"/.test(text)

const assertOAuthError = ({ status, json, text }: TestReply): void => {
  assert.ok(Object.hasOwn(oauthErrors, json?.error), `${status} ${text}`)
  assert.match(json.error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  assert.equal(json.error_uri, `${app.a.baseUrl}/problems/${json.error}`)
}

const assertSpoken = (request: TestRequest, reply: TestReply): void => {
  const { status, json, headers, text } = reply
  assert.ok(status < 500, `${request.path} answers ${status}: ${text}`)
  if (status < 400) return
  const path = request.path.split('?')[0] ?? ''
  const isApi = /^\/(?:api\/oauth|\.well-known)\//.test(path)
  // The checkout explains on a page what is wrong with a link, whoever follows it.
  if (path.startsWith('/checkout') && isPage(reply)) return
  // Payment providers are no browsers, whatever they accept.
  const hasPages = !isApi && !path.startsWith('/webhooks/')
  if (hasPages && request.headers?.accept === 'text/html') assert.ok(isPage(reply), text)
  else if (isApi || path.startsWith('/oauth/')) assertOAuthError(reply)
  else assert.deepEqual([json.status, json.request_id], [status, headers['x-request-id']])
}

// PostgreSQL keeps no NUL: each parameter with one, for certain.
const withNul = ({ route }: Endpoint, fieldsOf: Readonly<Record<string, Pairs>>): TestRequest[] => {
  const [method = '', path = ''] = route.split(' ')
  const pairs = fieldsOf[path] ?? fieldsOf.other ?? []
  return pairs.map((_, at) => {
    const sent = pairs.map(([name, value], index) => `${name}=${index === at ? 'a%00b' : encodeURIComponent(value)}`)
    if (method === 'GET') return { method, path: `${path.replace(/:\w+/g, 'a%00b')}?${sent.join('&')}` }
    return { method, path, headers: { 'content-type': FORM }, body: sent.join('&') }
  })
}

for (const endpoint of endpoints) {
  const numRuns = /oauth\/(?:authorize|token|register)/.test(endpoint.route)
    ? pick({ whole: 100, part: 20 })
    : pick({ whole: 25, part: 4 })
  test(`H ${endpoint.route} answers whatever it is sent in its own form`, async () => {
    const { json: client } = await register(app.port, app.a)
    const example = working(client.client_id)
    await fc.assert(
      fc.asyncProperty(endpointRequest(endpoint, example).filter(isWhole), async request => {
        assertSpoken(request, await app.send(request))
      }),
      {
        seed,
        numRuns,
        examples: pickSome(withNul(endpoint, example), CERTAIN, endpoint.route).map(request => [request]),
      },
    )
  })
}

test('H the forms of an open authorization reply with a page to any input', async () => {
  const { json: client } = await register(app.port, app.a)
  const parameters = {
    client_id: client.client_id,
    redirect_uri: CALLBACK,
    code_challenge: pkce().challenge,
    scope: 'openid',
  }
  const browser = openBrowser(app.port, app.a)
  const form = parseForm(await browser.open(authorizePath(parameters)))
  const typed = fc.tuple(
    fc.constantFrom('email', 'password', 'decision', 'request', 'scope', 'way', 'code'),
    hostileText(),
  )
  const actions = fc.constantFrom(form.action, '/oauth/authorize/consent', '/oauth/authorize/sign-in/code')
  await fc.assert(
    fc.asyncProperty(typed, actions, async (one, action) => {
      const whole = [['email', 'eli@crumb.example'] as const, ['password', 'x'] as const]
      const fields = [...whole.filter(([name]) => name !== one[0]), one] as const
      const reply = await browser.submit({ ...form, action }, fields)
      assert.ok(reply.status < 500 && isPage(reply), `${reply.status} ${reply.text}`)
    }),
    {
      seed,
      numRuns: 60,
      examples: [
        [['email', 'a\u0000@b.example'], form.action] as const,
        [['password', 'a\u0000'], form.action] as const,
        [['code', 'a\u0000'], '/oauth/authorize/sign-in/code'] as const,
      ],
    },
  )
})
