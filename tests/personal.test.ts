import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation } from '#src/contract/operation.ts'
import { listFields } from '#src/http/fields.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { lookUp } from '#testing/examples.ts'
import type { TestReply, TestRequest } from '#testing/http.ts'
import { buildRequest, grantable, grantEach, identityScopes, operations } from '#testing/matrix.ts'
import { standIns } from '#testing/operation-kinds.ts'
import { chosen, pickSome } from '#testing/share.ts'
import { people } from '../src/demo/index.ts'

const app = testApp({ hasSubscriptions: true })
const everything = [...identityScopes, ...grantable]
const reads = operations.filter(({ method }) => method === 'GET')

// In `npm test`, for each read.
const CALLERS = 5

type Schema = { readonly [name: string]: unknown; readonly properties?: Readonly<Record<string, unknown>> }

const schemasIn = (schema: unknown): Schema[] => {
  if (typeof schema !== 'object' || schema === null) return []
  return [schema as Schema, ...Object.values(schema).flatMap(schemasIn)]
}

const isPersonal = ({ returns, expand }: Operation): boolean =>
  schemasIn(returns).some(one => one['x-personal'] === true) ||
  Object.values(expand).some(({ scope }) => scope === 'members:read')

const personal = reads.filter(isPersonal)

/** The scopes whose operations return personal data, even of the caller. */
const telling = new Set([...personal.map(({ scope }) => scope as string), 'members:read'])

// Personal data of Dev and of Carla: a word each that appears nowhere else.
const MARKERS = {
  phone: '+351 700 811 922',
  custom_field: 'marker-custom',
  consent: 'marker-consent',
  external_id: 'marker-external',
  note: 'marker-note',
  tag: 'marker-tag',
  reason: 'marker-reason',
  email: people.dev.email,
  // Of the staff, so that a list of the staff would show it.
  colleague: people.carla.email,
} as const

// Consent does not offer what a role cannot do: each person allows all as an owner and is then what they are.
const createTokens = async (name: PersonName, lists: readonly (readonly string[])[]) => {
  await app.setRole(name, 'owner')
  const visitor = { port: app.port, school: app.a, email: people[name].email, password: PASSWORD }
  const granted = await grantEach(visitor, lists)
  await app.setRole(name, { ...standIns }[name as string] ?? people[name].role)
  assert.deepEqual(
    granted.map(({ scopes }) => scopes),
    lists,
  )
  return granted.map(({ token, scopes }) => ({ caller: `${name} with ${scopes.join(' ')}`, token }))
}

const plant = async () => {
  const ada = await app.actor('ada', { scopes: everything })
  const { json } = await ada.get(`/members?email=${MARKERS.email}`)
  const dev = json.data[0].id as string
  const done = async (reply: Promise<TestReply>) => {
    const { status, text } = await reply
    assert.ok(status < 300, text)
  }
  await done(ada.write('POST', '/custom-fields', { key: 'allergy', label: 'Allergy', type: 'text' }))
  await done(
    ada.write('PATCH', `/members/${dev}`, {
      phone: MARKERS.phone,
      external_id: MARKERS.external_id,
      custom_fields: { allergy: MARKERS.custom_field },
      marketing_consent: { granted: true, source: MARKERS.consent },
    }),
  )
  await done(ada.write('POST', `/members/${dev}/notes`, { body: MARKERS.note }))
  await done(ada.write('PUT', `/members/${dev}/tags/${MARKERS.tag}`))
  await done(ada.write('PUT', `/members/${dev}/suspension`, { reason: MARKERS.reason }))
  return { ada: ada.token, dev }
}

