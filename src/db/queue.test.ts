import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DatabaseBusy } from './errors.ts'
import { createQueue, type Queue, SHARED } from './queue.ts'

/** Requests that run until they are told to end; `started` has their names in the order in which they started. */
const requestsOf = (queue: Queue) => {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const refused: string[] = []
  const send = (school: string, name: string): void => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const work = (): Promise<void> => {
      started.push(name)
      ends.set(name, resolve)
      return promise
    }
    queue.run(school, work).catch((error: unknown) => {
      assert.ok(error instanceof DatabaseBusy)
      refused.push(name)
    })
  }
  const end = async (name: string): Promise<void> => {
    await nextTurn()
    ends.get(name)?.()
    await nextTurn()
  }
  const sendMany = (school: string, count: number): void => {
    for (let at = 1; at <= count; at++) send(school, `${school}${at}`)
  }
  return { started, refused, send, sendMany, end }
}

const clock = (context: TestContext) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  let time = 0
  const pass = (ms: number): void => {
    time += ms
    context.mock.timers.tick(ms)
  }
  return { now: () => time, pass }
}

test('a single active school uses every connection', async () => {
  const { started, sendMany } = requestsOf(createQueue({ connections: 8, wait: 500 }))
  sendMany('a', 20)
  await nextTurn()
  assert.equal(started.length, 8)
})

test('schools that wait take turns, whoever came first', async () => {
  const { started, send, sendMany, end } = requestsOf(createQueue({ connections: 1, wait: 500 }))
  sendMany('a', 6)
  sendMany('b', 3)
  send('c', 'c1')
  for (let at = 0; at < 9; at++) {
    await nextTurn()
    await end(started.at(-1) ?? '')
  }
  assert.deepEqual(started, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'b3', 'a4', 'a5', 'a6'])
})

test('a school with fewer running requests comes first', async () => {
  const { started, sendMany, end } = requestsOf(createQueue({ connections: 4, wait: 500 }))
  sendMany('a', 8)
  sendMany('b', 3)
  await end('a1')
  await end('a2')
  assert.deepEqual(started.slice(4), ['b1', 'b2'])
})

test('while other schools are about, one of four connections is kept for them', async () => {
  const { started, send, sendMany, end } = requestsOf(createQueue({ connections: 8, wait: 500 }))
  send('b', 'b1')
  await end('b1')
  sendMany('a', 20)
  await nextTurn()
  assert.equal(started.filter(name => name.startsWith('a')).length, 6)
  send('b', 'b2')
  send(SHARED, 'shared')
  await nextTurn()
  assert.deepEqual(started.slice(-2), ['b2', 'shared'])
})

test('a school that was not seen for a minute is not waited for', async context => {
  const { now, pass } = clock(context)
  const { started, send, sendMany, end } = requestsOf(createQueue({ connections: 8, wait: 500, now }))
  send('b', 'b1')
  await end('b1')
  pass(60_000)
  sendMany('a', 20)
  await nextTurn()
  assert.equal(started.filter(name => name.startsWith('a')).length, 8)
})

test('a school with too many waiting requests is refused, and others are not', async () => {
  const { started, refused, send, sendMany, end } = requestsOf(createQueue({ connections: 2, wait: 500 }))
  sendMany('a', 45)
  send('b', 'b1')
  await nextTurn()
  assert.deepEqual(refused, ['a43', 'a44', 'a45'])
  await end('a1')
  assert.deepEqual(started, ['a1', 'a2', 'b1'])
})

test('a request waits as long as the queue of its school moves, and not longer than ten seconds', async context => {
  const { now, pass } = clock(context)
  const { started, refused, sendMany, end } = requestsOf(createQueue({ connections: 1, wait: 1000, now }))
  sendMany('a', 16)
  for (let at = 1; at <= 10; at++) {
    pass(900)
    await end(`a${at}`)
  }
  assert.deepEqual([started.length, refused], [11, []])
  pass(999)
  await end('a11')
  pass(1)
  await nextTurn()
  assert.deepEqual([started.at(-1), refused], ['a12', ['a13', 'a14', 'a15', 'a16']])
})

test('a request is refused when the queue of its school does not move, even if that of another one does', async context => {
  const { now, pass } = clock(context)
  const { started, refused, send, sendMany, end } = requestsOf(createQueue({ connections: 4, wait: 500, now }))
  send('b', 'b1')
  sendMany('a', 4)
  await nextTurn()
  pass(300)
  await end('b1')
  send('b', 'b2')
  pass(200)
  await nextTurn()
  assert.deepEqual([started, refused], [['b1', 'a1', 'a2', 'a3', 'b2'], ['a4']])
})
