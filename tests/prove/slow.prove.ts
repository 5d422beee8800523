import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '#src/db/database.ts'
import { createKeys } from '#src/oauth/index.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { send } from '#testing/http.ts'
import { type ServerProcess, startProcess } from '#testing/process.ts'
import { createSchool, crumbAndCrust } from '../../src/demo/index.ts'

const secret = randomBytes(32).toString('base64url')
let database: TestDatabase
let server: ServerProcess

before(async () => {
  database = await createTestDatabase()
  server = await startProcess({ databaseUrl: database.appUrl, secret })
  const own = openDatabase(database.appUrl, { wait: 10_000 })
  await createSchool(
    own,
    createKeys(secret),
    { ...crumbAndCrust, baseUrl: `http://localhost:${server.port}` },
    Date.now(),
  )
  await own.close()
})
after(async () => {
  await server?.stop()
  await database?.drop()
})

type Slow = {
  readonly socket: Socket
  readonly heard: { text: string; bytes: number }
  readonly closed: Promise<number>
}

// `closed` resolves to the seconds from the connection to its end.
const open = async (): Promise<Slow> => {
  const socket = connect(server.port, '127.0.0.1')
  await once(socket, 'connect')
  const began = performance.now()
  const heard = { text: '', bytes: 0 }
  socket.on('error', () => undefined)
  socket.on('data', chunk => {
    heard.bytes += chunk.length
    if (heard.text.length < 400) heard.text += chunk.toString('latin1')
  })
  const closed = once(socket, 'close').then(() => (performance.now() - began) / 1000)
  return { socket, heard, closed }
}

// A byte each second until the other side has had enough.
const drip = async ({ socket }: Slow, head: string, byte: string): Promise<void> => {
  socket.write(head)
  while (!socket.destroyed && socket.writable) {
    socket.write(byte)
    await pause(1000, undefined, { ref: false })
  }
}

const many = (count: number): Promise<Slow[]> => Promise.all(Array.from({ length: count }, open))

const head = (method: string, path: string): string =>
  `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n`

const assertServed = async (): Promise<void> => {
  const { status } = await send(server.port, { path: '/api/v1/school' })
  assert.equal(status, 200)
}

test('J-01 S-09 slow headers and bodies are cut off in time, and other requests are served, also beside a client that reads nothing', async () => {
  const headers = await many(300)
  const bodies = await many(100)
  const readers = await many(3)
  for (const one of headers) void drip(one, head('GET', '/api/v1/school'), 'X')
  const post = `${head('POST', '/api/oauth/register')}Content-Type: application/json\r\nContent-Length: 10000\r\n\r\n`
  for (const one of bodies) void drip(one, post, ' ')
  for (const { socket } of readers) {
    socket.pause()
    socket.write(`${head('GET', '/openapi.json')}\r\n`.repeat(100))
  }
  await assertServed()
  // 10 s for headers and 30 s for the whole request, each checked once a second.
  for (const { closed } of headers) assert.ok((await closed) < 20, 'slow headers')
  await assertServed()
  for (const { closed, heard } of bodies) {
    assert.ok((await closed) < 45, 'a slow body')
    assert.match(heard.text, /^(?:HTTP\/1\.1 408 |$)/)
  }
  await assertServed()
  for (const { socket } of readers) socket.destroy()
  await assertServed()
})
