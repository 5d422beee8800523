import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTime } from './deadline.ts'

test('work that ends in time has its value or its error', async () => {
  assert.equal(await inTime(Promise.resolve('done'), 60_000), 'done')
  await assert.rejects(inTime(Promise.reject(new Error('refused')), 60_000), /refused/)
})

test('work that takes too long is not awaited, and how it ends later is ignored', async () => {
  const work = Promise.withResolvers<string>()
  await assert.rejects(inTime(work.promise, 5), /no answer within 5 ms/)
  work.reject(new Error('too late'))
  await assert.rejects(work.promise, /too late/)
})
