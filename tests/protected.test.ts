import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { School } from '#src/contract/school.ts'
import { people } from '#src/demo/index.ts'
import { systemRandom } from '#src/kit/crypto.ts'
import { newToken } from '#src/kit/token.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { form, jsonBody, type TestReply } from '#testing/http.ts'
import { approve, tokenRequest, withinASecond } from '#testing/oauth.ts'
import { runCommand } from '#testing/process.ts'

const app = testApp()
const OPEN = '/api/v1/school'
const CLOSED = '/api/v1/account'
const USERINFO = '/api/oauth/userinfo'

const approval = (name: PersonName, scope: string, school = app.a) =>
  approve({ port: app.port, school, email: people[name].email, password: PASSWORD }, { parameters: { scope } })

const readToken = async (name: PersonName, scope = 'openid account:read school:read', school = app.a) => {
  const { exchange } = await approval(name, scope, school)
  return String((await tokenRequest(app.port, school, exchange)).json.access_token)
}

const ask = (path: string, authorization?: string | readonly string[]): Promise<TestReply> =>
  app.send({ path, ...(authorization === undefined ? {} : { headers: { authorization } }) })

const askAll = (authorization?: string | readonly string[]) =>
  Promise.all([OPEN, CLOSED, USERINFO].map(path => ask(path, authorization))) as Promise<
    [TestReply, TestReply, TestReply]
  >

/** The same with a token that has ended, which every process knows within a second. */
const lastAll = async (token: string) => {
  await withinASecond(
    () => ask(CLOSED, `Bearer ${token}`),
    ({ status }) => status === 401,
  )
  return askAll(`Bearer ${token}`)
}

const formatMetadata = (school: School) => `resource_metadata="${school.baseUrl}/.well-known/oauth-protected-resource"`

const assertInvalid = (reply: TestReply, name: string): void => {
  assert.equal(reply.status, 401, name)
  const challenge = String(reply.headers['www-authenticate'])
  assert.match(
    challenge,
    /^Bearer error="invalid_token", error_description="[^"\\]+", resource_metadata="[^"]+"$/,
    name,
  )
  assert.ok(challenge.endsWith(formatMetadata(app.a)), name)
  assert.equal(reply.json.error, 'invalid_token', name)
  assert.match(String(reply.headers['cache-control']), /no-store/, name)
}

const assertAnonymous = ([open, closed, userinfo]: readonly [TestReply, TestReply, TestReply], name: string): void => {
  assert.equal(open.status, 200, name)
  assert.ok(!('allowed_actions' in open.json), name)
  assert.equal(open.headers['cache-control'], 'public, max-age=0, must-revalidate', name)
  assert.equal(open.headers.vary, 'Authorization, Accept-Encoding', name)
  assert.equal(closed.status, 403, name)
  assert.equal(closed.json.code, 'sign_in_required', name)
  assert.equal(userinfo.status, 403, name)
  assert.equal(userinfo.json.error, 'sign_in_required', name)
  for (const reply of [open, closed, userinfo]) assert.equal(reply.headers['www-authenticate'], undefined, name)
}

suite('no Authorization, an empty one or another scheme is anonymous, never 401 and never a challenge', () => {
  const others = ['', 'Basic ZGV2OnNlY3JldA==', 'Basic', 'Token abc', 'BearerX abc', 'DPoP abc', 'Digest a="b"', '=']
  for (const header of [undefined, ...others])
    test(header === undefined ? 'no header' : `"${header}"`, async () => {
      assertAnonymous(await askAll(header), String(header))
    })
})

test('RFC 9110 §11.1: the scheme is Bearer in any case', async () => {
  const token = await readToken('dev')
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
    const replies = await askAll(`${scheme} ${token}`)
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 200],
    )
    const [open, closed, userinfo] = replies
    assert.deepEqual(open.json.allowed_actions, ['getSchool'])
    assert.equal(closed.json.email, people.dev.email)
    assert.equal(userinfo.json.sub, closed.json.id)
    for (const { headers } of replies) {
      assert.equal(headers['cache-control'], 'private, no-store')
      assert.match(String(headers.vary), /^Authorization(?:, Accept-Encoding)?$/)
    }
  }
})

