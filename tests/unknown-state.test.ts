import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { testApp } from '#testing/app.ts'
import { send } from '#testing/http.ts'
import { type ServerProcess, startProcess } from '#testing/process.ts'

const app = testApp()
const PRELOAD = new URL('../testing/faults/throwing.ts', import.meta.url).href

const until = async (condition: () => boolean | Promise<boolean>, what: string): Promise<void> => {
  for (let tries = 0; !(await condition()); tries++) {
    assert.ok(tries < 2000, what)
    await pause(10)
  }
}

const isWaiting = async (): Promise<boolean> => {
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  return (await app.database.query(waiting)).length > 0
}

// Each request has another target, so that none is answered from cached bytes.
const targets = ['id', 'name', 'base_url', 'description', 'locale', 'time_zone', 'currency', 'country'].values()

const get = ({ port }: ServerProcess, headers: Readonly<Record<string, string>> = {}) =>
  send(port, { path: `/api/v1/school?fields=${targets.next().value}`, host: new URL(app.a.baseUrl).host, headers })

const refusal = (server: ServerProcess): Promise<string> =>
  get(server).then(
    ({ status }) => `answered ${status}`,
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  )

for (const way of ['throw', 'reject']) {
  test(`S-18 a ${way} beside a handler: other requests get their answers, and the process ends with 1`, async () => {
    const belonging = { databaseUrl: app.database.appUrl, secret: app.secret }
    const server = await startProcess(belonging, { NODE_OPTIONS: `--import=${PRELOAD}` })
    const holder = new pg.Client({ connectionString: app.database.ownerUrl })
    await holder.connect()
    try {
      assert.equal((await get(server)).status, 200)
      await holder.query('begin; lock table schools in access exclusive mode')
      const waiting = get(server)
      await until(isWaiting, 'the request waits for the lock')
      const began = performance.now()
      const faulty = get(server, { 'x-test-fault': way }).catch(() => undefined)
      await until(() => server.log().includes('unknown state'), 'the fault is told')
      await until(async () => (await refusal(server)) === 'ECONNREFUSED', 'nothing more is taken')
      await holder.query('rollback')
      assert.equal((await waiting).status, 200, 'who was waiting is answered')
      await faulty
      assert.equal(await server.ended(), 1, 'a supervisor sees that it failed')
      // Its own timeout is ten seconds; a slow machine learns of its end later.
      assert.ok(performance.now() - began < 30_000)
      const lines = server.log().trim().split('\n')
      assert.deepEqual(
        lines.map(line => JSON.parse(line).level),
        [60],
        server.log(),
      )
      assert.equal(JSON.parse(lines[0] ?? '').err.message, 'thrown by the test')
    } finally {
      await holder.end()
      await server.stop()
    }
  })
}
