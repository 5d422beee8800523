import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { TSchema } from 'typebox'
import { hasOptionalBody, type Operation } from '#src/contract/operation.ts'
import { testApp } from '#testing/app.ts'
import { lookUp } from '#testing/examples.ts'
import type { TestReply, TestRequest } from '#testing/http.ts'
import { buildRequest, grantable, identityScopes, operations } from '#testing/matrix.ts'
import { setProvider } from '#testing/payments.ts'

const app = testApp({ hasSubscriptions: true })

// A payment method is saved at a provider.
before(() => setProvider(app, 'test', {}))

type Schema = TSchema & {
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}

let owner: Promise<string> | undefined
const ownersToken = () => {
  owner ??= app.actor('ada', { scopes: [...identityScopes, ...grantable] }).then(({ token }) => token)
  return owner
}

const listProperties = (schema: TSchema | undefined): [string, Schema][] =>
  Object.entries((schema as Schema | undefined)?.properties ?? {})

const findEnum = (schema: Schema): readonly string[] | undefined =>
  schema.enum ?? schema.anyOf?.flatMap(one => findEnum(one) ?? [])

const withQuery = (request: TestRequest, pair: string): TestRequest => ({
  ...request,
  path: `${request.path}${request.path.includes('?') ? '&' : '?'}${pair}`,
})

test('a parameter with a value outside its list is refused with the list', async () => {
  const token = await ownersToken()
  let met = 0
  for (const operation of operations) {
    for (const [name, schema] of listProperties(operation.query)) {
      const values = findEnum(schema.items ?? schema)
      if (values === undefined || values.length === 0) continue
      met++
      const { json, status } = await app.send(buildRequest(operation, { token, query: { [name]: 'no-such-value' } }))
      assert.deepEqual([status, json.code], [400, 'invalid_parameter'], operation.id)
      assert.equal(
        json.detail,
        `The parameter ${name} has a value that is not allowed. It must be one of: ${values.join(', ')}.`,
        operation.id,
      )
    }
  }
  assert.ok(met > 30, `${met} parameters`)
})

test('a field with a value outside its list is refused with the list, and the message is about fields', async () => {
  const token = await ownersToken()
  let met = 0
  for (const operation of operations) {
    for (const [name, schema] of listProperties(operation.body)) {
      const values = findEnum(schema) ?? []
      if (values.length === 0) continue
      met++
      const { json, text } = await app.send(buildRequest(operation, { token, body: { [name]: 'no-such-value' } }))
      assert.equal(json.code, 'invalid_body', `${operation.id} ${text}`)
      const messages = json.errors
        .filter(({ pointer, code }: { pointer: string; code: string }) => pointer === `/${name}` && code === 'enum')
        .map(({ message }: { message: string }) => message)
      assert.deepEqual(messages, [`must be one of: ${values.join(', ')}`], operation.id)
      assert.match(json.detail, /^(?:One field is|\d+ fields are) not valid\.$/)
    }
  }
  assert.ok(met > 15, `${met} fields`)
})

// Twice the last letter: a slip that every name has near.
const mistyped = (name: string): string => `${name}${name.at(-1)}`

test('the refusal names an unknown parameter, and the parameter that was probably intended', async () => {
  const token = await ownersToken()
  let met = 0
  for (const operation of operations) {
    const isWrite = operation.method !== 'GET' && operation.mode === 'write'
    const names = [...listProperties(operation.query).map(([name]) => name), ...(isWrite ? ['dry_run'] : [])]
    for (const name of names) {
      met++
      const wrong = mistyped(name)
      const request = withQuery(buildRequest(operation, { token }), `${encodeURIComponent(wrong)}=1`)
      const { json, status } = await app.send(request)
      assert.deepEqual([status, json.code], [400, 'unknown_parameter'], operation.id)
      const [, named, suggestion] = /no parameter "([^"]+)"\.(?: Did you mean "([^"]+)"\?)?$/.exec(json.detail) ?? []
      assert.equal(named, wrong, operation.id)
      assert.equal(suggestion, name, `${operation.id}: ${json.detail}`)
    }
  }
  assert.ok(met > 300, `${met} parameters`)
  const far = await app.send({ path: '/api/v1/school?%E2%80%AE%22%20=1' })
  assert.equal(far.json.detail, 'This operation has no parameter "???".')
})

