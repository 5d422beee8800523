// One thing: token requests that are answered with one statement, and what that statement must check.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { people } from '#src/demo/index.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import type { TestReply } from '#testing/http.ts'
import { type Approval, approve, pkce, tokenRequest } from '#testing/oauth.ts'
import { isOfRequest } from '#testing/statements.ts'
import { type Connected, callAt, connect, REFRESHING, refreshAt } from '#testing/tokens.ts'

const statements: string[] = []
const app = testApp({ onStatement: text => void (isOfRequest(text) && statements.push(text)) })

type Fields = Readonly<Record<string, string>>

const approval = (metadata: Readonly<Record<string, unknown>> = {}, scope = 'openid profile email account:read') =>
  approve(
    { port: app.port, school: app.a, email: people.dev.email, password: PASSWORD },
    { metadata: { ...REFRESHING, ...metadata }, parameters: { scope } },
  )
const exchange = (fields: Fields): Promise<TestReply> => tokenRequest(app.port, app.a, fields)
const connected = (): Promise<Connected> => connect(app, 'dev')

/** The reply, and how many statements it needed. */
const counted = async (work: () => Promise<TestReply>): Promise<{ reply: TestReply; count: number }> => {
  // Finding the school is one statement each second.
  await app.send({ path: '/.well-known/openid-configuration' })
  statements.length = 0
  const reply = await work()
  return { reply, count: statements.filter(text => !text.includes('hosts')).length }
}

const hashGrant = ({ exchange: { code = '' } }: Approval) => sha256(code)
const change = (set: string, where: string, value: unknown): Promise<unknown> =>
  app.database.query(`update ${set} where ${where} = $1`, [value])

const tokensStored = async (): Promise<number> => {
  const [row] = await app.database.query<{ count: number }>('select count(*)::integer as count from access_tokens')
  return row?.count ?? -1
}

suite('one statement', () => {
  test('the first exchange of a process opens the key of the school, one step after the other', async () => {
    const { reply, count } = await counted(async () => exchange((await approval()).exchange))
    assert.equal(reply.status, 200, reply.text)
    assert.ok(count > 1)
  })

  test('an exchange needs one, and its ID token has the claims of the person and verifies', async () => {
    const { exchange: fields, clientId } = await approval()
    const { reply, count } = await counted(() => exchange(fields))
    assert.deepEqual([reply.status, count], [200, 1], reply.text)
    const keys = createLocalJWKSet((await app.send({ path: '/api/oauth/jwks' })).json)
    const { payload } = await jwtVerify(reply.json.id_token, keys, { issuer: app.a.baseUrl, audience: clientId })
    assert.deepEqual([payload.email, payload.name], [people.dev.email, people.dev.name])
    assert.deepEqual([reply.json.expires_in, reply.json.refresh_token_expires_in], [3600, 2_592_000])
    assert.equal(await callAt(app.port, app.a, reply.json.access_token), 200)
  })

  test('a refresh needs one, and the token before is answered alike for a minute', async () => {
    const client = await connected()
    const { reply, count } = await counted(() => refreshAt(app.port, client, client.refresh))
    assert.deepEqual([reply.status, count], [200, 1], reply.text)
    const again = await refreshAt(app.port, client, client.refresh)
    assert.deepEqual(
      [again.json.access_token, again.json.refresh_token],
      [reply.json.access_token, reply.json.refresh_token],
    )
    assert.equal((await refreshAt(app.port, client, reply.json.refresh_token)).status, 200)
  })

  test('a client that did not register for refresh tokens gets none', async () => {
    const { exchange: fields } = await approval({ grant_types: ['authorization_code'] })
    const { reply, count } = await counted(() => exchange(fields))
    assert.deepEqual([reply.status, count, reply.json.refresh_token], [200, 1, undefined])
  })

  test('with the other algorithm the key is opened first, and one is enough from then on', async () => {
    const es = { id_token_signed_response_alg: 'ES256' }
    assert.equal((await exchange((await approval(es)).exchange)).status, 200)
    const { exchange: fields } = await approval(es)
    const { reply, count } = await counted(() => exchange(fields))
    assert.deepEqual([reply.status, count], [200, 1])
  })
})

