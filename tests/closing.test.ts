import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { limits } from '#src/http/index.ts'
import { startApp } from '#testing/app.ts'
import { uploader } from '#testing/uploads.ts'

// More than the system takes in for a client that does not read.
const BYTES = 12_000_000

test('S-13 a connection whose answer ends after the server began to close is closed with it, not kept alive', async () => {
  const app = await startApp()
  const dev = await uploader(app, 'dev')
  const { url } = (await dev.upload(randomBytes(BYTES))).json.file
  const { host, port, pathname, search } = new URL(url)
  const socket = connect({ host: '127.0.0.1', port: Number(port) })
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  const [head] = (await once(socket, 'data')) as [Buffer]
  socket.pause()
  assert.match(head.toString('latin1'), /^HTTP\/1\.1 200 /)
  assert.doesNotMatch(head.toString('latin1'), /\r\nconnection: close/i)
  const stopped = app.stop()
  await pause(limits.idleLook * 4)
  let taken = head.length
  socket.on('data', (chunk: Buffer) => {
    taken += chunk.length
  })
  socket.resume()
  // The server alone ends it: the client would wait for another answer, for as long as connections are kept alive.
  const ended = once(socket, 'end').then(() => 'ended')
  assert.equal(await Promise.race([ended, pause(limits.keepAliveTimeout / 2, 'kept', { ref: false })]), 'ended')
  assert.ok(taken > BYTES, `${taken} bytes arrived`)
  await stopped
})
