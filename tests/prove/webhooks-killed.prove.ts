// One thing: what becomes of facts whose processes are killed, in tests that share a receiver and those processes.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type pg from 'pg'
import { fromId } from '#src/kit/ids.ts'
import type { Actor } from '#testing/actor.ts'
import { startApp } from '#testing/app.ts'
import { type Received, type Receiver, startReceiver } from '#testing/receiver.ts'
import { assertAllSent, atPath, idsOf, listGaps, listSentFacts, type Sent } from '#testing/sent-facts.ts'
import { until } from '#testing/until.ts'
import { killAtTable } from '#testing/waiting.ts'
import { startWorkerProcess, type WorkerProcess } from '#testing/worker-process.ts'

const SCOPES = ['school:read', 'courses:read', 'courses:write']
const HOUR = 3600
// A claim of a process that died is valid for five minutes.
const CLAIM = 301
const PATIENCE_MS = 90_000

// Without a mailbox the application has no worker, so that those in processes of their own can be killed.
let app: Awaited<ReturnType<typeof startApp>>
let receiver: Receiver
let dev: Actor
const workers: WorkerProcess[] = []
let isDown = false
/** The path whose requests are not answered yet, and those requests. */
let heldPath: string | undefined
let held: { readonly received: Received; readonly response: ServerResponse }[] = []
/** What the receiver took, in the order of its answers. */
let accepted: Received[] = []
let count = 0

const accept = (received: Received, response: ServerResponse): void => {
  accepted.push(received)
  response.writeHead(204).end()
}

const query = <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
  app.database.query<Row>(text, values)

before(async () => {
  app = await startApp()
  receiver = await startReceiver()
  receiver.answer((received, response) => {
    if (received.path === heldPath) held.push({ received, response })
    else if (isDown) response.destroy()
    else accept(received, response)
  })
})
after(async () => {
  await killWorkers()
  await app?.stop()
  await receiver?.stop()
})
beforeEach(async () => {
  if (workers.length === 0) await startWorkers()
})
afterEach(async () => {
  await query('delete from webhooks')
  await query(`delete from jobs where kind in ('webhook', 'distribution')`)
  receiver.received.length = 0
  accepted = []
  isDown = false
})

// Tokens end while the clock moves.
const signIn = async (): Promise<void> => {
  dev = await app.actor('dev', { as: 'admin', scopes: SCOPES })
}

const startWorkers = async (number = 1): Promise<void> => {
  const place = { databaseUrl: app.database.appUrl, secret: app.secret, folder: app.folder }
  workers.push(...(await Promise.all(Array.from({ length: number }, () => startWorkerProcess(place)))))
}

const killWorkers = async (): Promise<void> => {
  await Promise.all(workers.splice(0).map(worker => worker.kill()))
}

/** Ends the claims of what was killed, and starts processes that go on with it. */
const recover = async (number = 1): Promise<void> => {
  await app.moveClock(CLAIM)
  await startWorkers(number)
}

/** Waits until every fact has its number and no job of these kinds is due or runs. */
const idle = (kinds: readonly string[] = ['fact', 'distribution', 'webhook']): Promise<void> => {
  const due = `
    select from facts where sequence is null
    union all select from jobs where kind = any ($1) and (claimed_until is not null or due_at <= stoa.now())`
  return until(async () => (await query(due, [kinds])).length === 0, `no ${kinds} is due`, PATIENCE_MS)
}

const subscribe = async (name: string, types: readonly string[], more = {}): Promise<Sent> => {
  const path = `/${name}`
  const url = new URL(path, receiver.url).href
  const [last] = await query<{ sequence: number }>(
    'select coalesce(max(sequence), 0)::integer as sequence from facts where school_id = $1',
    [app.a.id],
  )
  const made = await dev.write('POST', '/webhooks', { url, types, ...more })
  assert.equal(made.status, 201, made.text)
  return { id: made.json.id, path, secret: made.json.secret, types, after: last?.sequence ?? 0 }
}

