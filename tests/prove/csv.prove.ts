import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { streamLimits } from '#src/db/stream.ts'
import { testApp } from '#testing/app.ts'
import { fillWithMembers } from '#testing/many.ts'
import { startProcess } from '#testing/process.ts'

const app = testApp()
const ROWS = 100_000
// What a page of rows and the buffers of a socket may add, and no more. Garbage counts too, so the heap is small: when it is
// collected must not decide.
const GROWTH_MB = 100
const SMALL_HEAP = '--max-old-space-size=96 --max-semi-space-size=1'

const open = (port: number, token: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, accept: 'text/csv', host: new URL(app.a.baseUrl).host }
    request({ host: '127.0.0.1', port, path: '/api/v1/members?sort=name', headers, agent: false }, resolve)
      .on('error', reject)
      .end()
  })

const streams = async (): Promise<number> => {
  const [row] = await app.database.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity
     where application_name = 'stoa stream' and datname = current_database()`,
  )
  return row?.count ?? -1
}

const until = async (count: number): Promise<void> => {
  const end = performance.now() + 10_000
  while ((await streams()) !== count) {
    assert.ok(performance.now() < end, `${await streams()} streams are open, not ${count}`)
    await pause(50)
  }
}

const megabytes = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

let filling: Promise<string> | undefined
const filled = (): Promise<string> => {
  filling ??= (async () => {
    const { token } = await app.actor('ada', { scopes: ['members:read'] })
    await fillWithMembers(app.database, [{ schoolId: app.a.id, members: ROWS }])
    return token
  })()
  return filling
}

test('H-20 100,000 rows go out as CSV in constant memory', async () => {
  const token = await filled()
  const server = await startProcess(
    { databaseUrl: app.database.appUrl, secret: app.secret },
    { NODE_OPTIONS: SMALL_HEAP },
  )
  try {
    await (await open(server.port, token)).take(1).toArray()
    const before = await megabytes(server.pid)
    const reply = await open(server.port, token)
    assert.equal(reply.statusCode, 200)
    let [most, lines, last] = [before, 0, '']
    for await (const chunk of reply) {
      last = String(chunk)
      lines += last.split('\r\n').length - 1
      most = Math.max(most, await megabytes(server.pid))
    }
    assert.ok(lines > ROWS * 0.95 && last.endsWith('# complete\r\n'), `${lines} lines`)
    console.log(`CSV: ${lines} lines, ${Math.round(before)} MB before, ${Math.round(most)} MB at most`)
    assert.ok(most - before < GROWTH_MB, `${before} MB grew to ${most}`)
  } finally {
    await server.stop()
  }
})

test('a reader who disconnects frees the connection of the stream, and a third concurrent stream is 503', async () => {
  const token = await filled()
  const two = [await open(app.port, token), await open(app.port, token)]
  for (const reply of two) assert.equal(reply.statusCode, 200)
  await until(2)
  const third = await open(app.port, token)
  assert.equal(third.statusCode, 503)
  assert.match(String(third.headers['retry-after']), /^\d+$/)
  third.resume()
  for (const reply of two) reply.destroy()
  await until(0)
})

test('a reader who stalls loses the stream after the limit, and the reply is incomplete', async () => {
  const token = await filled()
  const usual = streamLimits.stall
  Object.assign(streamLimits, { stall: 2000 })
  try {
    const reply = await open(app.port, token)
    assert.equal(reply.statusCode, 200)
    await until(1)
    await until(0)
    const text = await reply.toArray().then(
      chunks => Buffer.concat(chunks).toString(),
      () => '',
    )
    assert.doesNotMatch(text, /# complete/)
  } finally {
    Object.assign(streamLimits, { stall: usual })
  }
})
