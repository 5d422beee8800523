import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { testApp } from '#testing/app.ts'
import { startAppProcess } from '#testing/app-process.ts'
import { send } from '#testing/http.ts'
import { type Ran, stoa } from '#testing/stoa.ts'
import { connect } from '#testing/tokens.ts'

const app = testApp()
const BADGE = '/certificates/BAKED-WARM0-BREAD-DEM00/credential'
const OTHER_SECRET = 'another secret, as long as it has to be'

test('keys whose secret is lost are retired: earlier badges still verify, and new ones are signed with a new key', async () => {
  await connect(app, 'dev', { metadata: { client_name: 'makes a key that signs ID tokens' } })
  const dev = await app.actor('dev', { as: 'admin', scopes: ['school:read'] })
  const webhook = { url: 'https://hooks.example.org/', types: ['school.updated'] }
  const made = await dev.write('POST', '/webhooks', webhook)
  assert.equal(made.status, 201, made.text)
  const before = (await app.send({ path: BADGE })).text
  const run = (...args: string[]): Promise<Ran> =>
    stoa(args, { STOA_DATABASE_URL: app.database.appUrl, STOA_SECRET: OTHER_SECRET, STOA_DATA: '/nonexistent/stoa' })
  const output = await run('keys', 'replace-lost')
  assert.equal(output.code, 1)
  assert.match(output.err, /^stoa: \d+ keys of 2 schools cannot be unsealed .*--yes to do that\n$/)
  const { code, out, err } = await run('keys', 'replace-lost', '--yes', '--json')
  assert.equal(code, 0, err)
  const replaced: { school: string; keys: { kind: string }[] }[] = JSON.parse(out).replaced
  const ofA = replaced.find(({ school }) => school === app.a.baseUrl)
  assert.deepEqual([...new Set(ofA?.keys.map(({ kind }) => kind))].sort(), ['credentials', 'signing', 'webhooks'])
  const read = await dev.get(`/webhooks/${made.json.id}`)
  assert.deepEqual([read.json.status, read.json.disabled_reason], ['disabled', 'secret_lost'])
  assert.deepEqual(JSON.parse((await run('keys', 'replace-lost', '--yes', '--json')).out), { replaced: [] })
  const later = await startAppProcess({ databaseUrl: app.database.appUrl, secret: OTHER_SECRET, ca: '' })
  try {
    const get = (path: string) => send(later.port, { path, host: new URL(app.a.baseUrl).host })
    const after = await get(BADGE)
    assert.equal(after.status, 200, after.text)
    assert.notEqual(after.text, before)
    const keys = createLocalJWKSet((await get('/credentials/keys')).json)
    for (const badge of [before, after.text]) await jwtVerify(badge, keys)
  } finally {
    await later.stop()
  }
})
