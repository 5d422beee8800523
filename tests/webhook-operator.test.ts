// One thing: what the operator reads of webhooks, by `stoa doctor` and by the metrics of a process.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { send } from '#testing/http.ts'
import { freePort } from '#testing/ports.ts'
import { startProcess } from '#testing/process.ts'
import { type Receiver, startReceiver, withStatus } from '#testing/receiver.ts'
import { stoaHere } from '#testing/stoa.ts'
import { until } from '#testing/until.ts'

// Nothing is sent here but by the process of a test.
const app = testApp()
let receiver: Receiver
let dev: Actor
before(async () => {
  receiver = await startReceiver()
  dev = await app.actor('dev', { as: 'admin', scopes: ['school:read', 'courses:read', 'courses:write'] })
})
after(() => receiver.stop())
afterEach(() => app.database.query('delete from webhooks'))

const create = async (): Promise<string> => {
  const made = await dev.write('POST', '/webhooks', { url: receiver.url, types: ['course.created'] })
  assert.equal(made.status, 201, made.text)
  return `/webhooks/${made.json.id}`
}

type Finding = { readonly check: string; readonly ok: boolean; readonly warning?: true; readonly says: string }

const settings = (more: Readonly<Record<string, string>> = {}) => ({
  STOA_DATABASE_URL: app.database.appUrl,
  STOA_SECRET: app.secret,
  STOA_DATA: app.folder,
  STOA_STORAGE: app.folder,
  ...more,
})

const readFinding = async (): Promise<Finding | undefined> => {
  const { out } = await stoaHere(['doctor', '--json'], settings())
  const { findings } = JSON.parse(out) as { readonly findings: readonly Finding[] }
  return findings.find(({ check }) => check === `webhooks of ${app.a.baseUrl}`)
}

test('doctor warns of webhooks that have failed for a day, and of no other ones', async () => {
  await create()
  const check = `webhooks of ${app.a.baseUrl}`
  const fine = { check, ok: true, says: 'none is failing for a day' }
  assert.deepEqual(await readFinding(), fine)
  const failFor = (hours: number) =>
    app.database.query(
      `update webhooks set status = 'failing', failing_since = stoa.now() - make_interval(hours => $1)`,
      [hours],
    )
  await failFor(23)
  assert.deepEqual(await readFinding(), fine)
  await failFor(25)
  assert.deepEqual(await readFinding(), { check, ok: true, warning: true, says: '1 failing for a day' })
})

test('doctor fails where more than 1,000 facts were not distributed to a webhook that is not disabled', async () => {
  const path = await create()
  const [fact] = await app.database.query<{ id: string }>(
    `update facts set sequence = 5000 where id = (select id from facts where school_id = $1 limit 1) returning id`,
    [app.a.id],
  )
  assert.ok(fact)
  const distributeUntil = (position: number) => app.database.query('update distributions set position = $1', [position])
  await distributeUntil(4000)
  assert.equal((await readFinding())?.ok, true)
  await distributeUntil(3999)
  const behind = await readFinding()
  assert.deepEqual([behind?.ok, behind?.says], [false, '1001 facts not distributed'])
  await dev.write('DELETE', `${path}/activation`)
  assert.equal((await readFinding())?.ok, true)
  await app.database.query('update facts set sequence = null where id = $1', [fact.id])
})

test('doctor shows the networks that webhooks may be sent to, and where metrics are served', async () => {
  const more = { STOA_OUTBOUND_ALLOW: '10.20.0.0/16, fd00::/8', STOA_METRICS_ADDRESS: '[::1]:9464' }
  const { out } = await stoaHere(['doctor'], settings(more))
  assert.match(out, /^ {2}outboundAllow +10\.20\.0\.0\/16, fd00::\/8$/m)
  assert.match(out, /^ {2}metricsAddress +\[::1\]:9464$/m)
  for (const address of [
    'localhost:9464',
    '127.0.0.1',
    '127.0.0.1:0',
    '127.0.0.1:65536',
    '::1:9464',
    '[127.0.0.1]:1',
  ]) {
    const refused = await stoaHere(['doctor'], settings({ STOA_METRICS_ADDRESS: address }))
    assert.deepEqual([refused.code, refused.out], [1, ''])
    assert.match(refused.err, /^stoa: STOA_METRICS_ADDRESS is an IP address and a port, such as 127\.0\.0\.1:9464; /)
  }
})

test('the metrics of a process count attempts by their outcome, and say how long the oldest fact waits', async () => {
  const port = await freePort()
  const path = await create()
  const server = await startProcess(
    { databaseUrl: app.database.appUrl, secret: app.secret },
    { STOA_METRICS_ADDRESS: `127.0.0.1:${port}` },
  )
  try {
    const read = async (): Promise<string> => {
      const { status, text, headers } = await send(port, { path: '/metrics' })
      assert.deepEqual([status, headers['content-type']], [200, 'text/plain; version=0.0.4; charset=utf-8'])
      return text
    }
    const readLine = async (name: string) => (await read()).split('\n').find(line => line.startsWith(name))
    assert.equal(await readLine('stoa_webhook_oldest_waiting_seconds'), 'stoa_webhook_oldest_waiting_seconds 0')
    const counted = (line: string) => until(async () => (await read()).split('\n').includes(line), line)
    for (const [status, line] of [
      [200, 'stoa_webhook_attempts_total{outcome="2xx"} 1'],
      [404, 'stoa_webhook_attempts_total{outcome="4xx"} 1'],
      [302, 'stoa_webhook_attempts_total{outcome="redirect"} 1'],
    ] as const) {
      receiver.answer(withStatus(status))
      assert.equal((await dev.write('POST', `${path}/tests`, { type: 'course.created' })).status, 201)
      await counted(line)
    }
    receiver.answer(withStatus(503, { 'retry-after': '7200' }))
    assert.equal((await dev.write('POST', '/courses', { name: 'Rye', slug: 'rye-waits' })).status, 201)
    await counted('stoa_webhook_attempts_total{outcome="5xx"} 1')
    await app.database.query(
      `update webhook_deliveries set created_at = stoa.now() - interval '1 hour' where status = 'waiting'`,
    )
    const age = Number((await readLine('stoa_webhook_oldest_waiting_seconds'))?.split(' ')[1])
    assert.ok(age >= 3600 && age < 7200, String(age))
    await dev.write('DELETE', `${path}/activation`)
    assert.equal(await readLine('stoa_webhook_oldest_waiting_seconds'), 'stoa_webhook_oldest_waiting_seconds 0')
    for (const request of [{ path: '/' }, { path: '/metrics', method: 'POST' }] as const)
      assert.equal((await send(port, request)).status, 404)
    assert.equal((await send(server.port, { path: '/metrics', host: new URL(app.a.baseUrl).host })).status, 404)
  } finally {
    await server.stop()
  }
})
