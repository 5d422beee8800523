import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { authorizeParameters } from '#src/oauth/authorize/request.ts'
import { testApp } from '#testing/app.ts'
import { form, jsonBody, type TestReply } from '#testing/http.ts'
import { authorizePath, CALLBACK, pkce, register } from '#testing/oauth.ts'

const app = testApp()
const MARK = 'zq-marker-9<b>'

const readDescription = (reply: TestReply): string | null | undefined =>
  reply.status === 303
    ? new URL(String(reply.headers.location), app.a.baseUrl).searchParams.get('error_description')
    : reply.json?.error_description

const assertSilent = (reply: TestReply, name: string): void => {
  assert.ok(reply.status < 500, name)
  const description = readDescription(reply)
  if (description === null || description === undefined) return
  assert.match(description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/, name)
  assert.ok(!/zq-marker/.test(description), `${name}: ${description}`)
}

suite('RFC 6749 §5.2: a description never repeats what was sent', () => {
  test('at the authorization endpoint, on the page either', async () => {
    const { json: client } = await register(app.port, app.a)
    const fine = {
      client_id: String(client.client_id),
      redirect_uri: CALLBACK,
      scope: 'openid',
      code_challenge: pkce().challenge,
    }
    for (const name of authorizeParameters) {
      const path = authorizePath({ ...fine, [name]: MARK })
      const reply = await app.send({ path })
      assertSilent(reply, name)
      if (reply.status !== 400) continue
      const page = await app.send({ path, headers: { accept: 'text/html' } })
      assert.ok(!page.text.includes('zq-marker'), name)
    }
  })

  test('at token, revocation and introspection', async () => {
    const { json: client } = await register(app.port, app.a, { token_endpoint_auth_method: 'client_secret_post' })
    const { client_id, client_secret } = client
    const fine = { client_id, client_secret, token: 'x', grant_type: 'authorization_code', code: 'x' }
    const names = ['grant_type', 'client_id', 'client_secret', 'code', 'redirect_uri', 'code_verifier', 'refresh_token']
    for (const path of ['/api/oauth/token', '/api/oauth/revoke', '/api/oauth/introspect'])
      for (const name of [...names, 'scope', 'resource', 'token', 'token_type_hint'])
        for (const grant_type of ['authorization_code', 'refresh_token'])
          assertSilent(await app.send(form(path, { ...fine, grant_type, [name]: MARK })), `${path} ${name}`)
  })

  test('at registration', async () => {
    const names = ['redirect_uris', 'grant_types', 'response_types', 'token_endpoint_auth_method', 'application_type']
    for (const name of [...names, 'scope', 'client_name', 'id_token_signed_response_alg', 'subject_type', MARK])
      for (const value of [MARK, [MARK], { [MARK]: MARK }, 9e99])
        assertSilent(
          await app.send(jsonBody('POST', '/api/oauth/register', { redirect_uris: [CALLBACK], [name]: value })),
          name,
        )
  })
})

test('RFC 6749 §5.2: what no endpoint answers is an error of the same form, with Allow where a method is wrong', async () => {
  const expected: readonly (readonly [method: string, path: string, status: number])[] = [
    ['GET', '/api/oauth/nowhere', 404],
    ['GET', '/api/oauth/register', 405],
    ['DELETE', '/api/oauth/token', 405],
    ['PUT', '/api/oauth/userinfo', 405],
    ['POST', '/api/oauth/jwks', 405],
    ['POST', '/.well-known/openid-configuration', 405],
    ['GET', '/oauth/nowhere', 404],
    ['DELETE', '/oauth/authorize', 405],
  ]
  for (const [method, path, status] of expected) {
    const { status: received, json, headers } = await app.send({ method, path })
    assert.deepEqual([received, json.error], [status, 'invalid_request'], path)
    assert.deepEqual(Object.keys(json).sort(), ['error', 'error_description', 'error_uri'], path)
    assert.equal(headers.allow !== undefined, status === 405, path)
    assert.equal(headers['cache-control'], 'no-store', path)
  }
})
