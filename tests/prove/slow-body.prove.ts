import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { uploader } from '#testing/uploads.ts'

const app = testApp()

/** What the server says to a request whose body never ends, and after how many seconds it closes. */
const stalled = (head: readonly string[]): Promise<{ reply: string; seconds: number }> =>
  new Promise(resolve => {
    const began = performance.now()
    let reply = ''
    const socket = connect(app.port, '127.0.0.1', () =>
      socket.write(`${[...head, `Host: 127.0.0.1:${app.port}`, 'Content-Length: 100', '', '{'].join('\r\n')}`),
    )
    socket.on('data', chunk => {
      reply += chunk.toString('latin1')
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve({ reply, seconds: (performance.now() - began) / 1000 }))
  })

test('J-01 a body that is no file has 30 s to arrive, wherever it is sent; others are served meanwhile', {
  timeout: 60_000,
}, async () => {
  const { token } = await app.actor('ada', { scopes: ['school:write', 'storage:write'] })
  const api = [`Authorization: Bearer ${token}`, 'Content-Type: application/json', 'If-Match: *']
  const slow = [
    stalled(['PATCH /api/v1/school HTTP/1.1', ...api]),
    stalled(['POST /api/v1/uploads HTTP/1.1', ...api]),
    stalled(['POST /api/oauth/token HTTP/1.1', 'Content-Type: application/x-www-form-urlencoded']),
  ]
  assert.equal((await app.send({ path: '/api/v1/school' })).status, 200)
  for (const { reply, seconds } of await Promise.all(slow)) {
    assert.match(reply, /^HTTP\/1\.1 408 /)
    assert.ok(seconds > 25 && seconds < 40, `${seconds}`)
  }
})

test('S-09 a reader who reads nothing of a file for 30 s loses the connection', { timeout: 90_000 }, async () => {
  const ben = await uploader(app, 'ben')
  const { json } = await ben.upload(Buffer.alloc(90_000_000), { purpose: 'post', content_type: 'application/x-loaf' })
  const { pathname, search } = new URL(json.file.url)
  const taken = await new Promise<number>(resolve => {
    let bytes = 0
    const socket = connect(app.port, '127.0.0.1', () => {
      socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: 127.0.0.1:${app.port}\r\n\r\n`)
      socket.pause()
      setTimeout(() => socket.resume(), 36_000)
    })
    socket.on('data', chunk => {
      bytes += chunk.length
      if (bytes > 90_000_000) socket.destroy()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(bytes))
  })
  assert.ok(taken < 90_000_000, `${taken} bytes came`)
})
