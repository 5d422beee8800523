import assert from 'node:assert/strict'
import { test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { approve, tokenRequest } from '#testing/oauth.ts'

const app = testApp({ hasUsualRates: true })

const createApproval = async (name: PersonName) => {
  const visitor = { port: app.port, school: app.a, email: people[name].email, password: PASSWORD }
  const { exchange, clientId } = await approve(visitor, { parameters: { scope: 'openid account:read offline_access' } })
  const { json } = await tokenRequest(app.port, app.a, exchange)
  return { clientId: String(clientId), token: String(json.access_token), refresh: String(json.refresh_token) }
}

const readRate = async (path: string, token?: string): Promise<{ policy: string; left: number }> => {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const reply = await app.send({ path, headers })
  assert.equal(reply.status, 200, reply.text)
  const left = /;r=(\d+);/.exec(String(reply.headers.ratelimit))?.[1]
  return { policy: String(reply.headers['ratelimit-policy']), left: Number(left) }
}

test('one approval has 3,000 requests a minute, whichever of its tokens is used; another approval has its own', async () => {
  const dev = await createApproval('dev')
  assert.deepEqual(await readRate('/api/v1/account', dev.token), { policy: '"grant";q=3000;w=60', left: 2999 })
  const { json } = await tokenRequest(app.port, app.a, {
    grant_type: 'refresh_token',
    refresh_token: dev.refresh,
    client_id: dev.clientId,
  })
  assert.equal((await readRate('/api/v1/account', json.access_token)).left, 2998)
  const again = await createApproval('dev')
  assert.equal((await readRate('/api/v1/account', again.token)).left, 2999)
})

test('a network has 6,000 requests a minute, which every anonymous request counts against', async () => {
  const first = await readRate('/api/v1/school')
  assert.equal(first.policy, '"network";q=6000;w=60')
  const second = await readRate('/api/v1/school')
  assert.ok(second.left === first.left - 1 || second.left === 5999, 'one less, or a new window')
})
