import assert from 'node:assert/strict'
import { test } from 'node:test'
import { didYouMean, nearestTo, quotedName } from './nearest.ts'

test('the nearest name is the one with the fewest differences, and none when all are too different', () => {
  const names = ['status', 'sort', 'limit', 'cursor', 'created_at[gte]', 'q']
  const cases = [
    ['staus', 'status'],
    ['Status', 'status'],
    ['limits', 'limit'],
    ['created_at', 'created_at[gte]'],
    ['curser', 'cursor'],
    ['limti', 'limit'],
    ['page', undefined],
    ['x', 'q'],
    ['', 'q'],
    ['s'.repeat(65), undefined],
  ] as const
  for (const [written, expected] of cases) assert.equal(nearestTo(written, names), expected, written)
  assert.equal(nearestTo('limit', []), undefined)
})

test('a name is repeated without controls, spaces and quotes, and cut', () => {
  assert.equal(quotedName('staus'), '"staus"')
  assert.equal(quotedName('a\u0000\u202e "b'), '"a????b"')
  assert.equal(quotedName('é'.repeat(70)), `"${'é'.repeat(64)}…"`)
  assert.equal(didYouMean('staus', ['status']), ' Did you mean "status"?')
  assert.equal(didYouMean('page', ['status']), '')
})
