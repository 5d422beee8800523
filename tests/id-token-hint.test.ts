import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { decodeJwt, generateKeyPair, SignJWT } from 'jose'
import { people } from '#src/demo/index.ts'
import { createKeys } from '#src/oauth/index.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { type Browser, openBrowser, parseForm } from '#testing/browser.ts'
import type { TestReply } from '#testing/http.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { authorizePath, CALLBACK, pkce, readCallback, register, signInOn, tokenRequest } from '#testing/oauth.ts'
import { fillIn, isConsent, newestCode } from '#testing/people.ts'
import { runCommand } from '#testing/process.ts'
import { connect, REFRESHING } from '#testing/tokens.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

type Parameters = Readonly<Record<string, string | undefined>>

const { verifier, challenge } = pkce()
const getPerson = (name: PersonName) => ({ email: people[name].email, password: PASSWORD })

const asking = async (more: Parameters): Promise<string> =>
  authorizePath({
    client_id: (await register(app.port, app.a, REFRESHING)).json.client_id,
    redirect_uri: CALLBACK,
    scope: 'openid account:read',
    code_challenge: challenge,
    state: 's',
    ...more,
  })

const readIdToken = async (name: PersonName, more: Parameters = {}, school = app.a): Promise<string> =>
  (await connect(app, name, { school, parameters: more })).answer.json.id_token

/** Returns a browser in which a person is signed in. */
const signedIn = async (name: PersonName): Promise<Browser> => {
  const browser = openBrowser(app.port, app.a)
  const consent = await signInOn(browser, await browser.open(await asking({})), getPerson(name))
  assert.ok(isConsent(consent), consent.text)
  return browser
}

const readError = (reply: TestReply): string | null => {
  assert.equal(reply.status, 303, reply.text)
  const { searchParams } = readCallback(reply)
  assert.deepEqual([searchParams.get('state'), searchParams.get('iss')], ['s', app.a.baseUrl])
  assert.equal(searchParams.get('code'), null)
  return searchParams.get('error')
}

const isSignIn = (page: TestReply): boolean => page.status === 200 && page.text.includes('name="password"')

const counted = async () => {
  const [row] = await app.database.query<{ requests: number; grants: number }>(
    `select (select count(*) from authorization_requests)::integer as requests,
      (select count(*) from grants)::integer as grants`,
  )
  return row
}

const forged = async (claims: Readonly<Record<string, unknown>>, header: Readonly<Record<string, string>> = {}) => {
  const { privateKey } = await generateKeyPair('ES256')
  return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', ...header }).sign(privateKey)
}

suite('OpenID Connect Core §3.1.2.1: a hint that is no ID token of this school is invalid_request', () => {
  const assertInvalid = async (hint: string, name: string): Promise<void> => {
    const browser = await signedIn('dev')
    const before = await counted()
    for (const prompt of [undefined, 'none', 'login', 'create'])
      assert.equal(
        readError(await browser.open(await asking({ id_token_hint: hint, prompt }))),
        'invalid_request',
        `${name}, prompt ${prompt}`,
      )
    assert.deepEqual(await counted(), before)
  }

  test('malformed, unsigned, signed by others, of another school', async () => {
    const own = await readIdToken('dev')
    const [head = '', body = '', signature = ''] = own.split('.')
    const other = await readIdToken('eli')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    const hints: Readonly<Record<string, string>> = {
      nonsense: 'x',
      'three parts': 'a.e30.c',
      'alg none': `${none}.${body}.`,
      'no signature': `${head}.${body}.`,
      "another's claims": `${head}.${other.split('.')[1]}.${signature}`,
      'a foreign key': await forged(decodeJwt(own)),
      'a foreign key under our id': await forged(decodeJwt(own), { kid: JSON.parse(atob(head)).kid }),
      'another school': await readIdToken('dev', {}, app.b),
      'an access token': (await connect(app, 'dev')).access,
    }
    for (const [name, hint] of Object.entries(hints)) await assertInvalid(hint, name)
  })

  // Nothing of ours signs such tokens; the school's own key does here.
  test('given to another client', async () => {
    const { clientId, answer } = await connect(app, 'dev', { metadata: { client_name: 'Another app' } })
    await assertInvalid(answer.json.id_token, 'another audience')
    const browser = await signedIn('dev')
    assert.ok(isConsent(await browser.open(await asking({ client_id: clientId, id_token_hint: answer.json.id_token }))))
  })

  test('signed by us without a member in it, under another issuer or audience, or of another type', async () => {
    const { openDatabase } = await import('#src/db/database.ts')
    const database = openDatabase(app.database.appUrl, { wait: 1000, onError: () => undefined })
    const { kid, alg, key } = await createKeys(app.secret).current(database, app.a.id, 'ES256')
    await database.close()
    const sign = (claims: Readonly<Record<string, unknown>>, typ = 'JWT'): Promise<string> =>
      new SignJWT(claims).setProtectedHeader({ alg, kid, ...(typ === '' ? {} : { typ }) }).sign(key)
    const { sub, aud } = decodeJwt(await readIdToken('dev'))
    const iss = app.a.baseUrl
    await assertInvalid(await sign({ iss, aud }), 'no sub')
    await assertInvalid(await sign({ iss, aud, sub: 7 }), 'a sub that is no text')
    await assertInvalid(await sign({ iss, aud, sub: 'grt_00000000000000000000000000' }), 'a sub that is no member')
    await assertInvalid(await sign({ iss: app.b.baseUrl, aud, sub }), 'another issuer')
    await assertInvalid(await sign({ iss, sub }), 'no audience')
    await assertInvalid(await sign({ iss, aud: app.a.baseUrl, sub }), 'the school as audience')
    for (const typ of ['logout+jwt', 'at+jwt', '']) await assertInvalid(await sign({ iss, aud, sub }, typ), typ)
    const browser = await signedIn('dev')
    assert.ok(isConsent(await browser.open(await asking({ id_token_hint: await sign({ iss, aud, sub }) }))))
  })

  test('signed by a key that was taken back', async () => {
    const hint = await readIdToken('dev')
    const browser = await signedIn('dev')
    assert.ok(isConsent(await browser.open(await asking({ id_token_hint: hint }))))
    await runCommand({ databaseUrl: app.database.appUrl, secret: app.secret }, [
      'keys',
      'rotate',
      '--school',
      app.a.baseUrl,
      '--alg',
      'RS256',
      '--now',
    ])
    await assertInvalid(hint, 'a withdrawn key')
  })
})