const prepare = async () => {
  const { ada, dev } = await plant()
  const single = everything.map(scope => [scope])
  const harmless = single.filter(([scope = '']) => !telling.has(scope))
  return {
    ada,
    dev,
    others: [
      { caller: 'anonymous', token: undefined },
      ...(await createTokens('femi', single)),
      ...(await createTokens('eli', [everything])),
      ...(await createTokens('ben', harmless)),
      ...(await createTokens('ada', harmless)),
      // What tells staff of themselves or of people by name alone tells nothing personal of others; students:read adds the
      // address of students and nothing else, which the tests of that area show.
      ...(await createTokens(
        'ben',
        single.filter(([scope = '']) => telling.has(scope) && !/^(?:members|students):/.test(scope)),
      )),
    ],
  }
}

let preparing: ReturnType<typeof prepare> | undefined
const prepared = () => {
  preparing ??= prepare()
  return preparing
}

// Where an operation lacks what a way names, the way is the same request as another one.
const distinct = (requests: readonly TestRequest[]): TestRequest[] => [
  ...new Map(requests.map(request => [JSON.stringify(request), request])).values(),
]

/** The ways to ask a read for all that it may show: plain, embedding all, by names, as CSV, and of Dev where it is of a member. */
const readWays = async (operation: Operation): Promise<TestRequest[]> => {
  const { ada, dev } = await prepared()
  const found = await lookUp(operation, ada, request => app.send(request))
  const names = Object.keys((operation.params as Schema | undefined)?.properties ?? {})
  const query = Object.keys((operation.query as Schema | undefined)?.properties ?? {})
  const instead = { ...found, params: { ...found.params, ...(names.includes('member_id') ? { member_id: dev } : {}) } }
  const authorization = (more: Readonly<Record<string, string>>) =>
    buildRequest(operation, { ...instead, query: { ...found.query, ...more } })
  const relations = Object.keys(operation.expand).join(',')
  return distinct([
    buildRequest(operation, found),
    authorization({}),
    authorization(query.includes('limit') ? { limit: '100' } : {}),
    ...(relations === '' ? [] : [authorization({ expand: relations })]),
    authorization({ fields: listFields(operation).slice(0, 50).join(',') }),
    ...(query.includes('q') ? [authorization({ q: 'dev' })] : []),
    { ...authorization({}), headers: { accept: 'text/csv' } },
  ])
}

const send = (request: TestRequest, token: string | undefined): Promise<TestReply> =>
  app.send({
    ...request,
    headers: { ...request.headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
  })

for (const operation of chosen(reads)) {
  test(`F-16 ${operation.id} shows no personal data of a member to callers who may not read people`, async () => {
    const { others } = await prepared()
    for (const request of await readWays(operation)) {
      for (const { caller, token } of pickSome(others, CALLERS, operation.id)) {
        const { text, headers } = await send(request, token)
        const output = text + JSON.stringify(headers)
        for (const [name, marker] of Object.entries(MARKERS))
          assert.ok(!output.includes(marker), `${operation.id} shows ${name} to ${caller}: ${request.path}`)
      }
    }
  })
}

test('F-16 each marker is shown to staff who may read people, so that the test would find it', async () => {
  const { ada } = await prepared()
  let text = ''
  for (const operation of reads)
    for (const request of await readWays(operation)) text += (await send(request, ada)).text
  for (const [name, marker] of Object.entries(MARKERS)) assert.ok(text.includes(marker), name)
})

test('F-16 what is called like something personal is marked as personal, wherever it is answered', () => {
  const names = /^(?:email|phone|address|birth.*|custom_fields|marketing_consent|external_id|suspension_reason)$/
  for (const { id, returns } of reads) {
    for (const { title, properties = {} } of schemasIn(returns)) {
      // An id by which another system knows a thing is personal only when the thing is a person; how the mails of a school
      // look is an object, no address.
      const wanted = Object.keys(properties).filter(
        name =>
          names.test(name) &&
          (name !== 'external_id' || title === 'Member') &&
          // Where an event takes place.
          (name !== 'address' || title !== 'EventLocation') &&
          (name !== 'email' || schemasIn(properties[name])[0]?.type !== 'object'),
      )
      for (const name of wanted)
        assert.ok(
          schemasIn(properties[name]).some(one => one['x-personal'] === true),
          `${name} of ${title} in ${id}`,
        )
    }
  }
})
