import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#testing/until.ts'
import { createCache } from './cache.ts'

test('requests share one read, which is repeated when its result is a second old', async () => {
  const cache = createCache()
  let reads = 0
  const read = () => cache('key', async () => ++reads)
  assert.deepEqual(await Promise.all([read(), read()]), [1, 1])
  assert.equal(await cache('other', async () => 'other'), 'other')
  const began = performance.now()
  await until(async () => (await read()) === 2, 'the second read')
  assert.ok(performance.now() - began > 900, 'the result was kept for a second')
})

test('a failed read is not kept', async () => {
  const cache = createCache()
  await assert.rejects(
    cache('key', async () => {
      throw new Error('no connection')
    }),
  )
  assert.equal(await cache('key', async () => 'read'), 'read')
})

test('a cache of many keys stays small', async () => {
  const cache = createCache()
  let reads = 0
  for (let n = 0; n < 501; n++) await cache(`key ${n}`, async () => ++reads)
  await cache('key 0', async () => ++reads)
  assert.equal(reads, 502)
})