test('of the signed-in person is accepted, however old, with a long nonce', async () => {
  const browser = await signedIn('dev')
  const hint = await readIdToken('dev', { nonce: '"'.repeat(1500) })
  assert.ok(isConsent(await browser.open(await asking({ id_token_hint: hint }))))
  assert.equal(readError(await browser.open(await asking({ id_token_hint: hint, prompt: 'none' }))), 'consent_required')
  await app.moveClock(24 * 3600)
  const consent = await browser.open(await asking({ id_token_hint: hint }))
  const code = readCallback(await fillIn(browser, consent, { decision: 'approve' })).searchParams.get('code') ?? ''
  const client_id = (await register(app.port, app.a, REFRESHING)).json.client_id
  const exchange = { grant_type: 'authorization_code', client_id, redirect_uri: CALLBACK, code }
  const { json } = await tokenRequest(app.port, app.a, { ...exchange, code_verifier: verifier })
  assert.equal(decodeJwt(json.id_token).sub, decodeJwt(hint).sub)
})

suite('OpenID Connect Core §3.1.2.1: a hint at another person than the one signed in', () => {
  test('is login_required with prompt=none, and otherwise the sign-in page', async () => {
    const [browser, hint] = [await signedIn('dev'), await readIdToken('eli')]
    const before = await counted()
    assert.equal(readError(await browser.open(await asking({ id_token_hint: hint, prompt: 'none' }))), 'login_required')
    assert.deepEqual(await counted(), before)
    for (const prompt of [undefined, 'consent', 'login'])
      assert.ok(isSignIn(await browser.open(await asking({ id_token_hint: hint, prompt }))), prompt)
  })

  test('lets the person it names sign in and continue; anybody else ends in login_required, and nothing is granted', async () => {
    const hint = await readIdToken('eli')
    for (const browser of [await signedIn('dev'), openBrowser(app.port, app.a)]) {
      const path = await asking({ id_token_hint: hint })
      const before = (await counted())?.grants
      const wrong = await signInOn(browser, await browser.open(path), getPerson('femi'))
      assert.equal(readError(wrong), 'login_required')
      assert.equal((await counted())?.grants, before)
      const consent = await signInOn(browser, await browser.open(path), getPerson('eli'))
      assert.ok(isConsent(consent), consent.text)
      assert.ok(readCallback(await fillIn(browser, consent, { decision: 'approve' })).searchParams.has('code'))
    }
  })

  test('the sign-in page cannot be walked around, nor the person exchanged before the button is pressed', async () => {
    const hint = await readIdToken('eli')
    const browser = await signedIn('dev')
    const signIn = await browser.open(await asking({ id_token_hint: hint }))
    const handle = new Map(parseForm(signIn).fields).get('request') ?? ''
    assert.equal(readError(await browser.open(`/oauth/authorize/consent?request=${handle}`)), 'login_required')
    const consent = await signInOn(browser, signIn, getPerson('eli'))
    // In another tab Femi signs in, and Eli's page is still open.
    await signInOn(browser, await browser.open(await asking({ prompt: 'login' })), getPerson('femi'))
    const before = (await counted())?.grants
    for (const decision of ['approve', 'approve_read', 'deny'])
      assert.equal(readError(await fillIn(browser, consent, { decision })), 'login_required', decision)
    assert.equal((await counted())?.grants, before)
  })

  test('creating an account instead ends in login_required', async () => {
    const browser = openBrowser(app.port, app.a)
    const email = 'hana@crumb.example'
    const page = await browser.open(await asking({ id_token_hint: await readIdToken('eli'), prompt: 'create' }))
    const account = { name: 'Hana Sato', email, password: 'levain at four in the morning' }
    const codePage = await fillIn(browser, page, account)
    const reply = await fillIn(browser, codePage, { code: await newestCode(mailbox, email) })
    assert.equal(readError(reply), 'login_required')
  })
})