/** A webhook for two types, and one for one of them in order. */
const subscribeTwice = async (): Promise<readonly [plain: Sent, ordered: Sent]> => {
  await idle()
  await signIn()
  return [
    await subscribe('plain', ['course.created', 'category.created']),
    await subscribe('ordered', ['course.created'], { ordered: true }),
  ]
}

/** Causes `category.created` once and `course.created` so many times. */
const addFacts = async (courses: number): Promise<void> => {
  const add = async (path: string): Promise<void> => {
    count += 1
    const made = await dev.write('POST', path, { name: `Killed ${count}`, slug: `killed-${count}` })
    assert.equal(made.status, 201, made.text)
  }
  await add('/categories')
  for (let made = 0; made < courses; made += 1) await add('/courses')
}

/** Waits until the receiver has taken every fact, and nothing waits. */
const complete = async (...all: readonly Sent[]): Promise<void> => {
  await idle()
  for (const sent of all) {
    const facts = (await listSentFacts(app, sent)).length
    const isWhole = async () => idsOf(atPath(accepted, sent)).length >= facts
    await until(isWhole, `${facts} facts at ${sent.path}`, PATIENCE_MS)
  }
  await idle()
}

const assertComplete = (sent: Sent): Promise<void> =>
  assertAllSent(app, sent, { received: receiver.received, taken: accepted })

const readProgress = ({ id }: Sent) =>
  query(
    `select p.position, (select count(*) from webhook_deliveries d where d.webhook_id = $2) as deliveries
     from distributions p where p.school_id = $1`,
    [app.a.id, fromId('whk', id)],
  )

/** Kills the workers in a distribution that has stored everything and not committed it. */
const killInDistribution = async (sent: Sent, begin: () => Promise<unknown>): Promise<void> => {
  await idle()
  const before = await readProgress(sent)
  // The position is moved when the deliveries are stored.
  await killAtTable(app.database, 'distributions', { begin, kill: killWorkers })
  assert.deepEqual(await readProgress(sent), before)
}

/** Kills the workers when the receiver has got something: before its answer, or after it and before the mark. */
const killInAttempt = async (sent: Sent, isAnswered: boolean, begin: () => Promise<unknown>): Promise<string[]> => {
  await idle()
  heldPath = sent.path
  await begin()
  await until(async () => held.length > 0, 'a request that is held', PATIENCE_MS)
  await idle(['fact', 'distribution'])
  const ids = held.map(({ received }) => received.json.id)
  heldPath = undefined
  const answer = async (): Promise<void> => {
    for (const { received, response } of held) accept(received, response)
  }
  if (isAnswered) await killAtTable(app.database, 'webhook_deliveries', { begin: answer, kill: killWorkers })
  else {
    await killWorkers()
    for (const { response } of held) response.destroy()
  }
  held = []
  const rows = await query<{ status: string }>(
    'select distinct status from webhook_deliveries where webhook_id = $1 and fact_id = any ($2)',
    [fromId('whk', sent.id), ids.map(id => fromId('fct', id))],
  )
  assert.deepEqual(rows, [{ status: 'waiting' }])
  return ids
}

test('killed before the commit of a distribution, nothing of it is stored, and the next process does it', async () => {
  const all = await subscribeTwice()
  const [, last] = all
  await killInDistribution(last, () => addFacts(3))
  assert.deepEqual(accepted, [])
  await recover()
  await complete(...all)
  for (const sent of all) await assertComplete(sent)
  assert.equal(accepted.length, 7)
})

for (const name of ['plain', 'ordered'] as const)
  for (const isAnswered of [true, false])
    test(`killed ${isAnswered ? 'after the answer and before the mark' : 'before the answer'}, ${name}: it is sent again, with the same id and body`, async () => {
      const all = await subscribeTwice()
      const sent = all[name === 'plain' ? 0 : 1]
      await addFacts(1)
      await complete(...all)
      const ids = await killInAttempt(sent, isAnswered, () => addFacts(5))
      await recover()
      await complete(...all)
      for (const one of all) await assertComplete(one)
      for (const id of ids)
        assert.ok(atPath(receiver.received, sent).filter(({ json }) => json.id === id).length > 1, 'once more')
    })

