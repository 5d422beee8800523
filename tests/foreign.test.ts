import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Operation } from '#src/contract/operation.ts'
import { testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import { lookUp } from '#testing/examples.ts'
import type { TestReply } from '#testing/http.ts'
import { buildRequest, grantable, identityScopes, operations, sumOfRows } from '#testing/matrix.ts'
import { chosen, pickSome } from '#testing/share.ts'

const app = testApp({ hasSubscriptions: true, cachesPublicReads: true })
const everything = [...identityScopes, ...grantable]

// In `npm test`, for each operation.
const FORBIDDEN = 2

const prepare = async () => {
  const a = await app.actor('ada', { scopes: everything })
  const b = await app.actor('ada', { scopes: everything, school: app.b })
  const metadata = { client_name: 'Recipe Box' }
  for (const school of [app.a, app.b]) await app.actor('ada', { metadata, school })
  for (const actor of [a, b]) assert.equal((await actor.get('/account')).status, 200)
  // That they were here is stored some time after; from then on it only changes its digits.
  const isSeen = async (): Promise<boolean> =>
    (await app.database.query(`select from members where email = 'ada@crumb.example' and last_seen_at is not null`))
      .length === 2
  for (const end = performance.now() + 20_000; !(await isSeen()); await pause(50))
    assert.ok(performance.now() < end, 'that Ada was here is never stored')
  return { a: a.token, b: b.token }
}
let preparing: ReturnType<typeof prepare> | undefined
const prepared = () => {
  preparing ??= prepare()
  return preparing
}

const readExample = async (operation: Operation) => {
  const { a } = await prepared()
  await app.database.query('update confirmations set expires_at = created_at where decision is null')
  return { ...(await lookUp(operation, a, request => app.send(request))), token: a }
}

const unchanged = async (work: () => Promise<void>): Promise<void> => {
  const sum = await sumOfRows(app.database)
  await work()
  assert.equal(await sumOfRows(app.database), sum, 'nothing was written')
}

// Without what differs between two answers to one request: its id, what counts requests, and the links of an hour.
const comparable = ({ status, text, headers }: TestReply) => ({
  status,
  text: text
    .replaceAll(String(headers['x-request-id']), '')
    .replace(/\bsignature=[\w-]+/g, 'signature')
    .replace(/"quote":"[^"]+"/g, '"quote"')
    .replace(/\d+/g, '0'),
})

const CLAIMS = ['x-tenant', 'x-tenant-id', 'x-school', 'x-school-id', 'x-stoa-school']
const FORWARDED = { 'x-forwarded-host': 'rye.example', 'x-host': 'rye.example', forwarded: 'host=rye.example' }

for (const operation of chosen(operations)) {
  const { id } = operation

  test(`F-03 ${id} learns its school only from the Host`, async () => {
    const found = await readExample(operation)
    const isRead = operation.method === 'GET'
    const request = buildRequest(operation, { ...found, dryRun: true })
    const headers = { ...Object.fromEntries(CLAIMS.map(name => [name, app.b.id])), ...FORWARDED }
    const claiming = () => app.send({ ...request, headers: { ...request.headers, ...headers } })
    if (isRead)
      assert.deepEqual(comparable(await claiming()), comparable(await app.send(request)), 'the headers change nothing')
    else assert.ok((await claiming()).status < 500)
    for (const name of ['school_id', 'tenant_id'])
      await unchanged(async () => {
        const { status } = await app.send(
          buildRequest(operation, { ...found, query: { ...found.query, [name]: app.b.id } }),
        )
        assert.equal(status, 400, `${name} in the query`)
      })
  })

  if (operation.body !== undefined)
    test(`F-03 F-15 ${id} takes no school and no forbidden member in its body, and changes nothing`, async () => {
      const found = await readExample(operation)
      const declared = (operation.body as { properties?: object }).properties ?? {}
      const forbidden = {
        school_id: app.b.id,
        tenant_id: app.b.id,
        role: 'owner',
        email_verified: true,
        status: 'active',
        owner_id: 'mem_x',
        created_at: '2020-01-01T00:00:00.000Z',
        id: 'mem_x',
        revision: 9,
        password: 'x',
        deleted_at: null,
        suspended_at: null,
      }
      const undeclared = Object.entries(forbidden).filter(([name]) => !Object.hasOwn(declared, name))
      await unchanged(async () => {
        for (const [name, value] of pickSome(undeclared, FORBIDDEN, id)) {
          const body = { ...(found.body as object | undefined), [name]: value }
          const { status, json, text } = await app.send(buildRequest(operation, { ...found, body }))
          assert.equal(status, 422, `${name}: ${text}`)
          assert.ok(
            json.errors.some((one: { pointer: string }) => one.pointer === `/${name}`),
            `${name}: ${text}`,
          )
        }
      })
    })
}

const idIn = /\b[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}\b/

/** The places of ids in a value of an example, however deep, each with what makes the value with another one there. */
const idsWithin = (value: unknown): { id: string; become(id: string): unknown }[] => {
  if (typeof value === 'string') return idIn.test(value) ? [{ id: value, become: id => id }] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    idsWithin(inner).map(({ id, become }) => ({
      id,
      become: (other: string) =>
        Array.isArray(value)
          ? value.map((one, at) => (String(at) === name ? become(other) : one))
          : { ...value, [name]: become(other) },
    })),
  )
}

