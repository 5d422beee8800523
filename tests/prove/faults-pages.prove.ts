import assert from 'node:assert/strict'
import { people } from '#src/demo/index.ts'
import { PASSWORD } from '#testing/app.ts'
import { type Browser, openBrowser, parseForm } from '#testing/browser.ts'
import { faultyApp, type Prepared } from '#testing/faults/app.ts'
import { form, jsonBody, type TestReply, type TestRequest } from '#testing/http.ts'
import { authorizePath, CALLBACK, openConsent, pkce, readCallback, tokenRequest } from '#testing/oauth.ts'

const { app, visitor, prove, changed, underFaults, refusedUnderFaults, meetOnce, answered } = faultyApp()

const asking = ({ clientId }: Prepared) => ({ client_id: clientId, redirect_uri: CALLBACK, scope: 'account:read' })
const formatCookie = ({ cookies }: Browser): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
const joinCookies = (reply: TestReply): string =>
  (reply.headers['set-cookie'] ?? []).map(line => line.split(';')[0]).join('; ')
const asPage = (request: TestRequest, cookie: string): TestRequest => ({
  ...request,
  headers: { ...request.headers, accept: 'text/html', ...(cookie === '' ? {} : { cookie }) },
})

prove('an authorization is started, or 503 without a row', async prepared => {
  await underFaults(303, async run => {
    const request = asPage({ path: authorizePath({ ...asking(prepared), code_challenge: pkce().challenge }) }, '')
    const { met } = await meetOnce(run, request)
    const reply = await answered(met, request)
    const page = await app.send(asPage({ path: String(reply.headers.location) }, joinCookies(reply)))
    assert.match(page.text, /name="password"/, run.why(met))
    return met
  })
})

const signInPage = async (prepared: Prepared) => {
  // Every run is one use of the rate limits of sign-in.
  await app.moveClock(901)
  const own = openBrowser(app.port, app.a)
  const { fields, action } = parseForm(
    await own.open(authorizePath({ ...asking(prepared), code_challenge: pkce().challenge })),
  )
  return (password: string) =>
    asPage(
      form(action, [
        ...fields.filter(([name]) => name === 'request'),
        ['email', people.dev.email],
        ['password', password],
      ]),
      formatCookie(own),
    )
}

prove('a sign-in creates a session, or 503 without one; the same form again signs in', async prepared => {
  await underFaults(303, async run => {
    const request = (await signInPage(prepared))(PASSWORD)
    const { met } = await meetOnce(run, request)
    const again = await answered(met, request)
    // Also where the session was created and the reply was lost: the second submission gets what the first would have got.
    assert.equal(again.status, 303, run.why(met))
    const consent = await app.send(asPage({ path: String(again.headers.location) }, joinCookies(again)))
    assert.match(consent.text, /name="decision"/, run.why(met))
    return met
  })
})

prove('a wrong password never signs in', async prepared => {
  const grown = await changed(async () => {
    await refusedUnderFaults(400, async () => (await signInPage(prepared))('not the password'))
  })
  assert.equal(grown.sessions, undefined)
})

prove('a decision is stored with its code, or 503; the same form again is one approval', async prepared => {
  await underFaults(303, async run => {
    // Every run is one more authorization of the same member.
    await app.moveClock(601)
    const { verifier, challenge } = pkce()
    const { action, fields } = parseForm(
      await openConsent(prepared.browser, visitor(), { ...asking(prepared), code_challenge: challenge }),
    )
    const request = asPage(form(action, [...fields, ['decision', 'approve']]), formatCookie(prepared.browser))
    const { met, grown } = await meetOnce(run, request)
    let code = readCallback(met.reply).searchParams.get('code')
    const grownAfter = await changed(async () => {
      code = readCallback(await answered(met, request)).searchParams.get('code')
    })
    assert.ok(code)
    assert.equal((grown.grants ?? 0) + (grownAfter.grants ?? 0), 1, run.why(met))
    const granted = {
      grant_type: 'authorization_code',
      client_id: prepared.clientId,
      redirect_uri: CALLBACK,
      code_verifier: verifier,
    }
    const { status, text } = await tokenRequest(app.port, app.a, { ...granted, code })
    assert.equal(status, 200, `${run.why(met)}: ${text}`)
    return met
  })
})

prove('a decision without the session that it belongs to is never accepted', async prepared => {
  await app.moveClock(601)
  const { action, fields } = parseForm(
    await openConsent(prepared.browser, visitor(), { ...asking(prepared), code_challenge: pkce().challenge }),
  )
  const stranger = openBrowser(app.port, app.a)
  await stranger.open(authorizePath({ ...asking(prepared), code_challenge: pkce().challenge }))
  const request = asPage(form(action, [...fields, ['decision', 'approve']]), formatCookie(stranger))
  const grown = await changed(() => refusedUnderFaults(400, () => request))
  assert.deepEqual(grown, {})
})

let networks = 0
for (const method of ['none', 'client_secret_post']) {
  prove(`a registration (${method}) creates one client, or 503 and none`, async () => {
    await underFaults(201, async run => {
      const from = { 'x-forwarded-for': `10.0.${networks >> 8}.${networks++ & 255}` }
      const metadata = {
        client_name: `Fault ${networks}`,
        redirect_uris: [CALLBACK],
        token_endpoint_auth_method: method,
      }
      const request = jsonBody('POST', '/api/oauth/register', metadata, from)
      const { met, grown } = await meetOnce(run, request)
      const wasLost = met.reply.status === 503 && grown.clients === 1
      const reply = await answered(met, request)
      assert.equal(reply.status, 201, `${run.why(met)}: ${reply.text}`)
      const [row] = await app.database.query<{ count: number }>(
        'select count(*)::integer as count from clients where name = $1',
        [metadata.client_name],
      )
      // A secret is returned once: a client that did not get it registers again.
      assert.equal(row?.count, wasLost && method !== 'none' ? 2 : 1, run.why(met))
      const prepared = { client_id: reply.json.client_id, redirect_uri: CALLBACK, scope: 'openid' }
      const response = await app.send({ path: authorizePath({ ...prepared, code_challenge: pkce().challenge }) })
      assert.match(String(response.headers.location), /^\/oauth\/authorize\/sign-in/, run.why(met))
      return met
    })
  })
}