test('killed in a replay: what was dropped and what comes after it arrive as they would have at first, and close the gap', async () => {
  const all = await subscribeTwice()
  const [sent] = all
  await addFacts(2)
  await complete(...all)
  isDown = true
  await addFacts(3)
  await idle()
  const path = `/webhooks/${sent.id}`
  assert.equal((await dev.write('DELETE', `${path}/activation`)).status, 200)
  const enabled = await dev.write('PUT', `${path}/activation`)
  assert.equal(enabled.status, 200, enabled.text)
  isDown = false
  await addFacts(0)
  await idle()
  const facts = await listSentFacts(app, sent)
  assert.deepEqual(
    [enabled.json.missed_from, listGaps(atPath(accepted, sent))],
    [facts[3]?.sequence, [facts[6]?.sequence]],
    'the last that was dropped is missing',
  )
  const replay = async (): Promise<void> => {
    const asked = await dev.write('POST', `${path}/replays`, { from: enabled.json.missed_from })
    assert.deepEqual([asked.status, asked.json.count], [200, 5], asked.text)
  }
  await killInAttempt(sent, true, replay)
  await recover()
  await complete(sent)
  await assertComplete(sent)
  const again = atPath(accepted, sent).filter(({ json }) => json.sequence === facts[7]?.sequence)
  assert.ok(again.length > 1, 'what had arrived comes again')
})

test('a process that goes on after another one has sent the same undoes nothing', async () => {
  const all = await subscribeTwice()
  const [sent] = all
  heldPath = sent.path
  await addFacts(3)
  await until(async () => held.length > 0, 'a request that is held', PATIENCE_MS)
  await idle(['fact', 'distribution'])
  heldPath = undefined
  const suspended = workers[0] ?? assert.fail('there is a worker')
  process.kill(suspended.pid, 'SIGSTOP')
  await recover()
  await complete(...all)
  process.kill(suspended.pid, 'SIGCONT')
  for (const { response } of held) response.writeHead(500).end()
  const { length } = held.splice(0)
  const readFailures = async () =>
    (
      await query<{ failed: number }>('select cardinality(failed_deliveries) as failed from webhooks where id = $1', [
        fromId('whk', sent.id),
      ])
    )[0]?.failed
  await until(async () => (await readFailures()) === length, 'the outcomes of the first process', PATIENCE_MS)
  await suspended.kill()
  workers.splice(workers.indexOf(suspended), 1)
  await assertComplete(sent)
  assert.equal((await dev.get(`/webhooks/${sent.id}`)).json.status, 'active')
  await addFacts(1)
  await complete(...all)
  for (const one of all) await assertComplete(one)
})

test('a receiver that is down for 48 hours gets every fact from two processes, whatever was killed meanwhile', async () => {
  await startWorkers(2 - workers.length)
  const all = await subscribeTwice()
  const [plain, ordered] = all
  await addFacts(1)
  await complete(...all)
  isDown = true
  const pass = async (): Promise<void> => {
    await idle()
    await app.moveClock(4 * HOUR)
    await query(`select pg_notify('stoa_jobs', '')`)
    await idle()
  }
  for (let hours = 0; hours < 48; hours += 4) {
    if (hours % 12 === 0) await signIn()
    if (hours % 12 === 0) await addFacts(2)
    if (hours === 12) {
      await killInDistribution(ordered, () => addFacts(2))
      await recover(2)
    }
    if (hours === 24) {
      await killInAttempt(plain, false, () => app.moveClock(4 * HOUR))
      await recover(2)
    }
    await pass()
  }
  await signIn()
  const path = `/webhooks/${plain.id}`
  const failing = (await dev.get(path)).json
  const facts = await listSentFacts(app, plain)
  assert.deepEqual([failing.status, failing.waiting_count], ['failing', facts.length - 2])
  isDown = false
  await killInAttempt(plain, true, () => app.moveClock(4 * HOUR))
  await recover(2)
  await complete(...all)
  for (const sent of all) await assertComplete(sent)
  await signIn()
  assert.equal((await dev.get(path)).json.status, 'active')
})
