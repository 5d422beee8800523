import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { testApp } from '#testing/app.ts'
import type { TestReply } from '#testing/http.ts'
import { type ServerProcess, startProcess } from '#testing/process.ts'
import { type Connected, callAt, connect, introspectAt, lastCallAt, refreshAt, revokeAt } from '#testing/tokens.ts'

const app = testApp()
const TIMES = 50
let one: ServerProcess
let two: ServerProcess

const begin = (): Promise<ServerProcess> => startProcess({ databaseUrl: app.database.appUrl, secret: app.secret })

const choosePort = (n: number): number => (n % 2 === 0 ? one.port : two.port)
const times = <T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))
const fresh = (client_name: string): Promise<Connected> => connect(app, 'dev', { metadata: { client_name } })

const assertNoFault = (replies: readonly TestReply[]): void => {
  for (const { status, text } of replies) assert.ok(status < 500, text)
}

const readCount = async (text: string, client: Connected): Promise<number> =>
  Number((await app.database.query<{ n: string }>(text, [client.clientId]))[0]?.n)

const countTokens = (client: Connected) =>
  readCount(
    'select count(*) as n from access_tokens t join grants g on g.id = t.grant_id where g.client_id = $1',
    client,
  )

suite('two processes on one database', () => {
  before(async () => {
    ;[one, two] = await Promise.all([begin(), begin()])
  })
  after(() => Promise.all([one.stop(), two.stop()]))

  test(`C-01 race ×${TIMES}: all requests with the current refresh token get the identical next one; no fork, no loss`, async () => {
    const client = await fresh('race')
    let token = client.refresh
    for (let round = 1; round <= 6; round++) {
      const replies = await times(TIMES, n => refreshAt(choosePort(n), client, token))
      assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
      assert.equal(new Set(replies.map(({ json }) => json.refresh_token)).size, 1)
      assert.equal(new Set(replies.map(({ json }) => json.access_token)).size, 1)
      assert.equal(await countTokens(client), round + 1)
      token = replies[0]?.json.refresh_token
    }
    const families = await readCount(
      'select count(*) as n from refresh_families f join grants g on g.id = f.grant_id where g.client_id = $1',
      client,
    )
    assert.equal(families, 1)
    assert.equal((await refreshAt(one.port, client, token)).status, 200)
  })

  test(`race ×${TIMES} of two scopes: one successor for all, and each access token with the requested scope`, async () => {
    const client = await fresh('race of widths')
    const replies = await times(TIMES, n =>
      refreshAt(choosePort(n), client, client.refresh, n % 3 === 0 ? { scope: 'school:read' } : {}),
    )
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
    assert.equal(new Set(replies.map(({ json }) => json.refresh_token)).size, 1)
    for (const [n, { json }] of replies.entries()) {
      const reply = await introspectAt(choosePort(n + 1), client, json.access_token)
      assert.deepEqual([reply.json.active, reply.json.scope], [true, json.scope])
      assert.equal(json.scope === 'school:read', n % 3 === 0)
    }
  })

  const assertDead = async (client: Connected, replies: readonly TestReply[]): Promise<void> => {
    const successes = replies.filter(({ status }) => status === 200)
    const refreshTokens = new Set([client.refresh, ...successes.map(({ json }) => String(json.refresh_token))])
    const accessTokens = new Set([client.access, ...successes.map(({ json }) => String(json.access_token))])
    for (const port of [one.port, two.port]) {
      for (const access of accessTokens) assert.equal(await lastCallAt(port, app.a, access), 401)
      for (const token of refreshTokens) {
        assert.deepEqual((await introspectAt(port, client, token)).json, { active: false })
        assert.equal((await refreshAt(port, client, token)).json.error, 'invalid_grant')
      }
    }
  }

  test('C-12 refreshes racing a revocation: all their tokens are invalid in both processes afterwards', async () => {
    for (let round = 0; round < 5; round++) {
      const client = await fresh(`revoked ${round}`)
      const refreshes = times(20, n => refreshAt(choosePort(n), client, client.refresh))
      const revoked = await revokeAt(choosePort(round), client, client.refresh)
      const replies = await refreshes
      assertNoFault(replies)
      assert.equal(revoked.status, 200)
      await assertDead(client, replies)
    }
  })

  test('C-02 refreshes racing a replay: the family ends, with one event and one fact, and no token stays valid', async () => {
    for (let round = 0; round < 5; round++) {
      const client = await fresh(`replayed ${round}`)
      const { json: next } = await refreshAt(one.port, client, client.refresh)
      await app.moveClock(61)
      const mixed = await times(30, n =>
        refreshAt(choosePort(n), client, n % 3 === 0 ? client.refresh : next.refresh_token),
      )
      assertNoFault(mixed)
      for (const n of mixed.keys()) if (n % 3 === 0) assert.equal(mixed[n]?.json.error, 'invalid_grant')
      await assertDead(client, mixed)
      assert.equal(await readCount('select count(*) as n from security_events where client_id = $1', client), 1)
      assert.equal(await readCount(`select count(*) as n from facts where payload->>'client_id' = $1`, client), 1)
    }
  })

  // S-01: the process that answers is killed before, while or after it commits; the person's app tries again elsewhere.
  test('S-01 kill -9 during a refresh: the same refresh token works at the other process, and its answer is the one', async () => {
    const client = await fresh('killed')
    let token = client.refresh
    let lost = 0
    for (const wait of [0, 2, 4, 7, 11, 16]) {
      const victim = await begin()
      const answer = refreshAt(victim.port, client, token).catch(() => undefined)
      await pause(wait)
      process.kill(victim.pid, 'SIGKILL')
      const heard = await answer
      await victim.stop()
      const again = await refreshAt(one.port, client, token)
      assert.equal(again.status, 200, again.text)
      if (heard === undefined) lost++
      else assert.equal(again.json.refresh_token, heard.json.refresh_token)
      assert.equal(await callAt(two.port, app.a, again.json.access_token), 200)
      token = again.json.refresh_token
    }
    assert.ok(lost > 0, 'no answer was lost')
  })
})
