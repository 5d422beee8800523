import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { freePort } from '#testing/ports.ts'
import { type Serving, serve, stoa } from '#testing/stoa.ts'

const app = testApp()
const started: Serving[] = []
after(async () => {
  for (const { child, ended } of started) {
    child.kill('SIGTERM')
    await ended()
  }
})

const settings = async (more: Readonly<Record<string, string>> = {}): Promise<Record<string, string>> => ({
  STOA_DATABASE_URL: app.database.appUrl,
  STOA_SECRET: app.secret,
  STOA_DATA: app.folder,
  STOA_PORT: String(await freePort()),
  ...more,
})

const start = async (env: Record<string, string>): Promise<Serving> => {
  const serving = await serve(env)
  started.push(serving)
  return serving
}

const answersAt = async (address: string, port: number | string): Promise<boolean> =>
  fetch(`http://${address}:${port}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  )

const occupy = async (host: string, port: number): Promise<Server> => {
  const server = createServer().listen({ host, port })
  await once(server, 'listening')
  return server
}

test('by default both addresses of the name localhost are served', async () => {
  const env = await settings()
  await start(env)
  for (const address of ['127.0.0.1', '[::1]', 'localhost'])
    assert.equal(await answersAt(address, env.STOA_PORT ?? ''), true)
})

test('where one of the two is taken, the start fails and names it', async () => {
  for (const [host, named] of [
    ['127.0.0.1', '127.0.0.1'],
    ['::1', '[::1]'],
  ] as const) {
    const port = await freePort()
    const other = await occupy(host, port)
    const { code, err } = await stoa(['serve'], await settings({ STOA_PORT: String(port) }))
    assert.equal(code, 1)
    assert.ok(err.includes(`stoa: port ${port} on ${named} is taken; choose another with STOA_PORT`), err)
    other.close()
  }
})

test('port 0 is one port that is free on both', async () => {
  const { output } = await start(await settings({ STOA_PORT: '0' }))
  const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(output.err)?.[1] ?? ''
  for (const address of ['127.0.0.1', '[::1]']) assert.equal(await answersAt(address, port), true, `${address}:${port}`)
})

test('an explicit address is served alone', async () => {
  for (const [host, served, other] of [
    ['127.0.0.1', '127.0.0.1', '[::1]'],
    ['::1', '[::1]', '127.0.0.1'],
  ] as const) {
    const env = await settings({ STOA_HOST: host })
    await start(env)
    const port = env.STOA_PORT ?? ''
    assert.deepEqual([await answersAt(served, port), await answersAt(other, port)], [true, false], host)
  }
})

test('S-13 a request under way at either address when SIGTERM arrives gets its reply, and the process ends', async () => {
  const env = await settings()
  const serving = await start(env)
  const port = Number(env.STOA_PORT)
  const body = JSON.stringify({ client_name: 'Slow', redirect_uris: ['http://127.0.0.1/callback'] })
  const head = `POST /api/oauth/register HTTP/1.1\r\nHost: ${new URL(app.a.baseUrl).host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  const sockets = ['127.0.0.1', '::1'].map(host => connect({ host, port }))
  const replies = sockets.map(socket => text(socket))
  for (const socket of sockets) {
    await once(socket, 'connect')
    socket.write(`${head}${body.slice(0, 10)}`)
  }
  // Until both requests have arrived, since a connection without one is ended.
  await answersAt('127.0.0.1', port)
  await answersAt('[::1]', port)
  serving.child.kill('SIGTERM')
  for (;;) if (!(await answersAt('[::1]', port)) && !(await answersAt('127.0.0.1', port))) break
  for (const socket of sockets) socket.write(body.slice(10))
  for (const reply of await Promise.all(replies)) assert.match(reply, /^HTTP\/1\.1 201 /)
  assert.equal(await serving.ended(), 0)
})
