import assert from 'node:assert/strict'
import { type Attempt, faultyApp, type Prepared } from '#testing/faults/app.ts'
import { form, type TestRequest } from '#testing/http.ts'
import { approve, pkce, tokenRequest } from '#testing/oauth.ts'
import { type Connected, callAt, connect, REFRESHING, refreshAt } from '#testing/tokens.ts'

const { app, visitor, prove, changed, underFaults, refusedUnderFaults, meetOnce, answered } = faultyApp()

// Every kind of fault, of which the one statement meets each.
const ONE_STATEMENT = [undefined, 1] as const

/** Approves a client as the signed-in person, up to its code. */
const approved = ({ browser }: Prepared) => approve(visitor(), { browser, metadata: REFRESHING })

const exchanged = async (prepared: Prepared): Promise<Connected> => {
  const { exchange, clientId: id } = await approved(prepared)
  const answer = await tokenRequest(app.port, app.a, exchange)
  assert.equal(answer.status, 200, answer.text)
  const { access_token: access, refresh_token: refresh } = answer.json
  return { school: app.a, clientId: id, credentials: { client_id: id }, access, refresh, answer, exchange }
}

const tokenForm = (fields: Readonly<Record<string, string>>) => form('/api/oauth/token', fields)

prove('a code gives valid tokens, or 503 and stays valid', async prepared => {
  await underFaults(
    200,
    async run => {
      const { exchange } = await approved(prepared)
      const { met, grown } = await meetOnce(run, tokenForm(exchange))
      const again = await answered(met, tokenForm(exchange))
      if (met.reply.status === 503 && grown.access_tokens === 1) {
        // RFC 6749 §4.1.2: the code was used and its reply lost, so a second use revokes the tokens of the first.
        assert.equal(again.json.error, 'invalid_grant', run.why(met))
        const activeTokens = 'access_tokens t join grants g on g.id = t.grant_id where g.revoked_at is null and g.id = '
        const last = '(select id from grants order by created_at desc, id desc limit 1)'
        const [row] = await app.database.query<{ count: number }>(
          `select count(*)::integer as count from ${activeTokens}${last}`,
        )
        assert.equal(row?.count, 0, run.why(met))
        return met
      }
      assert.equal(again.status, 200, `${run.why(met)}: ${again.text}`)
      assert.equal(await callAt(app.port, app.a, again.json.access_token), 200)
      const fields = {
        grant_type: 'refresh_token',
        client_id: prepared.clientId,
        refresh_token: again.json.refresh_token,
      }
      assert.equal((await tokenRequest(app.port, app.a, fields)).status, 200)
      return met
    },
    ...ONE_STATEMENT,
  )
})

prove('a wrong verifier never gets tokens, and the code stays valid', async prepared => {
  const { exchange } = await approved(prepared)
  const wrong = { ...exchange, code_verifier: pkce().verifier }
  const grown = await changed(() => refusedUnderFaults(400, () => tokenForm(wrong)))
  assert.deepEqual(grown, {})
  assert.equal((await app.send(tokenForm(exchange))).status, 200)
})

prove('a refresh rotates, or 503; the same token again succeeds, with one access token', async prepared => {
  const connected = await exchanged(prepared)
  let { refresh } = connected
  await underFaults(
    200,
    async run => {
      const request = tokenForm({ grant_type: 'refresh_token', ...connected.credentials, refresh_token: refresh })
      const { met, grown } = await meetOnce(run, request)
      const first = grown.access_tokens ?? 0
      let last = met.reply
      const again = await changed(async () => {
        last = await answered(met, request)
      })
      assert.equal(last.status, 200, `${run.why(met)}: ${last.text}`)
      assert.deepEqual(again, first === 1 ? {} : { access_tokens: 1 }, run.why(met))
      assert.equal(await callAt(app.port, app.a, last.json.access_token), 200)
      refresh = last.json.refresh_token
      return met
    },
    ...ONE_STATEMENT,
  )
})

prove('a refresh token of another client is never exchanged', async prepared => {
  const connected = await exchanged(prepared)
  const other = await connect(app, 'eli', { metadata: { client_name: 'Another' } })
  const fields = { grant_type: 'refresh_token', ...other.credentials, refresh_token: connected.refresh }
  const grown = await changed(() => refusedUnderFaults(400, () => tokenForm(fields)))
  assert.deepEqual(grown, {})
  assert.equal((await refreshAt(app.port, connected, connected.refresh)).status, 200)
})

prove('a token revoked with 200 is invalid, and 503 may be retried', async prepared => {
  await underFaults(200, async run => {
    const connected = await exchanged(prepared)
    const request = form('/api/oauth/revoke', { ...connected.credentials, token: connected.refresh })
    const met = await run.meet(() => app.send(request))
    if (met.reply.status === 503) assert.equal((await app.send(request)).status, 200, run.why(met))
    assert.equal(await callAt(app.port, app.a, connected.access), 401, run.why(met))
    return met
  })
})

prove('introspection never calls a valid token inactive or an invalid one active', async prepared => {
  const connected = await exchanged(prepared)
  const ask = () => form('/api/oauth/introspect', { ...connected.credentials, token: connected.access })
  const answers =
    (active: boolean): Attempt =>
    async run => {
      const met = await run.meet(() => app.send(ask()))
      if (met.reply.status === 200) assert.equal(met.reply.json.active, active, run.why(met))
      return met
    }
  await underFaults(200, answers(true), ...ONE_STATEMENT)
  await app.send(form('/api/oauth/revoke', { ...connected.credentials, token: connected.access }))
  await underFaults(200, answers(false), ...ONE_STATEMENT)
})

prove('userinfo returns the person or 503, and never without a valid token', async prepared => {
  const connected = await exchanged(prepared)
  const ask = (): TestRequest => ({
    path: '/api/oauth/userinfo',
    headers: { authorization: `Bearer ${connected.access}` },
  })
  const clean = await app.send(ask())
  assert.equal(clean.status, 200, clean.text)
  await underFaults(200, async run => {
    const met = await run.meet(() => app.send(ask()))
    if (met.reply.status === 200) assert.equal(met.reply.text, clean.text)
    return met
  })
  await app.send(form('/api/oauth/revoke', { ...connected.credentials, token: connected.access }))
  await refusedUnderFaults(401, () => ask())
})
