import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRecording } from './recording.jobs.ts'

test('what comes while something is recorded is recorded together afterwards, in its order', async () => {
  const recorded: string[][] = []
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const record = createRecording(async (things: readonly string[]) => {
    recorded.push([...things])
    if (recorded.length === 1) await ended
    return recorded.length
  })
  const first = record('a')
  await Promise.resolve()
  const others = ['b', 'c', 'd'].map(record)
  end()
  assert.deepEqual(await Promise.all([first, ...others]), [1, 2, 2, 2])
  assert.equal(await record('e'), 3)
  assert.deepEqual(recorded, [['a'], ['b', 'c', 'd'], ['e']])
})

test('after a recording that failed nothing more is recorded', async () => {
  const recorded: string[][] = []
  const record = createRecording(async (things: readonly string[]) => {
    recorded.push([...things])
    throw new Error('the database is gone')
  })
  const all = await Promise.allSettled([record('a'), record('b')])
  assert.deepEqual(
    all.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  await assert.rejects(record('c'), /gone/)
  assert.deepEqual(recorded, [['a', 'b']])
})
