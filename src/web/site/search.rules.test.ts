import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newUuid, toId } from '#src/kit/ids.ts'
import { positionIn, positionText, toFound } from './search.rules.ts'

const id = newUuid(0)

test('a position in the results is the same after it was in an address', () => {
  for (const kind of ['course', 'lecturer', 'digital_product', 'page'])
    for (const weight of [1, 2]) {
      const result = { kind, id, weight, listed_at: new Date('2026-02-03T04:05:06.789Z') }
      assert.deepEqual(positionIn(positionText(result)), result)
    }
})

test('another text is no position', () => {
  for (const text of [
    '',
    '1',
    `0.1.${toId('crs', id)}`,
    `1..${toId('crs', id)}`,
    `1.-1.${toId('crs', id)}`,
    `1.1.${toId('mem', id)}`,
    `1.1.${toId('crs', id)}x`,
    ` 1.1.${toId('crs', id)}`,
  ])
    assert.equal(positionIn(text), undefined, text)
})

test('only kinds that have a page are shown', () => {
  const result = { kind: 'member', id, weight: 1, listed_at: new Date(0) }
  assert.deepEqual([toFound(result), positionText(result)], [[], ''])
  assert.deepEqual(toFound({ ...result, kind: 'course' }), [{ kind: 'course', id: toId('crs', id) }])
})
