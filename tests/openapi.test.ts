import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type, { type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { area, unroutedOperations } from '#src/contract/area.ts'
import { compileCheck } from '#src/contract/check.ts'
import { resolveExample } from '#src/contract/example.ts'
import { oauthErrors } from '#src/contract/oauth-error.ts'
import { type Operation, operation } from '#src/contract/operation.ts'
import { problems } from '#src/contract/problem.ts'
import { scopeSections } from '#src/contract/scopes.ts'
import { DryRunAnswer, listRefusals, openapi } from '#src/http/index.ts'
import { testApp } from '#testing/app.ts'
import { form, type TestReply } from '#testing/http.ts'
import { areaScopes, buildRequest, getSuccess, grantable, identityScopes, operations } from '#testing/matrix.ts'
import { pinboard } from '#testing/pinboard.ts'
import { areas } from '../src/areas.ts'

const app = testApp({ hasSubscriptions: true })

type Json = Readonly<Record<string, unknown>>
type Described = {
  readonly description: string
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly parameters: readonly { name: string; in: string; required: boolean; schema: Json }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Json; example?: unknown }>> }
  readonly responses: Readonly<Record<string, { description: string; headers?: Json; content?: Json }>>
}

const described = async () => (await app.send({ path: '/openapi.json' })).json

type Document = { readonly paths: Record<string, Record<string, Described>>; readonly components: Json }

const follow = <Part>(document: Document, part: Part): Part => {
  const { $ref } = part as { $ref?: string }
  return $ref === undefined ? part : (resolve(document, $ref.slice(1)) as Part)
}

/** Every operation of a description, with the parameters and responses that it refers to. */
const describedOperations = (document: Document): [path: string, method: string, Described][] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]): [string, string, Described] => {
      const parameters = described.parameters.map(one => follow(document, one))
      const responses = Object.entries(described.responses).map(([status, one]) => [status, follow(document, one)])
      return [path, method, { ...described, parameters, responses: Object.fromEntries(responses) }]
    }),
  )

const everywhere = (value: unknown): Json[] => {
  if (Array.isArray(value)) return value.flatMap(everywhere)
  if (typeof value !== 'object' || value === null) return []
  return [value as Json, ...Object.values(value).flatMap(everywhere)]
}