suite('an exchange is refused and nothing is stored', () => {
  const cases: Readonly<Record<string, (one: Approval) => Promise<unknown> | Fields>> = {
    'another redirect_uri': ({ exchange: fields }) => ({ ...fields, redirect_uri: 'http://127.0.0.1/other' }),
    'another verifier': ({ exchange: fields }) => ({ ...fields, code_verifier: pkce().verifier }),
    'another resource': ({ exchange: fields }) => ({ ...fields, resource: app.b.baseUrl }),
    'an expired code': one => change(`grants set code_expires_at = created_at`, 'code_hash', hashGrant(one)),
    'a revoked grant': one => change('grants set revoked_at = created_at', 'code_hash', hashGrant(one)),
    'an ended grant': one => change('grants set expires_at = created_at', 'code_hash', hashGrant(one)),
    'a used code': one => change('grants set code_used_at = created_at', 'code_hash', hashGrant(one)),
    'a grant without the resource': one => change("grants set resources = '{}'", 'code_hash', hashGrant(one)),
    'a blocked client': ({ clientId }) => change('clients set blocked_at = created_at', 'id', clientId),
    'a client with a secret': ({ clientId }) =>
      change("clients set auth_method = 'client_secret_post'", 'id', clientId),
    'a client without the grant type': ({ clientId }) =>
      change("clients set grant_types = '{refresh_token}'", 'id', clientId),
  }

  for (const [name, break_] of Object.entries(cases))
    test(name, async () => {
      // The id of a client is computed from its metadata.
      const one = await approval({ client_name: name })
      const fields = ((await break_(one)) ?? one.exchange) as Fields
      const stored = await tokensStored()
      const reply = await exchange('code' in fields ? fields : one.exchange)
      assert.ok([400, 401].includes(reply.status), reply.text)
      assert.equal(await tokensStored(), stored)
    })

  test('the code of another client', async () => {
    const [one, other] = [await approval({ client_name: 'One' }), await approval({ client_name: 'Other' })]
    const stored = await tokensStored()
    const reply = await exchange({ ...one.exchange, client_id: other.clientId })
    assert.deepEqual([reply.status, reply.json.error], [400, 'invalid_grant'])
    assert.equal(await tokensStored(), stored)
    assert.equal((await exchange(one.exchange)).status, 200)
  })

  test('a suspended person, and grants from before the epoch of the school', async () => {
    const [one, old] = [await approval(), await approval()]
    const set = (status: string) => change(`members set status = '${status}'`, 'email', people.dev.email)
    await set('suspended')
    const refused = await exchange(one.exchange)
    await set('active')
    assert.equal(refused.json.error, 'invalid_grant')
    await app.database.query('update schools set tokens_epoch = stoa.now() where id = $1', [app.a.id])
    assert.equal((await exchange(old.exchange)).json.error, 'invalid_grant')
    const before = await connected()
    await app.database.query('update schools set tokens_epoch = stoa.now() where id = $1', [app.a.id])
    assert.equal((await refreshAt(app.port, before, before.refresh)).json.error, 'invalid_grant')
  })
})

suite('a refresh is refused and nothing is stored', () => {
  const family = (set: string) => (one: Connected) =>
    app.database.query(
      `update refresh_families f set ${set} from grants g where g.id = f.grant_id and g.client_id = $1`,
      [one.clientId],
    )
  const grant = (set: string) => (one: Connected) => change(`grants set ${set}`, 'client_id', one.clientId)
  const client = (set: string) => (one: Connected) => change(`clients set ${set}`, 'id', one.clientId)
  const cases: Readonly<Record<string, (one: Connected) => Promise<unknown>>> = {
    'an unused family': family("last_used_at = last_used_at - interval '31 days'"),
    'an ended family': family('expires_at = f.created_at'),
    'a revoked grant': grant('revoked_at = created_at'),
    'an ended grant': grant('expires_at = created_at'),
    'a grant without the resource': grant("resources = '{}'"),
    'a blocked client': client('blocked_at = created_at'),
    'a client without the grant type': client("grant_types = '{authorization_code}'"),
  }

  for (const [name, break_] of Object.entries(cases))
    test(name, async () => {
      const one = await connect(app, 'dev', { metadata: { client_name: `Refresh: ${name}` } })
      await break_(one)
      const stored = await tokensStored()
      const reply = await refreshAt(app.port, one, one.refresh)
      assert.ok([400, 401].includes(reply.status), reply.text)
      assert.equal(await tokensStored(), stored)
    })

  test('the token of another client', async () => {
    const one = await connect(app, 'dev', { metadata: { client_name: 'One' } })
    const other = await connect(app, 'dev', { metadata: { client_name: 'Another' } })
    assert.equal((await refreshAt(app.port, other, one.refresh)).json.error, 'invalid_grant')
    assert.equal((await refreshAt(app.port, one, one.refresh)).status, 200)
  })
})

suite('at the same time', () => {
  test('of ten exchanges of one code one succeeds, and its tokens stay valid', async () => {
    const { exchange: fields } = await approval()
    const replies = await Promise.all(Array.from({ length: 10 }, () => exchange(fields)))
    const [whole, ...others] = replies.filter(({ status }) => status === 200)
    assert.ok(whole !== undefined && others.length === 0)
    for (const { status, json } of replies.filter(reply => reply !== whole))
      assert.deepEqual([status, json.error], [400, 'invalid_grant'])
  })

  test('ten refreshes of one token get the same tokens', async () => {
    const one = await connected()
    const replies = await Promise.all(Array.from({ length: 10 }, () => refreshAt(app.port, one, one.refresh)))
    for (const { status, json, text } of replies) {
      assert.equal(status, 200, text)
      assert.deepEqual(
        [json.access_token, json.refresh_token],
        [replies[0]?.json.access_token, replies[0]?.json.refresh_token],
      )
    }
  })
})
