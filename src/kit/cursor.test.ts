import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readCursor, writeCursor } from './cursor.ts'

// As in the fuzz test: a change decides what fails, not chance; another seed looks elsewhere.
const seed = Number(process.env.STOA_TEST_SEED ?? 20_261_121)

test('a cursor gives its position back to its own list', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string({ unit: 'binary' }), { maxLength: 3 }), (list, position) => {
      assert.deepEqual(readCursor(list, writeCursor(list, position)), position)
    }),
    { seed },
  )
})

test('H-14 a cursor of another list, or with one character changed, is invalid', () => {
  const cursor = writeCursor('orders', ['2026-11-21', 'x'])
  assert.equal(readCursor('members', cursor), undefined)
  for (let at = 0; at < cursor.length; at++) {
    const changed = cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1)
    assert.equal(readCursor('orders', changed), undefined, changed)
  }
  for (const text of ['', '.', 'a.b.c', 'null', "' or 1=1--", 'e30.', 'x'.repeat(10_000)])
    assert.equal(readCursor('orders', text), undefined)
})
