import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { databaseLimits } from '#src/db/connect.ts'
import { testApp } from '#testing/app.ts'
import { assertHonest, ownFaults } from '#testing/faults/meet.ts'

const WAIT = 500
const CONNECTIONS = 5
const REQUESTS = 200
const app = testApp({ connections: CONNECTIONS, databaseWait: WAIT })

// A request queues for the school's lookup, its token and its work; once it has a connection it also waits for the lock.
const LONGEST = 3 * WAIT + databaseLimits.lock

test(`S-06 ${CONNECTIONS} connections, a locked table, ${REQUESTS} requests: a bounded line, then 503, and health answers`, async () => {
  const { token } = await app.actor('ada', { scopes: ['school:read', 'account:read'] })
  const ask = (at: number) =>
    app.send({ path: at % 2 ? '/api/v1/school' : '/api/v1/account', headers: { authorization: `Bearer ${token}` } })
  const timed = async (at: number) => {
    const began = performance.now()
    const reply = await ask(at)
    return { reply, ms: performance.now() - began }
  }
  const holder = new pg.Client({ connectionString: app.database.ownerUrl })
  await holder.connect()
  await holder.query('begin; lock table members in access exclusive mode')
  const waiting = Promise.all(Array.from({ length: REQUESTS }, (_, at) => timed(at)))
  const healths: number[] = []
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const began = performance.now()
      // Over connections for which the other requests do not queue.
      const { status } = await fetch(`http://127.0.0.1:${app.port}/healthz`)
      assert.equal(status, 200)
      healths.push(performance.now() - began)
    }
  })()
  const answers = await waiting
  isOver = true
  await watching
  await holder.query('rollback')
  await holder.end()
  for (const { reply } of answers) {
    assert.equal(reply.status, 503, reply.text)
    assertHonest(reply, 'while the table is locked')
  }
  const longest = Math.max(...answers.map(({ ms }) => ms))
  const slowest = Math.max(...healths)
  console.log(
    `S-06: longest wait ${Math.round(longest)} ms, slowest of ${healths.length} healths ${Math.round(slowest)} ms`,
  )
  assert.ok(longest < LONGEST + 1000, `a request waited ${longest} ms`)
  // Whoever stood in the line would wait for the lock's limit.
  assert.ok(slowest < databaseLimits.lock, `health took ${slowest} ms`)
  for (let at = 0; at < 2 * CONNECTIONS; at++) assert.equal((await ask(at)).status, 200)
  assert.deepEqual(ownFaults(app), [])
})