suite('RFC 6750 §3.1: Bearer with anything but one valid token is 401, also at public operations', () => {
  test('text that was never a token', async () => {
    const token = await readToken('dev')
    const flipped = `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`
    const unknown = newToken('stoa_at_', systemRandom)
    const code = newToken('stoa_ac_', systemRandom)
    const values = ['', ' ', 'garbage', 'null', flipped, unknown, code, `${token},`, `${token} ${token}`, `"${token}"`]
    const spoiled = [token.toUpperCase(), token.slice(8), `${token}A`, "' or 1=1--", 'é', 'x'.repeat(8000)]
    for (const value of [...values, ...spoiled])
      for (const reply of await askAll(`Bearer ${Buffer.from(value).toString('latin1')}`)) assertInvalid(reply, value)
    for (const reply of await askAll('Bearer')) assertInvalid(reply, 'the scheme alone')
  })

  test('a token of the other school', async () => {
    const token = await readToken('dev', 'openid account:read school:read', app.b)
    const there = await app.send({ path: CLOSED, headers: { authorization: `Bearer ${token}` } }, app.b)
    assert.equal(there.status, 200)
    for (const reply of await askAll(`Bearer ${token}`)) assertInvalid(reply, 'other school')
  })

  test('C-15 a token bound to another resource is refused by the API; userinfo takes any of the school', async () => {
    const token = await readToken('eli')
    await app.database.query(
      `update access_tokens t set resource = $1 from grants g join members m on m.id = g.member_id
       where g.id = t.grant_id and m.email = $2`,
      [`${app.a.baseUrl}/mcp`, people.eli.email],
    )
    const [open, closed, userinfo] = await askAll(`Bearer ${token}`)
    assertInvalid(open, 'open')
    assertInvalid(closed, 'closed')
    assert.equal(userinfo.status, 200)
    assert.match(userinfo.json.sub, /^mem_/)
  })

  test('C-15 a token bound to an address that the school no longer has is refused by all, userinfo too', async () => {
    for (const resource of ['https://moved.example', `${app.a.baseUrl}0`, `${app.a.baseUrl}.example/mcp`]) {
      const token = await readToken('eli')
      await app.database.query(
        `update access_tokens t set resource = $1 from grants g join members m on m.id = g.member_id
         where g.id = t.grant_id and m.email = $2`,
        [resource, people.eli.email],
      )
      for (const reply of await askAll(`Bearer ${token}`)) assertInvalid(reply, resource)
    }
  })

  test('a token that was taken back, and one whose hour is over', async () => {
    const { exchange } = await approval('femi', 'openid account:read school:read')
    const taken = (await tokenRequest(app.port, app.a, exchange)).json.access_token
    assert.equal((await ask(CLOSED, `Bearer ${taken}`)).status, 200)
    assert.equal((await tokenRequest(app.port, app.a, exchange)).json.error, 'invalid_grant')
    for (const reply of await lastAll(taken)) assertInvalid(reply, 'revoked')
    const old = await readToken('femi')
    await app.moveClock(3500)
    assert.equal((await ask(CLOSED, `Bearer ${old}`)).status, 200)
    await app.moveClock(101)
    for (const reply of await lastAll(old)) assertInvalid(reply, 'expired')
  })

  test('the metadata that a challenge points to exists', async () => {
    const { headers } = await ask(CLOSED, 'Bearer garbage')
    const [, address = ''] = /resource_metadata="([^"]+)"/.exec(String(headers['www-authenticate'])) ?? []
    const { status, json } = await app.send({ path: new URL(address).pathname })
    assert.equal(status, 200)
    assert.equal(json.resource, app.a.baseUrl)
  })
})

test('RFC 6750 §3.1: a valid token without the scope is 403, even where anonymous would have seen something', async () => {
  const identity = await readToken('dev', 'openid profile')
  const seesSchool = await readToken('dev', 'school:read')
  const cases = [
    [OPEN, identity, 'school:read'],
    [CLOSED, identity, 'account:read'],
    [CLOSED, seesSchool, 'account:read'],
    [USERINFO, seesSchool, 'openid'],
  ] as const
  for (const [path, token, scope] of cases) {
    const { status, headers, json } = await ask(path, `Bearer ${token}`)
    assert.equal(status, 403, path)
    assert.equal(json.error, 'insufficient_scope', path)
    assert.equal(
      headers['www-authenticate'],
      `Bearer error="insufficient_scope", scope="${scope}", ${formatMetadata(app.a)}`,
      path,
    )
    assert.match(String(headers['cache-control']), /no-store/, path)
  }
})

