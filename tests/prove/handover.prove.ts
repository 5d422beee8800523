import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { testApp } from '#testing/app.ts'
import { send, type TestRequest } from '#testing/http.ts'
import { type ServerProcess, startProcess } from '#testing/process.ts'

const app = testApp()
const LANES = 24
const ROUNDS = 4

const isRefused = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED'

type Load = { readonly answers: Map<number, number>; readonly failures: string[]; isOver: boolean }

const belonging = () => ({ databaseUrl: app.database.appUrl, secret: app.secret })

/** A client that keeps its connections and uses the next server when its server has stopped. */
const runClient = async (servers: readonly ServerProcess[], load: Load, request: TestRequest): Promise<void> => {
  let at = 0
  while (!load.isOver) {
    const { port } = servers[at] ?? { port: 0 }
    try {
      const { status, text } = await send(port, request)
      load.answers.set(port, (load.answers.get(port) ?? 0) + 1)
      if (status !== 200) load.failures.push(`${status} ${text}`)
    } catch (error) {
      if (isRefused(error) && at + 1 < servers.length) at++
      else load.failures.push(String(error))
    }
  }
}

const until = async (condition: () => boolean): Promise<void> => {
  for (let tries = 0; !condition(); tries++) {
    assert.ok(tries < 2000, 'the load does not move on')
    await pause(10)
  }
}

test(`S-13 in ${ROUNDS} handovers under load no request fails, and a stopped server ends within 10 s`, {
  timeout: 90_000,
}, async () => {
  const { token } = await app.actor('ada')
  const host = new URL(app.a.baseUrl).host
  const requests: TestRequest[] = [
    { path: '/api/v1/school', host },
    { path: '/api/v1/account', host, headers: { authorization: `Bearer ${token}` } },
  ]
  let total = 0
  let next = await startProcess(belonging())
  for (let round = 0; round < ROUNDS; round++) {
    const old = next
    next = await startProcess(belonging())
    const load: Load = { answers: new Map(), failures: [], isOver: false }
    const answered = ({ port }: ServerProcess) => load.answers.get(port) ?? 0
    const servers = [old, next]
    const clients = Array.from({ length: LANES }, (_, at) =>
      runClient(servers, load, requests[at % 2] ?? { path: '/' }),
    )
    await until(() => answered(old) > 200)
    const began = performance.now()
    process.kill(old.pid, 'SIGTERM')
    assert.equal(await old.ended(), 0)
    assert.ok(performance.now() - began < 10_000)
    const before = answered(next)
    await until(() => answered(next) > before + 200)
    load.isOver = true
    await Promise.all(clients)
    assert.deepEqual(load.failures, [])
    total += answered(old) + answered(next)
    await old.stop()
  }
  await next.stop()
  console.log(`S-13: ${total} requests were answered over ${ROUNDS} handovers`)
})
