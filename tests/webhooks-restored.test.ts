import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { signInActor } from '#testing/actor.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { createInstallation, emptyInstallation, makeBackup, restoreInto, testFolder } from '#testing/backup.ts'
import { startProcess } from '#testing/process.ts'
import { isSignedWith, type Receiver, startReceiver } from '#testing/receiver.ts'
import { until } from '#testing/until.ts'

const app = testApp()
const SCOPES = ['school:read']
let receiver: Receiver
before(async () => {
  receiver = await startReceiver()
})
after(() => receiver.stop())

test('a restored webhook is disabled and sends nothing by itself; enabled it signs with the secret that it had', async () => {
  const dev = await app.actor('dev', { as: 'admin', scopes: SCOPES })
  const made = await dev.write('POST', '/webhooks', { url: receiver.url, types: ['school.updated'] })
  assert.equal(made.status, 201, made.text)
  const path = `/webhooks/${made.json.id}`
  const waiting = await dev.write('POST', `${path}/tests`, { type: 'school.updated' })
  assert.equal(waiting.json.status, 'waiting', waiting.text)
  const file = join(await testFolder(), 'webhooks.stoa')
  await makeBackup(await createInstallation(app.database, app.secret), file)
  const target = await emptyInstallation(app.secret)
  await restoreInto(target, file)
  const left = await target.database.query(`select kind from jobs where kind in ('webhook', 'distribution')`)
  assert.deepEqual(left, [])
  const server = await startProcess({ databaseUrl: target.database.appUrl, secret: target.secret })
  try {
    const visitor = { port: server.port, school: app.a, email: people.dev.email, password: PASSWORD }
    const later = await signInActor(visitor, { scopes: SCOPES })
    const restored = (await later.get(path)).json
    assert.deepEqual(
      [restored.status, restored.disabled_reason, restored.waiting_count, restored.secret_hint],
      ['disabled', 'restored', 0, made.json.secret_hint],
    )
    assert.equal((await later.get(`${path}/deliveries/${waiting.json.id}`)).json.status, 'dropped')
    const enabled = await later.write('PUT', `${path}/activation`)
    assert.deepEqual([enabled.status, enabled.json.status], [200, 'active'], enabled.text)
    const sent = await later.write('POST', `${path}/tests`, { type: 'school.updated' })
    await until(async () => receiver.received.length > 0, 'the test')
    const [one, ...others] = receiver.received
    assert.ok(one)
    assert.deepEqual([one.json.id, others], [sent.json.id, []])
    assert.ok(isSignedWith(made.json.secret, one))
  } finally {
    await server.stop()
  }
})
