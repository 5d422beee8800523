import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Busy } from './errors.ts'
import { createConnectionQueue, createQueue, type Others, type Queue, SHARED } from './queue.ts'

/** Requests that run until they are told to end; `started` has their names in the order in which they started. */
const buildRequests = (queue: Queue) => {
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
      assert.ok(error instanceof Busy)
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
  const { started, sendMany } = buildRequests(createConnectionQueue(8, 500))
  sendMany('a', 20)
  await nextTurn()
  assert.equal(started.length, 8)
})

test('schools that wait take turns, whoever came first', async () => {
  const { started, send, sendMany, end } = buildRequests(createConnectionQueue(1, 500))
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
  const { started, sendMany, end } = buildRequests(createConnectionQueue(4, 500))
  sendMany('a', 8)
  sendMany('b', 3)
  await end('a1')
  await end('a2')
  assert.deepEqual(started.slice(4), ['b1', 'b2'])
})

test('while other schools are about, one of four connections is kept for them', async () => {
  const { started, send, sendMany, end } = buildRequests(createConnectionQueue(8, 500))
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
  const { started, send, sendMany, end } = buildRequests(createConnectionQueue(8, 500, now))
  send('b', 'b1')
  await end('b1')
  pass(60_000)
  sendMany('a', 20)
  await nextTurn()
  assert.equal(started.filter(name => name.startsWith('a')).length, 8)
})

test('a school with too many waiting requests is refused, and others are not', async () => {
  const { started, refused, send, sendMany, end } = buildRequests(createConnectionQueue(2, 500))
  sendMany('a', 45)
  send('b', 'b1')
  await nextTurn()
  assert.deepEqual(refused, ['a43', 'a44', 'a45'])
  await end('a1')
  assert.deepEqual(started, ['a1', 'a2', 'b1'])
})

test('a request waits as long as the queue of its school moves, and not longer than ten seconds', async context => {
  const { now, pass } = clock(context)
  const { started, refused, sendMany, end } = buildRequests(createConnectionQueue(1, 1000, now))
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
  const { started, refused, send, sendMany, end } = buildRequests(createConnectionQueue(4, 500, now))
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

test('while another school waits, a school gets no more than half of the connections', async () => {
  const { started, send, sendMany, end } = buildRequests(createConnectionQueue(8, 500))
  sendMany('a', 20)
  sendMany('b', 12)
  for (const name of ['a1', 'a2', 'a3', 'a4']) await end(name)
  assert.deepEqual(started.slice(8), ['b1', 'b2', 'b3', 'b4'])
  send('c', 'c1')
  await end('b1')
  assert.equal(started.at(-1), 'c1', 'and whoever comes is next')
})

test('a request that takes long counts as two of its school', async context => {
  const { now, pass } = clock(context)
  const { started, send, sendMany, end } = buildRequests(createConnectionQueue(3, 5000, now))
  send('a', 'a1')
  pass(500)
  sendMany('b', 4)
  send('a', 'a2')
  await end('b1')
  assert.deepEqual(started, ['a1', 'b1', 'b2', 'b3'])
})

const places = (count: number, more: Partial<Parameters<typeof createQueue>[0]> = {}) =>
  createQueue({ places: count, slowCounts: 0, recent: 1000, wait: 5000, ...more })

test('where slow requests do not count, one that takes long leaves its place to the next, also when nothing ends', async context => {
  const { now, pass } = clock(context)
  const { started, sendMany, end } = buildRequests(places(2, { now }))
  sendMany('a', 5)
  pass(499)
  await nextTurn()
  assert.deepEqual(started, ['a1', 'a2'])
  pass(1)
  await nextTurn()
  assert.deepEqual(started, ['a1', 'a2', 'a3', 'a4'])
  await end('a1')
  assert.equal(started.length, 4, 'its place is in use already')
  await end('a3')
  assert.equal(started.at(-1), 'a5')
})

test('the number of places in use depends on whether others wait or were served', async context => {
  const { now, pass } = clock(context)
  const asked = new Set<Others>()
  const width = (others: Others): number => {
    asked.add(others)
    return others === 'none' ? 4 : 1
  }
  const { started, sendMany, end } = buildRequests(places(4, { now, width }))
  sendMany('a', 9)
  await nextTurn()
  assert.deepEqual([started.length, [...asked]], [4, ['none']])
  sendMany('b', 2)
  await end('a1')
  assert.equal(started.at(-1), 'b1', 'nothing of its school was running')
  for (const name of ['a2', 'a3', 'b1', 'b2']) await end(name)
  assert.deepEqual([started.length, started.at(-1)], [6, 'b2'], 'there are no more in use than there may be')
  await end('a4')
  assert.deepEqual([started.length, started.at(-1)], [7, 'a5'])
  pass(1000)
  await end('a5')
  assert.deepEqual([started.length, [...asked]], [11, ['none', 'waiting', 'recent']])
})

test('the first request of a school has a further place', async () => {
  const { started, sendMany, end } = buildRequests(places(2, { spare: 1 }))
  sendMany('a', 3)
  sendMany('b', 2)
  sendMany('c', 1)
  await nextTurn()
  assert.deepEqual(started, ['a1', 'a2', 'b1'])
  await end('b1')
  assert.deepEqual(started, ['a1', 'a2', 'b1', 'c1'])
  await end('a1')
  assert.equal(started.at(-1), 'b2')
})

test('a place that was given up is free for others, and is entered again in turn', async () => {
  const queue = places(1)
  const order: string[] = []
  const received = Promise.withResolvers<void>()
  const first = queue.run('a', async context => {
    order.push('a')
    context.leave()
    await received.promise
    await context.enter()
    order.push('a again')
  })
  const ended = Promise.withResolvers<void>()
  const second = queue.run('b', () => {
    order.push('b')
    return ended.promise
  })
  received.resolve()
  await nextTurn()
  assert.deepEqual(order, ['a', 'b'])
  ended.resolve()
  await Promise.all([first, second])
  assert.deepEqual(order, ['a', 'b', 'a again'])
})

test('a request that gave its place up and failed leaves no place in use', async () => {
  const queue = places(1)
  const failing = queue.run('a', async context => {
    context.leave()
    throw new Error('the body ended early')
  })
  await assert.rejects(failing, /ended early/)
  await queue.run('a', async context => context.leave())
  assert.equal(await queue.run('b', async () => 'served'), 'served')
})