test('the refusal names an unknown field, and the field that was probably intended', async () => {
  const token = await ownersToken()
  for (const operation of operations) {
    const [name] = listProperties(operation.body).map(([one]) => one)
    if (name === undefined) continue
    const wrong = mistyped(name)
    const { json, text } = await app.send(buildRequest(operation, { token, body: { [wrong]: 1 } }))
    assert.equal(json.code, 'invalid_body', `${operation.id} ${text}`)
    const found = json.errors.find(({ code }: { code: string }) => code === 'unknown')
    assert.deepEqual(
      [found.pointer, found.message],
      [`/${wrong}`, `"${wrong}" is not a field of this operation. Did you mean "${name}"?`],
      operation.id,
    )
  }
})

test('fields and expand name what the answer does not have', async () => {
  const token = await ownersToken()
  const headers = { authorization: `Bearer ${token}` }
  const readDetail = async (path: string) => (await app.send({ path: `/api/v1${path}`, headers })).json.detail
  assert.equal(
    await readDetail('/members?fields=id,nam'),
    'The parameter fields names "nam", which the response does not have. Did you mean "name"?',
  )
  assert.match(
    await readDetail('/enrollments?expand=cours'),
    /^The parameter expand names "cours", which the response does not have\. It must be one or more of: [a-z_, ]+\.$/,
  )
})

/** A request without its body, and the ways to send nothing in particular. */
const emptyBodies = ({ headers, body: _body, ...request }: TestRequest): readonly TestRequest[] => {
  const { 'content-type': _type, ...rest } = headers ?? {}
  const json = { ...rest, 'content-type': 'application/json' }
  return [
    { ...request, headers: json, body: '{}' },
    { ...request, headers: rest, body: '{}' },
    { ...request, headers: rest },
    { ...request, headers: json },
    { ...request, headers: json, body: '' },
    { ...request, headers: { ...rest, 'transfer-encoding': 'chunked' } },
  ]
}

const dryExample = async (operation: Operation, token: string): Promise<TestRequest> =>
  buildRequest(operation, { token, ...(await lookUp(operation, token, one => app.send(one))), dryRun: true })

const outcome = ({ status, json }: TestReply): string => `${status} ${json?.code ?? json?.dry_run}`

for (const operation of operations.filter(hasOptionalBody)) {
  test(`${operation.id} takes no body, an empty one and {} for the same`, async () => {
    const token = await ownersToken()
    const { path, headers = {} } = await dryExample(operation, token)
    const base = { method: operation.method, path, headers }
    const outcomes = new Set<string>()
    for (const request of emptyBodies(base)) outcomes.add(outcome(await app.send(request)))
    // The quiz of an attempt, and whom to enroll, have to be given in one of two ways.
    const isRefused = ['startAccountQuizAttempt', 'createEnrollmentBatch'].includes(operation.id)
    assert.deepEqual([...outcomes], [isRefused ? '422 invalid_body' : '200 true'])
    const text = await app.send({ ...base, headers: { ...headers, 'content-type': 'text/plain' }, body: '{}' })
    assert.equal(text.json.code, 'unsupported_media_type')
  })
}

const bodiless = operations.filter(
  ({ method, body, mode }) => method !== 'GET' && body === undefined && mode === 'write',
)

test('operations without a body accept {} as no body, and refuse anything else', async () => {
  const token = await ownersToken()
  assert.ok(bodiless.length > 40)
  for (const operation of bodiless) {
    const base = buildRequest(operation, { token, dryRun: true })
    const outcomes = new Set<string>()
    for (const request of emptyBodies(base)) outcomes.add(outcome(await app.send(request)))
    assert.equal(outcomes.size, 1, `${operation.id}: ${[...outcomes]}`)
    assert.ok(![...outcomes].join().startsWith('400'), operation.id)
    const headers = { ...base.headers, 'content-type': 'application/json' }
    for (const body of ['{"a":1}', '[]', 'null', '{'])
      assert.equal((await app.send({ ...base, headers, body })).json.code, 'invalid_request', operation.id)
  }
})
