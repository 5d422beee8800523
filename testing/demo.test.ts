import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from './app.ts'
import { tablesWith } from './database.ts'
import { NOWHERE } from './demo.ts'

const app = testApp()

test('the address at which the first school was made is nowhere any more', async () => {
  assert.deepEqual(await tablesWith(app.database, new URL(NOWHERE).host), [])
  assert.deepEqual((await tablesWith(app.database, new URL(app.a.baseUrl).host)).sort(), ['hosts', 'schools'])
})

test('the first school answers and issues at its own address', async () => {
  const { json } = await app.send({ path: '/.well-known/openid-configuration' })
  assert.equal(json.issuer, `http://localhost:${app.port}`)
})
