import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#testing/until.ts'
import { createCache } from './cache.ts'

const reader = { writtenAt: Number.NEGATIVE_INFINITY, onRead: () => undefined }

test('requests share one read, which is repeated when its result is a second old', async () => {
  const cache = createCache()
  let reads = 0
  const read = () => cache('key', async () => ++reads, reader)
  assert.deepEqual(await Promise.all([read(), read()]), [1, 1])
  assert.equal(await cache('other', async () => 'other', reader), 'other')
  const began = performance.now()
  await until(async () => (await read()) === 2, 'the second read')
  assert.ok(performance.now() - began > 900, 'the result was kept for a second')
})

test('a failed read is not kept', async () => {
  const cache = createCache()
  await assert.rejects(
    cache(
      'key',
      async () => {
        throw new Error('no connection')
      },
      reader,
    ),
  )
  assert.equal(await cache('key', async () => 'read', reader), 'read')
})

test('a cache of many keys stays small', async () => {
  const cache = createCache()
  let reads = 0
  for (let n = 0; n < 501; n++) await cache(`key ${n}`, async () => ++reads, reader)
  await cache('key 0', async () => ++reads, reader)
  assert.equal(reads, 502)
})

test('what was read before a write is read again, and readers learn when it was read', async () => {
  const cache = createCache()
  const ats: number[] = []
  const read = (value: string, writtenAt: number) =>
    cache('key', async () => value, { writtenAt, onRead: at => void ats.push(at) })
  assert.equal(await read('before', Number.NEGATIVE_INFINITY), 'before')
  assert.equal(await read('after', performance.now()), 'after')
  assert.equal(await read('later', (ats[1] as number) - 1), 'after')
  assert.equal(ats[2], ats[1])
})
