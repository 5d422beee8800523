import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { send } from '#testing/http.ts'
import { startProcess } from '#testing/process.ts'
import { isWhole } from '#testing/rounds.ts'

const app = testApp()
// Many times the heap.
const SIZE = isWhole ? 2_000_000_000 : 500_000_000
// At rest a process has about 64 MB in its heap: the code and the schemas of all areas.
const HEAP_MB = 96
const PIECE = randomBytes(1_000_000)

function* pieces() {
  for (let sent = 0; sent < SIZE; sent += PIECE.length) yield PIECE
}

const digest = (): string => {
  const hash = createHash('sha256')
  for (const piece of pieces()) hash.update(piece)
  return hash.digest('hex')
}

/** The most memory a process ever had, in MB; where the system tells. */
const readPeak = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1000)
}

test(`${SIZE / 1e6} MB go in and out through a process with ${HEAP_MB} MB of heap`, { timeout: 110_000 }, async () => {
  const { token } = await app.actor('ben', { scopes: ['storage:write'] })
  const server = await startProcess(
    { databaseUrl: app.database.appUrl, secret: app.secret },
    { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` },
  )
  const began = performance.now()
  const host = new URL(app.a.baseUrl).host
  const headers = { host, authorization: `Bearer ${token}` }
  const at = { host: '127.0.0.1', port: server.port, headers }
  const sha256 = digest()
  const quiet = await readPeak(server.pid)
  const { json } = await send(server.port, {
    method: 'POST',
    path: '/api/v1/uploads',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      filename: 'film.bin',
      content_type: 'application/x-film',
      byte_size: SIZE,
      purpose: 'course',
      sha256,
    }),
  })
  const outgoing = request({
    ...at,
    method: 'PUT',
    path: `/api/v1/uploads/${json.id}/content`,
    headers: { ...headers, 'content-length': SIZE },
  })
  Readable.from(pieces(), { objectMode: false, highWaterMark: PIECE.length }).pipe(outgoing)
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
  assert.equal(answer.statusCode, 200)
  answer.resume()
  const done = await send(server.port, { method: 'POST', path: `/api/v1/uploads/${json.id}/completion`, headers })
  assert.equal(done.json.status, 'ready', done.text)
  const url = new URL(done.json.file.url)
  const incoming = request({ ...at, path: `${url.pathname}${url.search}`, headers: { host } }).end()
  const [file] = (await once(incoming, 'response')) as [IncomingMessage]
  const hash = createHash('sha256')
  for await (const chunk of file) hash.update(chunk as Buffer)
  assert.equal(hash.digest('hex'), sha256)
  const peak = await readPeak(server.pid)
  const seconds = Math.round((performance.now() - began) / 100) / 10
  console.log(`${SIZE / 1e6} MB in and out in ${seconds} s; the process had ${quiet} MB before and ${peak} MB at most`)
  assert.ok(peak - quiet < 150, `${peak} MB`)
  await server.stop()
})
