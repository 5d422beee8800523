import assert from 'node:assert/strict'
import { test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { openBrowser } from '#testing/browser.ts'
import type { TestReply } from '#testing/http.ts'
import { authorizePath, CALLBACK, openConsent, pkce, register } from '#testing/oauth.ts'

const app = testApp()
const MOST = 300
const TEN_MINUTES = 601

const requestAt = async (school = app.a) => ({
  client_id: String((await register(app.port, school)).json.client_id),
  redirect_uri: CALLBACK,
  scope: 'openid',
  code_challenge: pkce().challenge,
})

const countPending = async (): Promise<number> =>
  Number((await app.database.query<{ n: string }>('select count(*) as n from authorization_requests'))[0]?.n)

test('D-13 strangers begin 300 authorizations in ten minutes from one network, whatever it says of itself', async () => {
  const path = authorizePath(await requestAt())
  const abroad = authorizePath(await requestAt(app.b))
  const dev = openBrowser(app.port, app.a)
  await openConsent(dev, { email: people.dev.email, password: PASSWORD }, await requestAt())
  await app.moveClock(TEN_MINUTES)
  const before = await countPending()
  const replies: TestReply[] = []
  const begin = (n: number) =>
    app.send({ path, headers: { accept: 'text/html', 'x-forwarded-for': `203.0.113.${n % 250}` } })
  for (let n = 0; n < MOST + 40; n += 20)
    replies.push(...(await Promise.all(Array.from({ length: 20 }, (_, more) => begin(n + more)))))
  const refused = replies.filter(({ status }) => status !== 303)
  assert.equal(refused.length, 40)
  for (const { status, headers, text } of refused) {
    assert.equal(status, 429)
    assert.ok(Number(headers['retry-after']) > 0 && Number(headers['retry-after']) <= 600)
    assert.match(text, /<code>temporarily_unavailable<\/code>/)
  }
  assert.equal(await countPending(), before + MOST)
  const { status, json } = await app.send({ path })
  assert.deepEqual([status, json.error], [429, 'temporarily_unavailable'])
  assert.equal((await app.send({ path: abroad }, app.b)).status, 303, 'another school')
  assert.equal((await dev.open(path)).status, 200, 'who is signed in')
  assert.match(
    String((await app.send({ path: `${path}&prompt=none` })).headers.location),
    /error=login_required/,
    'what makes nothing',
  )
  await app.moveClock(TEN_MINUTES)
  assert.equal((await begin(0)).status, 303)
})
