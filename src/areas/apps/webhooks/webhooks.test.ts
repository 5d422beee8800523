import assert from 'node:assert/strict'
import { afterEach, suite, test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { jsonBody, send } from '#testing/http.ts'
import { tokenRequest } from '#testing/oauth.ts'
import { type Connected, connect, refreshAt, revokeAt } from '#testing/tokens.ts'

const app = testApp()
const URL_OF_APP = 'https://hooks.example.org/school'
// A client is known by its metadata.
const OTHER = { client_name: 'Oven Watch' }
const READS = ['school:read', 'orders:read']

afterEach(() => app.database.query('delete from webhooks'))

test('an app creates a webhook, sees its secret once, changes it and deletes it', async () => {
  const dev = await app.actor('dev', { as: 'admin', scopes: READS })
  const made = await dev.write('POST', '/webhooks', { url: URL_OF_APP, types: ['order.*', 'school.updated'] })
  assert.equal(made.status, 201, made.text)
  assert.match(made.json.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.equal(Buffer.from(made.json.secret.slice(6), 'base64').length, 32)
  assert.equal(made.json.secret_hint, made.json.secret.slice(-4))
  assert.equal(made.json.app.client_id, dev.clientId)
  assert.deepEqual(
    [made.json.status, made.json.ordered, made.json.description, made.json.waiting_count],
    ['active', false, null, 0],
  )
  const path = `/webhooks/${made.json.id}`
  const read = await dev.get(path)
  const match = { 'if-match': String(read.headers.etag) }
  assert.equal(read.status, 200, read.text)
  assert.equal(read.json.secret, undefined)
  assert.ok(read.json.allowed_actions.includes('rotateWebhookSecret'))
  const changed = await dev.write('PATCH', path, { description: ' Till ', ordered: true }, match)
  assert.deepEqual([changed.status, changed.json.description, changed.json.ordered], [200, 'Till', true], changed.text)
  const late = await dev.write('PATCH', path, { ordered: false }, match)
  assert.equal(late.json.code, 'precondition_failed')
  assert.deepEqual((await dev.get('/webhooks')).json.data.length, 1)
  assert.equal((await dev.write('DELETE', path)).status, 204)
  assert.equal((await dev.get(path)).status, 404)
})

test('acceptance 1: a type needs its scope, and a refusal names it and stores nothing', async () => {
  const dev = await app.actor('dev', { as: 'admin', scopes: READS })
  const refused = await dev.write('POST', '/webhooks', { url: URL_OF_APP, types: ['order.*', 'course.*'] })
  assert.deepEqual([refused.status, refused.json.code], [403, 'insufficient_scope'])
  assert.match(String(refused.headers['www-authenticate']), /scope="courses:read"/)
  assert.deepEqual((await dev.get('/webhooks')).json.data, [])
  const all = await dev.write('POST', '/webhooks', { url: URL_OF_APP, types: ['*'] })
  assert.equal(all.status, 201)
  const wider = await dev.write('PATCH', `/webhooks/${all.json.id}`, { types: ['course.published'] })
  assert.deepEqual([wider.status, wider.json.code], [403, 'insufficient_scope'])
})

test('types that are internal, unknown or about webhooks are refused at their place', async () => {
  const dev = await app.actor('dev', { as: 'admin', scopes: READS })
  const types = ['order.paid', 'session.*', 'order.nothing', 'webhook.created', 'webhook.*', 'order.paid.*']
  const refused = await dev.write('POST', '/webhooks', { url: URL_OF_APP, types })
  assert.equal(refused.status, 422)
  assert.deepEqual(
    refused.json.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/types/1', '/types/2', '/types/3', '/types/4', '/types/5'],
  )
})

suite('K-01 addresses that are refused', () => {
  const bad = (port: number) => [
    'nonsense',
    ' https://hooks.example.org/',
    'https://hooks.example.org/\n',
    'https://hooks.exa\tmple.org/',
    'https:\\\\hooks.example.org\\',
    'https://hooks.example.org\\@other.example.org/',
    'https:hooks.example.org/',
    'https:/hooks.example.org/',
    'https://hooks.example.org/\u202etac',
    'https://hooks.example.org/\u200b',
    'https://hooks.example.org:0/',
    'https://hooks.example.org:65536/',
    'https://①②⑦.⓪.⓪.①/',
    'https://127.0.0.1.',
    'https://0/',
    'http://hooks.example.org/',
    'ftp://hooks.example.org/',
    'https://user@hooks.example.org/',
    'https://user:secret@hooks.example.org/',
    'https://hooks.example.org/#part',
    'https://hooks.example.org/#',
    'https://hooks.example.org:80/',
    'https://hooks.example.org:1023/',
    'https://10.0.0.1/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://localhost/',
    'https://hooks/',
    'https://hooks.example.org./',
    `http://localhost:${port}/`,
    `http://127.0.0.1:${port}/`,
    `http://[::1]:${port}/`,
    'http://127.0.0.2:9999/',
    'http://192.168.0.1:9999/',
  ]

  test('each is an error of the field url, and nothing is stored', async () => {
    const dev = await app.actor('dev', { as: 'admin', scopes: READS })
    for (const url of bad(app.port)) {
      const refused = await dev.write('POST', '/webhooks', { url, types: ['order.paid'] })
      assert.deepEqual([refused.status, refused.json.errors?.[0]?.pointer], [422, '/url'], url)
    }
    assert.deepEqual((await dev.get('/webhooks')).json.data, [])
  })

  test('so is a host of this installation', async () => {
    const dev = await app.actor('dev', { as: 'admin', scopes: READS })
    await app.database.query(
      `insert into hosts (host, school_id, purpose) select 'learn.example.org:8443', id, 'alias' from schools order by id limit 1`,
    )
    const url = 'https://learn.example.org/hook'
    const refused = await dev.write('POST', '/webhooks', { url, types: ['order.paid'] })
    assert.deepEqual([refused.status, refused.json.errors[0].pointer], [422, '/url'])
    await app.database.query(`delete from hosts where host = 'learn.example.org:8443'`)
  })

  test('a school on this computer may send to another port of it', async () => {
    const dev = await app.actor('dev', { as: 'admin', scopes: READS })
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      const made = await dev.write('POST', '/webhooks', { url: `http://${host}:9/hook`, types: ['order.paid'] })
      assert.equal(made.status, 201, made.text)
    }
  })
})

test('acceptance 7: the same Idempotency-Key gives the same secret, and the database has it nowhere in plain', async () => {
  const dev = await app.actor('dev', { as: 'admin', scopes: READS })
  const send = () =>
    dev.write('POST', '/webhooks', { url: URL_OF_APP, types: ['order.paid'] }, { 'idempotency-key': 'one-webhook' })
  const first = await send()
  const again = await send()
  assert.deepEqual([again.status, again.json], [201, first.json])
  assert.equal(again.headers['idempotency-replayed'], 'true')
  assert.equal((await dev.get('/webhooks')).json.data.length, 1)
  const { secret } = first.json
  const rotate = () => dev.write('PUT', `/webhooks/${first.json.id}/secret`, {}, { 'idempotency-key': 'one-rotation' })
  const rotated = await rotate()
  assert.notEqual(rotated.json.secret, secret)
  assert.equal((await rotate()).json.secret, rotated.json.secret)
  const tables = await app.database.query<{ name: string }>(
    `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables where schemaname in ('public', 'stoa')`,
  )
  for (const { name } of tables)
    for (const plain of [secret, rotated.json.secret]) {
      const found = await app.database.query(`select from ${name} t where position($1 in t::text) > 0`, [
        plain.slice(6),
      ])
      assert.equal(found.length, 0, name)
    }
})

test('an app sees its own webhooks only, other apps of the same person and other persons none of them', async () => {
  const dev = await app.actor('dev', { as: 'admin', scopes: READS })
  const made = await dev.write('POST', '/webhooks', { url: URL_OF_APP, types: ['order.paid'] })
  const others = [
    await app.actor('dev', { scopes: READS, metadata: OTHER }),
    await app.actor('ben', { as: 'admin', scopes: READS }),
  ]
  for (const other of others) {
    assert.deepEqual((await other.get('/webhooks')).json.data, [])
    for (const reply of [
      await other.get(`/webhooks/${made.json.id}`),
      await other.get(`/webhooks/${made.json.id}/deliveries`),
      await other.write('PATCH', `/webhooks/${made.json.id}`, { ordered: true }),
      await other.write('PUT', `/webhooks/${made.json.id}/secret`, {}),
      await other.write('DELETE', `/webhooks/${made.json.id}/activation`),
      await other.write('POST', `/webhooks/${made.json.id}/replays`, { from: 1 }),
      await other.write('DELETE', `/webhooks/${made.json.id}`),
    ])
      assert.deepEqual([reply.status, reply.json.detail], [404, 'There is no such webhook.'])
  }
})

test('of six that are created at once for one person and app five succeed', async () => {
  const dev = await app.actor('dev', { as: 'admin', scopes: READS })
  const all = await Promise.all(
    Array.from({ length: 6 }, () => dev.write('POST', '/webhooks', { url: URL_OF_APP, types: ['order.paid'] })),
  )
  assert.deepEqual(all.map(({ status }) => status).sort(), [201, 201, 201, 201, 201, 409])
  assert.equal(all.find(({ status }) => status === 409)?.json.code, 'too_many_webhooks')
})

test('who lost the role of staff, or is a plain member, cannot create one', async () => {
  const dev = await app.actor('dev', { as: 'lecturer', scopes: ['school:read'] })
  const refused = await dev.write('POST', '/webhooks', { url: URL_OF_APP, types: ['school.updated'] })
  assert.deepEqual([refused.status, refused.json.code], [403, 'role_required'])
})

test('what is disabled says so, drops what waits, and is enabled again without it', async () => {
  const dev = await app.actor('dev', { as: 'admin', scopes: READS })
  const made = await dev.write('POST', '/webhooks', { url: URL_OF_APP, types: ['order.paid'] })
  const path = `/webhooks/${made.json.id}`
  const tried = await dev.write('POST', `${path}/tests`, { type: 'order.paid' })
  assert.equal(tried.status, 201, tried.text)
  assert.deepEqual([tried.json.status, tried.json.fact.test, tried.json.fact.sequence], ['waiting', true, 0])
  assert.equal(tried.json.fact.id, tried.json.id)
  assert.equal((await dev.get(path)).json.waiting_count, 1)
  const off = await dev.write('DELETE', `${path}/activation`)
  assert.deepEqual([off.json.status, off.json.disabled_reason, off.json.waiting_count], ['disabled', 'by_person', 0])
  const { data } = (await dev.get(`${path}/deliveries?status=dropped`)).json
  assert.deepEqual(
    data.map(({ id }: { id: string }) => id),
    [tried.json.id],
  )
  assert.equal((await dev.write('POST', `${path}/replays`, { from: 1 })).json.code, 'invalid_state')
  assert.equal((await dev.write('POST', `${path}/tests`, { type: 'order.paid' })).json.code, 'invalid_state')
  const on = await dev.write('PUT', `${path}/activation`)
  assert.deepEqual([on.json.status, on.json.disabled_reason, on.json.waiting_count], ['active', null, 0])
  const needed = await dev.write('POST', `${path}/tests`, { type: 'course.published' })
  assert.deepEqual([needed.status, needed.json.code], [403, 'insufficient_scope'])
  const unknown = await dev.write('POST', `${path}/tests`, { type: 'session.ended' })
  assert.deepEqual([unknown.status, unknown.json.errors[0].pointer], [422, '/type'])
})

test('a disconnected app has its webhooks disabled in the same transaction', async () => {
  const dev = await app.actor('dev', { as: 'admin', scopes: [...READS, 'account:write', 'account:read'] })
  const other = await app.actor('dev', { scopes: READS, metadata: OTHER })
  const gone = await dev.write('POST', '/webhooks', { url: URL_OF_APP, types: ['order.paid'] })
  const stays = await other.write('POST', '/webhooks', { url: URL_OF_APP, types: ['order.paid'] })
  const apps = await dev.get('/account/connected-apps')
  const own = apps.json.data.find(({ current }: { current: boolean }) => current)
  assert.equal((await dev.write('DELETE', `/account/connected-apps/${own.id}`)).status, 204)
  const rows = await app.database.query<{ client_id: string; status: string; disabled_reason: string | null }>(
    'select client_id, status, disabled_reason from webhooks order by created_at',
  )
  assert.deepEqual(rows, [
    { client_id: gone.json.app.client_id, status: 'disabled', disabled_reason: 'access_ended' },
    { client_id: stays.json.app.client_id, status: 'active', disabled_reason: null },
  ])
})

suite('a webhook ends with the last grant of its app and its member, in the transaction that ends it', () => {
  const ways: Readonly<Record<string, (one: Connected) => Promise<unknown>>> = {
    'its refresh token is revoked': one => revokeAt(app.port, one, one.refresh),
    'its refresh token is replayed': async one => {
      const next = await refreshAt(app.port, one, one.refresh)
      await refreshAt(app.port, one, next.json.refresh_token)
      assert.equal((await refreshAt(app.port, one, one.refresh)).json.error, 'invalid_grant')
    },
    'its code is replayed': async one => {
      assert.equal((await tokenRequest(app.port, app.a, one.exchange)).json.error, 'invalid_grant')
    },
  }
  for (const [name, end] of Object.entries(ways))
    test(name, async () => {
      await app.setRole('dev', 'admin')
      const connecting = { metadata: { client_name: name }, parameters: { scope: 'school:read' } }
      const first = await connect(app, 'dev', connecting)
      const second = await connect(app, 'dev', connecting)
      assert.equal(second.clientId, first.clientId)
      const made = await send(app.port, {
        ...jsonBody('POST', '/api/v1/webhooks', { url: URL_OF_APP, types: ['school.updated'] }),
        host: new URL(app.a.baseUrl).host,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${first.access}` },
      })
      assert.equal(made.status, 201, made.text)
      const states = async () =>
        (
          await app.database.query<{ state: string }>(
            `select concat_ws(' ', status, disabled_reason) as state from webhooks`,
          )
        ).map(({ state }) => state)
      await end(first)
      assert.deepEqual(await states(), ['active'])
      await end(second)
      assert.deepEqual(await states(), ['disabled access_ended'])
    })
})

test('a webhook whose secret cannot be unsealed is not enabled before it gets another one', async () => {
  const dev = await app.actor('dev', { as: 'admin', scopes: READS })
  const { json } = await dev.write('POST', '/webhooks', { url: URL_OF_APP, types: ['order.paid'] })
  const path = `/webhooks/${json.id}`
  await app.database.query(`update webhooks set secret_sealed = '\\x00'`)
  assert.equal((await dev.write('DELETE', `${path}/activation`)).json.status, 'disabled')
  const refused = await dev.write('PUT', `${path}/activation`)
  assert.deepEqual([refused.status, refused.json.code], [409, 'invalid_state'])
  const changed = await dev.write('PUT', `${path}/secret`, {})
  assert.deepEqual([changed.status, changed.json.previous_secret_expires_at], [200, null], changed.text)
  assert.equal((await dev.write('PUT', `${path}/activation`)).json.status, 'active')
})