const resolve = (document: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map(step => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (value, step) => (typeof value === 'object' ? Reflect.get(value ?? {}, step) : undefined),
      document,
    )

test('the description is OpenAPI 3.1: its members, its operations, its parameters, its answers', async () => {
  const document = await described()
  assert.match(document.openapi, /^3\.1\.\d+$/)
  for (const name of ['title', 'version']) assert.equal(typeof document.info[name], 'string')
  assert.deepEqual(document.servers, [{ url: app.a.baseUrl, 'x-internal': false }])
  const tags: string[] = document.tags.map(({ name }: { name: string }) => name)
  assert.deepEqual(
    tags,
    scopeSections.filter(({ scopes }) => operations.some(({ scope }) => scope in scopes)).map(({ name }) => name),
  )
  const all = describedOperations(document)
  assert.equal(all.length, operations.length)
  assert.equal(new Set(all.map(([, , described]) => described.operationId)).size, all.length)
  for (const [path, method, described] of all) {
    assert.match(path, /^\/api\/v1\//)
    assert.ok(['get', 'post', 'put', 'patch', 'delete'].includes(method))
    assert.ok(tags.includes(described.tags.join()) && described.summary !== '')
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const inPath = described.parameters.filter(one => one.in === 'path')
    assert.deepEqual(inPath.map(({ name }) => name).sort(), named.sort(), path)
    assert.ok(inPath.every(({ required }) => required))
    assert.equal(
      new Set(described.parameters.map(one => `${one.in} ${one.name.toLowerCase()}`)).size,
      described.parameters.length,
    )
    for (const [status, answer] of Object.entries(described.responses)) {
      assert.match(status, /^[2345]\d\d$/)
      assert.ok(answer.description !== '')
    }
    const done = Object.keys(described.responses).filter(status => status.startsWith('2'))
    const declared = operations.find(({ id }) => id === described.operationId)
    assert.ok(declared)
    const confirmation = declared.confirm === 'person' ? ['202'] : []
    const dryRun = takesDryRun(declared) ? ['200'] : []
    assert.deepEqual(
      done,
      [...new Set([String(getSuccess(declared)), ...confirmation, ...dryRun])].sort(),
      described.operationId,
    )
    for (const status of confirmation)
      assert.deepEqual(described.responses[status]?.content, {
        'application/json': { schema: { $ref: '#/components/schemas/ConfirmationRequired' } },
      })
  }
})

test('every $ref leads somewhere, no schema carries $id, and every component is used', async () => {
  const document = await described()
  const nodes = everywhere(document)
  const { securitySchemes: _schemes, ...components } = document.components
  const refs = nodes.flatMap(node => (typeof node.$ref === 'string' ? [node.$ref] : []))
  assert.ok(refs.length > operations.length)
  for (const ref of refs) assert.ok(resolve(document, ref.slice(1)), ref)
  assert.equal(
    nodes.find(node => '$id' in node),
    undefined,
  )
  for (const [kind, parts] of Object.entries(components))
    for (const name of Object.keys(parts as object))
      assert.ok(refs.includes(`#/components/${kind}/${name}`), `${kind} ${name} is used`)
})

test('every refusal that an operation declares is described with its status, and no other', async () => {
  const document = await described()
  for (const [, , described] of describedOperations(document)) {
    const declared = operations.find(({ id }) => id === described.operationId)
    assert.ok(declared)
    const expected = new Set(listRefusals(declared).map(({ status }) => String(status)))
    const refused = Object.keys(described.responses).filter(status => status >= '400')
    assert.deepEqual(refused.sort(), [...expected].sort(), described.operationId)
    for (const { code, status } of listRefusals(declared))
      assert.ok(described.responses[status]?.description.includes(`\`${code}\``), `${described.operationId} ${code}`)
    for (const status of refused) assert.ok(described.responses[status]?.content?.['application/problem+json'])
  }
})

test('the security scheme lists the scopes of the areas with their sentences', async () => {
  const document = await described()
  const { scopes, ...flow } = document.components.securitySchemes.oauth.flows.authorizationCode
  assert.equal(areaScopes.length, 38 - 3)
  assert.deepEqual(Object.keys(scopes).sort(), [...areaScopes].sort())
  for (const sentence of Object.values(scopes)) assert.ok(typeof sentence === 'string' && sentence.length > 8)
  const metadata = (await app.send({ path: '/.well-known/oauth-authorization-server' })).json
  assert.deepEqual(document.components.securitySchemes.bearer.scheme, 'bearer')
  const { authorization_endpoint: authorizationUrl, token_endpoint: tokenUrl } = metadata
  assert.deepEqual(flow, { authorizationUrl, tokenUrl, refreshUrl: tokenUrl })
})

test('the examples that are declared fit what they are examples of, and stand in the description', async () => {
  const fits = (schema: TSchema | undefined, value: unknown, where: string) => {
    if (value !== undefined) assert.ok(schema && Compile(schema).Check(value), where)
  }
  const document = await described()
  for (const { id, path, method, params, query, body, example } of operations) {
    fits(params, resolveExample(example.params), `${id} params`)
    fits(query, resolveExample(example.query), `${id} query`)
    fits(body, resolveExample(example.body), `${id} body`)
    if (body === undefined) continue
    const described = document.paths[`/api/v1${path.replace(/:(\w+)/g, '{$1}')}`][method.toLowerCase()]
    assert.deepEqual(described.requestBody.content['application/json'].example, resolveExample(example.body), id)
  }
})

const takesDryRun = ({ method, mode }: Operation): boolean => method !== 'GET' && mode === 'write'

type Media = { readonly schema: Json; readonly example?: unknown }

test('every operation has a short summary, a description, and an example of its response', async () => {
  const document = await described()
  for (const [, , described] of describedOperations(document)) {
    const declared = operations.find(({ id }) => id === described.operationId)
    assert.ok(declared)
    assert.match(described.summary, /^[A-Z][^.;,:]+$/, described.operationId)
    assert.ok(described.summary.split(' ').length <= 6, described.summary)
    assert.match(described.description, /^[A-Z`][\s\S]+\.\n\n[A-Z][\s\S]+\.$/, described.operationId)
    if (declared.returns === undefined) continue
    const content = described.responses[declared.status]?.content as Readonly<Record<string, Media>> | undefined
    const example = content?.['application/json']?.example
    assert.deepEqual([...compileCheck(declared.returns).Errors(example)], [], described.operationId)
    assert.deepEqual(Object.keys(content ?? {}), ['application/json', ...(declared.csv ? ['text/csv'] : [])])
  }
})

// Every schema below a part of the description, through its references.
const reachable = (document: Document, part: unknown, seen = new Set<unknown>()): Json[] =>
  everywhere(part).flatMap(one => {
    const to = one.$ref === undefined ? undefined : resolve(document, String(one.$ref).slice(1))
    if (to === undefined || seen.has(to)) return [one]
    seen.add(to)
    return [one, ...reachable(document, to, seen)]
  })

const ruledTexts = (document: Document, part: unknown): Json[] =>
  reachable(document, part).filter(
    ({ type, format, minLength, maxLength }) =>
      type === 'string' &&
      [minLength, maxLength, ['line', 'words'].find(one => one === format)].some(one => one !== undefined),
  )

test('the rules for texts are described for requests, and not for responses, which may have older texts', async () => {
  const document: Document = await described()
  const requests = Object.values(document.paths).flatMap(methods => Object.values(methods).map(one => one.requestBody))
  assert.ok(ruledTexts(document, requests).length > 100)
  for (const [, , { operationId, responses }] of describedOperations(document))
    for (const [status, { content }] of Object.entries(responses))
      if (Number(status) < 300) assert.deepEqual(ruledTexts(document, content), [], `${operationId} ${status}`)
  const member = resolve(document, '/components/schemas/Member') as Json
  assert.deepEqual(ruledTexts(document, member), [])
  const { token } = await app.actor('ada', { scopes: ['members:read'] })
  await app.database.query(`update members set name = E'Old\\u202e\\u2028 name' where email = 'eli@crumb.example'`)
  const headers = { authorization: `Bearer ${token}` }
  const { json, status } = await app.send({ path: '/api/v1/members?email=eli@crumb.example', headers })
  assert.deepEqual([status, json.data[0]?.name], [200, 'Old\u202e\u2028 name'])
})

test('a dry run is described, and what one returns is as described', async () => {
  const { token } = await app.actor('ada', { scopes: [...identityScopes, ...grantable] })
  const document = await described()
  const dryRun = { $ref: '#/components/schemas/DryRun' }
  for (const [, , described] of describedOperations(document)) {
    const declared = operations.find(({ id }) => id === described.operationId)
    if (declared === undefined || !takesDryRun(declared)) continue
    const content = described.responses['200']?.content as Readonly<Record<string, Media>> | undefined
    const schema = content?.['application/json']?.schema ?? {}
    if (getSuccess(declared) === 200)
      assert.deepEqual((schema.anyOf as Json[] | undefined)?.[1], dryRun, described.operationId)
    else assert.deepEqual(schema, dryRun, described.operationId)
  }
  const operation = operations.find(({ id }) => id === 'createMember')
  assert.ok(operation)
  const { json, status } = await app.send(buildRequest(operation, { token, dryRun: true }))
  assert.deepEqual([status, json.result.id, Compile(DryRunAnswer).Check(json)], [200, null, true])
})

// What every server sends of itself, and what says how a body is read and kept.
const UNSAID = ['connection', 'keep-alive', 'date', 'content-type', 'content-length', 'transfer-encoding', 'vary']
const SECURITY = ['cache-control', 'x-content-type-options', 'cross-origin-opener-policy']

const assertHeadersDescribed = (document: Document, described: Described, { status, headers }: TestReply): void => {
  const declared = described.responses[status]?.headers
  assert.ok(declared, `${described.operationId} ${status}`)
  const names = Object.keys(declared).map(name => name.toLowerCase())
  for (const name of Object.keys(headers))
    if (![...UNSAID, ...SECURITY].includes(name) && !name.startsWith('access-control-'))
      assert.ok(names.includes(name), `${described.operationId} ${status} ${name}`)
  for (const [name, header] of Object.entries(declared)) {
    const { required } = follow(document, header as { required?: boolean })
    if (required === true) assert.ok(name.toLowerCase() in headers, `${described.operationId} ${status} ${name}`)
  }
}

test('every header that an operation sends is described with its response', async () => {
  const { token } = await app.actor('ada', { scopes: [...identityScopes, ...grantable] })
  const document = await described()
  const keyed = { 'idempotency-key': 'described' }
  for (const [, , described] of describedOperations(document)) {
    const operation = operations.find(({ id }) => id === described.operationId)
    assert.ok(operation)
    assert.ok(Object.values(described.responses).every(({ headers }) => headers !== undefined))
    const request = buildRequest(operation, { token, dryRun: true })
    const requests = [
      request,
      buildRequest(operation),
      { ...request, path: `${request.path.split('?')[0]}?unknown=1` },
      { ...request, headers: { authorization: 'Bearer stoa_at_none' } },
    ]
    for (const one of requests) assertHeadersDescribed(document, described, await app.send(one))
  }
  const created = describedOperations(document).find(([, , { operationId }]) => operationId === 'createGroup')?.[2]
  const group = operations.find(({ id }) => id === 'createGroup')
  assert.ok(created && group)
  const request = buildRequest(group, { token, body: { name: 'Described' } })
  for (const replayed of [undefined, 'true']) {
    const reply = await app.send({ ...request, headers: { ...request.headers, ...keyed } })
    assert.equal(reply.headers['idempotency-replayed'], replayed)
    assert.ok(reply.headers.location && reply.headers.etag)
    assertHeadersDescribed(document, created, reply)
  }
})

test('the description takes at most 4,000 bytes for each operation, with the schemas that they share', async () => {
  const { text } = await app.send({ path: '/openapi.json' })
  const bytes = Buffer.byteLength(text) / operations.length
  assert.ok(bytes < 4_000, `${bytes} bytes`)
})

const sampleOperation = (title: string, returns: TSchema) =>
  area({
    name: 'made-up',
    operations: [
      operation({
        id: `get${title}`,
        route: `GET /made/${title}`,
        summary: 'Made up',
        scope: 'none',
        section: 'school',
        who: 'anyone',
        mode: 'read',
        returns,
        handle: async () => ({}) as never,
      }),
    ],
  })

test('two different schemas of one title are a mistake, the same one twice is not', () => {
  const account = Type.Object({ id: Type.Integer() }, { title: 'School' })
  const other = Type.Object({ id: Type.String() }, { title: 'School' })
  assert.throws(() => openapi(app.a, [sampleOperation('One', account), sampleOperation('Two', other)]), /School/)
  assert.throws(() => openapi(app.a, [...areas, sampleOperation('One', account)]), /School/)
  const nested = Type.Object({ inner: account }, { title: 'Nested' })
  const document = openapi(app.a, [sampleOperation('One', account), sampleOperation('Two', nested)])
  assert.equal(JSON.stringify(document).match(/"\$ref":"#\/components\/schemas\/School"/g)?.length, 2)
})

test('a schema that requests and responses share is one component, unless it has rules for texts', () => {
  const listNames = (name: TSchema): string[] => {
    const made = Type.Object({ name }, { title: 'Made' })
    const write = operation({
      id: 'createMade',
      route: 'POST /made',
      summary: 'Made up',
      scope: 'school:write',
      who: 'staff',
      mode: 'write',
      body: Type.Object({ made }),
      returns: made,
      example: { body: { made: { name: 1 } } },
      handle: async () => ({}) as never,
    })
    const { components } = openapi(app.a, [area({ name: 'made-up', operations: [write] })])
    return Object.keys((components as { schemas: Json }).schemas).filter(one => one.startsWith('Made'))
  }
  assert.deepEqual(listNames(Type.Integer()), ['Made'])
  assert.deepEqual(listNames(Type.String({ maxLength: 3 })).sort(), ['Made', 'MadeInput'])
})

test('a required key and a limit are described with the operation, its parameters and its refusals', () => {
  const document = openapi(app.a, [...areas, pinboard]) as unknown as Document
  const described = new Map(describedOperations(document).map(([, , one]) => [one.operationId, one]))
  const [created, bought, reported] = ['createPin', 'buyPin', 'reportPin'].map(id => described.get(id))
  assert.ok(created && bought && reported)
  const key = (one: Described) => one.parameters.find(({ name }) => name === 'Idempotency-Key')
  assert.deepEqual([key(bought)?.required, key(reported)?.required], [true, false])
  assert.match(bought.responses[400]?.description ?? '', /`idempotency_key_required`/)
  assert.doesNotMatch(reported.responses[400]?.description ?? '', /idempotency_key_required/)
  assert.match(bought.description, /Requires `Idempotency-Key`, and takes `dry_run`\.$/)
  assert.match(
    created.description,
    /At most 5 calls in 3600 seconds for each network; calls that are refused count too\.$/,
  )
  assert.deepEqual(Reflect.get(reported, 'x-rate-limit'), { times: 3, seconds: 600, by: 'member' })
  for (const one of [created, reported]) {
    assert.match(one.responses[429]?.description ?? '', /`rate_limited`/)
    assert.ok('Retry-After' in (one.responses[429]?.headers ?? {}))
  }
})

test('an open write and an open stream need no token', () => {
  const document = openapi(app.a, [...areas, pinboard]) as unknown as Document
  for (const [, , described] of describedOperations(document).filter(([path]) => path.startsWith('/api/v1/pins')))
    if (['createPin', 'setPinPicture'].includes(described.operationId))
      assert.deepEqual(Reflect.get(described, 'security'), [{}], described.operationId)
  const picture = describedOperations(document).find(([, , { operationId }]) => operationId === 'setPinPicture')?.[2]
  assert.deepEqual(picture?.requestBody?.content, {
    'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
  })
})

test('an operation without a route is not described', () => {
  const document = openapi(app.a, [...areas, pinboard]) as unknown as Document
  const ids = new Set(describedOperations(document).map(([, , { operationId }]) => operationId))
  for (const { id } of unroutedOperations([...areas, pinboard])) assert.ok(!ids.has(id), id)
})

test('a member of a schema may be called title', () => {
  const named = Type.Object({ title: Type.String(), inner: Type.Object({ title: Type.String() }) }, { title: 'Named' })
  const { schemas } = openapi(app.a, [sampleOperation('One', named)]).components as { schemas: Record<string, Json> }
  assert.ok('Named' in schemas)
  assert.deepEqual(Object.keys(schemas.Named?.properties as object), ['title', 'inner'])
})

test('the description has an ETag, and a request with it gets 304', async () => {
  const first = await app.send({ path: '/openapi.json' })
  assert.match(String(first.headers['content-type']), /^application\/json/)
  assert.match(String(first.headers['cache-control']), /^public, max-age=\d+/)
  const again = await app.send({ path: '/openapi.json', headers: { 'if-none-match': String(first.headers.etag) } })
  assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', first.headers.etag])
  assert.equal((await app.send({ path: '/openapi.json', headers: { 'if-none-match': '"other"' } })).status, 200)
})

test('every problem code has its page, and no other page exists', async () => {
  const listed = (await described())['x-problems'].map(({ code }: { code: string }) => code)
  assert.deepEqual(
    listed.sort(),
    problems()
      .map(({ code }) => code)
      .sort(),
  )
  for (const code of new Set([...listed, ...Object.keys(oauthErrors)])) {
    const { status, text, headers } = await app.send({ path: `/problems/${code}` })
    assert.equal(status, 200, code)
    assert.match(String(headers['content-type']), /^text\/html/)
    assert.ok(text.includes(`<code>${code}</code>`))
  }
  for (const code of ['nothing', '__proto__', 'toString', 'INVALID_BODY'])
    assert.equal((await app.send({ path: `/problems/${code}` })).status, 404, code)
})

test('the address that a refusal gives leads to its page', async () => {
  const refused = [
    { path: '/nowhere' },
    { path: '/api/v1/nowhere' },
    { path: '/api/v1/account' },
    { path: '/api/v1/school?a=b' },
    { path: '/api/v1/school', method: 'DELETE' },
    { path: '/api/v1/school', headers: { authorization: 'Bearer x' } },
    { path: '/api/v1/school', headers: { accept: 'image/png' } },
    { path: '/api/oauth/userinfo' },
    { path: '/oauth/authorize' },
    form('/api/oauth/token', { grant_type: 'a', client_id: 'b' }),
  ]
  for (const request of refused) {
    const { json, status, text } = await app.send(request)
    const at = String(json?.type ?? json?.error_uri)
    assert.ok(status >= 400 && at.startsWith(`${app.a.baseUrl}/problems/`), text)
    assert.equal((await app.send({ path: new URL(at).pathname })).status, 200, at)
  }
})