test('the scope right and the role not: 403 role_required without a challenge, and nothing changes', async () => {
  const before = await ask(OPEN)
  const token = await readToken('ben', 'school:read school:write')
  const belonging = { databaseUrl: app.database.appUrl, secret: app.secret }
  await runCommand(belonging, ['members', 'set-role', people.ben.email, 'member', '--school', app.a.baseUrl])
  const { status, json, headers } = await app.send(
    jsonBody('PATCH', OPEN, { name: 'Ben & Crust' }, { authorization: `Bearer ${token}`, 'if-match': '*' }),
  )
  assert.equal(status, 403)
  assert.equal(json.code, 'role_required')
  assert.equal(headers['www-authenticate'], undefined)
  assert.equal((await ask(OPEN)).text, before.text)
})

suite('RFC 6750 §2: a token is sent once, in the header', () => {
  const assertTwice = (reply: TestReply, name: string): void => {
    assert.equal(reply.status, 400, name)
    assert.equal(reply.json.error, 'invalid_request', name)
    assert.equal(reply.headers['www-authenticate'], undefined, name)
  }

  test('two Authorization headers, which Node would hide', async () => {
    const token = await readToken('dev')
    const good = `Bearer ${token}`
    for (const pair of [
      [good, good],
      [good, 'Bearer garbage'],
      ['Basic eDp5', good],
      [good, ''],
    ]) {
      for (const reply of await askAll(pair)) assertTwice(reply, pair.join(' and '))
    }
  })

  test('a token in the query, without and with a header', async () => {
    const token = await readToken('dev')
    for (const path of [OPEN, CLOSED, USERINFO]) {
      assertTwice(await ask(`${path}?access_token=${token}`), path)
      assertTwice(await ask(`${path}?a=1&access_token=${token}`, `Bearer ${token}`), path)
    }
  })

  test('a token in a form at userinfo, without and with a header', async () => {
    const token = await readToken('dev')
    for (const headers of [{}, { authorization: `Bearer ${token}` }])
      assertTwice(await app.send(form(USERINFO, { access_token: token }, headers)), 'form')
    const spelled = { 'content-type': 'Application/X-WWW-Form-UrlEncoded; charset=UTF-8' }
    for (const headers of [spelled, { ...spelled, authorization: `Bearer ${token}` }])
      assertTwice(await app.send({ ...form(USERINFO, { access_token: token }), headers }), 'a type in capitals')
    assertTwice(await app.send({ path: `${USERINFO}?access%5Ftoken=${token}` }), 'a name in escapes')
    const posted = await app.send({ method: 'POST', path: USERINFO, headers: { authorization: `Bearer ${token}` } })
    assert.equal(posted.status, 200)
    assert.match(posted.json.sub, /^mem_/)
  })

  test('a token in a JSON body of the API is no credential', async () => {
    const token = await readToken('ada', 'school:read school:write')
    const before = await ask(OPEN)
    const { status, json } = await app.send(
      jsonBody('PATCH', OPEN, { access_token: token, name: 'Anyone & Crust' }, { 'if-match': '*' }),
    )
    assert.equal(status, 403)
    assert.equal(json.code, 'sign_in_required')
    assert.equal((await ask(OPEN)).text, before.text)
  })
})

test('a cookie is never a credential for the API', async () => {
  for (const school of [app.a, app.b]) {
    const visitor = { port: app.port, school, email: people.ada.email, password: PASSWORD }
    const { browser } = await approve(visitor, { parameters: { scope: 'openid school:read school:write' } })
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    assert.match(cookie, /stoa-(?:local-)?session/)
    const [open, closed, userinfo] = await Promise.all(
      [OPEN, CLOSED, USERINFO].map(path => app.send({ path, headers: { cookie } }, school)),
    )
    assert.ok(open !== undefined && closed !== undefined && userinfo !== undefined)
    assertAnonymous([open, closed, userinfo], school.baseUrl)
    const changed = await app.send(jsonBody('PATCH', OPEN, { name: 'X' }, { cookie, 'if-match': '*' }), school)
    assert.equal(changed.status, 403)
    assert.equal((await app.send({ path: OPEN }, school)).text, open.text)
  }
})