for (const operation of chosen(operations).filter(({ body }) => body !== undefined)) {
  test(`F-04 ${operation.id} creates nothing that refers to school B, and replies as for an unknown id`, async () => {
    const { a, b } = await prepared()
    const mine = await lookUp(operation, a, request => app.send(request))
    const theirs = await lookUp(operation, b, request => app.send(request, app.b))
    const [own, foreign] = [idsWithin(mine.body), idsWithin(theirs.body)]
    for (const [at, { become }] of own.entries()) {
      const id = foreign[at]?.id ?? ''
      await unchanged(async () => {
        const requestFor = (other: string) =>
          app.send(buildRequest(operation, { ...mine, token: a, body: become(other) as Record<string, unknown> }))
        const reply = await requestFor(id)
        const nobody = await requestFor(`${id.slice(0, 4)}${'0'.repeat(26)}`)
        assert.deepEqual(
          [reply.status, reply.json.code, reply.json.errors],
          [nobody.status, nobody.json.code, nobody.json.errors],
        )
        assert.ok(![200, 201, 202, 204].includes(reply.status) || !reply.text.includes(id), reply.text)
      })
    }
  })
}

test('F-19 a removed member is not in the list, and only staff read them by id', async () => {
  const ada = await app.actor('ada', { scopes: everything })
  const created = await ada.write('POST', '/members', {
    email: 'gone@crumb.example',
    name: 'Gone',
    send_invitation: false,
    external_id: 'gone-1',
  })
  const { id } = created.json
  const reply = await ada.write('DELETE', `/members/${id}`)
  assert.equal(reply.status, 202, reply.text)
  await approveAs(app, 'ada', reply.json.confirmation.url)
  for (const list of ['/members', '/members?q=gone', '/members?sort=-name']) {
    const { json } = await ada.get(`${list}${list.includes('?') ? '&' : '?'}limit=100`)
    assert.ok(!JSON.stringify(json.data).includes(id), list)
  }
  const femi = await app.actor('femi')
  for (const ref of [id, 'external:gone-1']) {
    const refused = await femi.get(`/members/${ref}`)
    assert.deepEqual([refused.status, refused.json.code], [403, 'insufficient_scope'])
  }
  const changed = await ada.write('PATCH', `/members/${id}`, { phone: '+351 1234' })
  assert.equal(changed.status, 404, 'nobody is changed any more who was removed')
})
