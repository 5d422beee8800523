import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { testApp } from '#testing/app.ts'
import { send } from '#testing/http.ts'
import { type ServerProcess, startProcess } from '#testing/process.ts'
import { computeRounds } from '#testing/rounds.ts'
import { until } from '#testing/until.ts'

const app = testApp()
const ROUNDS = computeRounds(12)
const LANES = 4

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

type Acknowledged = { readonly url: string; readonly sha256: string }

/** Uploads one file after another until the server is gone; notes what was acknowledged as ready. */
const upload = async (server: ServerProcess, token: string, ready: Acknowledged[]): Promise<void> => {
  const headers = { host: new URL(app.a.baseUrl).host, authorization: `Bearer ${token}` }
  const json = { ...headers, 'content-type': 'application/json' }
  for (;;) {
    const bytes = randomBytes(300_000)
    const input = { filename: 'a.bin', content_type: 'application/x-loaf', byte_size: bytes.length, purpose: 'product' }
    const created = await send(server.port, {
      method: 'POST',
      path: '/api/v1/uploads',
      headers: json,
      body: JSON.stringify(input),
    })
    const path = `/api/v1/uploads/${created.json?.id}`
    await send(server.port, { method: 'PUT', path: `${path}/content`, headers, body: bytes })
    const done = await send(server.port, { method: 'POST', path: `${path}/completion`, headers })
    if (done.json?.status === 'ready') ready.push({ url: done.json.file.url, sha256: sha256(bytes) })
  }
}

test(`S-01 after ${ROUNDS} kills every acknowledged file exists, byte for byte, and the quota is exact`, {
  timeout: 300_000,
}, async () => {
  const { token } = await app.actor('ben', { scopes: ['storage:write'] })
  const ready: Acknowledged[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const server = await startProcess(
      { databaseUrl: app.database.appUrl, secret: app.secret },
      { STOA_STORAGE: app.folder },
    )
    const uploads = Array.from({ length: LANES }, () => upload(server, token, ready).catch(() => undefined))
    const wanted = ready.length + LANES
    await until(async () => ready.length >= wanted, 'files that are acknowledged')
    await pause((round * 37) % 70)
    await server.kill()
    await Promise.all(uploads)
  }
  for (const { url, sha256: expected } of ready) {
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
    assert.equal(sha256(bytes), expected)
  }
  const [{ counted, sum } = { counted: '', sum: '' }] = await app.database.query<{ counted: string; sum: string }>(
    `select (select bytes from storage_totals where school_id = $1) as counted,
      (select sum(byte_size) from uploads where school_id = $1 and status in ('created', 'received', 'ready')) as sum`,
    [app.a.id],
  )
  assert.equal(counted, sum)
  const rows = await app.database.query<{ key: string }>(
    `select object_key as key from uploads where status = 'ready' and filename = 'a.bin'`,
  )
  for (const { key } of rows)
    assert.equal((await app.files.store.find(key))?.size, 300_000, 'a ready row has its object')
  console.log(`S-01: ${ready.length} files were acknowledged over ${ROUNDS} kills`)
})
