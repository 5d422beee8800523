import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { divide, filesOfPart } from './parts.ts'

const FILES = ['a', 'b', 'c', 'd', 'e']
const KNOWN = { a: 50_000, b: 40_000, c: 15_000, e: 1_000 }

suite('parts of a run', () => {
  test('each file is in one part, and the parts take about as long as each other', () => {
    assert.deepEqual(divide(FILES, 2, KNOWN), [
      ['a', 'c'],
      ['b', 'd', 'e'],
    ])
  })

  test('the same files give the same parts, in whatever order they are found', () => {
    assert.deepEqual(divide(FILES.toReversed(), 3, KNOWN), divide(FILES, 3, KNOWN))
  })

  test('all parts together are all files', () => {
    const parts = ['1/3', '2/3', '3/3'].flatMap(name => filesOfPart(FILES, name))
    assert.deepEqual(parts.toSorted(), FILES)
  })

  test('a part that there is not is refused', () => {
    for (const name of ['0/2', '3/2', '1/0', '2', 'x/y', '', '6/6'])
      assert.throws(() => filesOfPart(FILES, name), /there is no part .*--part is for example 2\/5/)
  })
})
