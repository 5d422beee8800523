import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import Type from 'typebox'
import { newUuid, toId } from '#src/kit/ids.ts'
import { Id, Instant, Nullable } from '#src/kit/shapes.ts'
import {
  BatchCounts,
  BatchResponse,
  BatchRows,
  batchResponse,
  decodeRows,
  failed,
  hasStatus,
  isFailed,
  MAX_ROWS,
  rowPointer,
  rowResult,
} from './batch.ts'
import { compileCheck } from './check.ts'

const Row = Type.Object(
  { member_id: Id('mem'), ends_at: Type.Optional(Instant) },
  { additionalProperties: false, title: 'TestBatchRow' },
)
const statuses = ['added', 'removed', 'failed'] as const

suite('the rows of a batch', () => {
  test('are 1 to 1,000 objects of any kind', () => {
    const accepts = (rows: unknown): boolean => compileCheck(BatchRows(Row)).Check(rows)
    const rows = (count: number) => Array.from({ length: count }, () => ({ unknown: 7 }))
    assert.deepEqual([0, 1, MAX_ROWS, MAX_ROWS + 1].map(rows).map(accepts), [false, true, true, false])
    for (const row of ['text', 7, null]) assert.equal(accepts([row]), false, String(row))
  })

  test('are decoded by the schema of a row, and each that does not fit it has its own errors', () => {
    const id = newUuid(0)
    const row = { member_id: toId('mem', id), ends_at: '2026-11-21T09:30:00.000Z' }
    const [decoded, incomplete, wrong] = decodeRows(Row, [row, {}, { member_id: 7, errors: [] }])
    assert.deepEqual(decoded, { member_id: id, ends_at: new Date('2026-11-21T09:30:00.000Z') })
    assert.deepEqual(incomplete, failed('/member_id', 'required', 'is missing'))
    assert.ok(wrong !== undefined && isFailed(wrong))
    assert.deepEqual(wrong.errors.map(({ pointer, code }) => `${pointer} ${code}`).sort(), [
      '/errors unknown',
      '/member_id type',
    ])
  })

  test('distinguishes failed rows from decoded ones and from plans with another status', () => {
    const plans = [failed('', 'unknown', 'is unknown'), { status: 'added', id: 'a' }, { status: 'removed', id: 'b' }]
    assert.deepEqual(plans.map(isFailed), [true, false, false])
    assert.deepEqual(plans.filter(hasStatus('removed')), [{ status: 'removed', id: 'b' }])
  })
})

suite('the response to a batch', () => {
  const ids = { id: Nullable(Id('mem')) }
  const schema = BatchResponse('TestBatch', { statuses, ids })
  const results = [
    rowResult(rowPointer('add', 0), { status: 'added' as const }, { id: toId('mem', newUuid(0)) }),
    rowResult(rowPointer('add', 1), failed('', 'unknown', 'is unknown'), { id: null }),
  ]

  test('has each row in its order, the errors of those that failed, and a count of each status, 0 too', () => {
    assert.deepEqual(batchResponse(statuses, results), {
      added: 1,
      removed: 0,
      failed: 1,
      results: [
        { pointer: '/add/0', status: 'added', id: results[0]?.id },
        {
          pointer: '/add/1',
          status: 'failed',
          id: null,
          errors: [{ pointer: '', code: 'unknown', message: 'is unknown' }],
        },
      ],
    })
  })

  test('has a schema that requires every count and every id, and allows no other status', () => {
    const response = batchResponse(statuses, results)
    const { removed: _removed, ...withoutCount } = response
    const check = compileCheck(schema)
    assert.equal(check.Check(response), true)
    assert.equal(check.Check(withoutCount), false)
    for (const row of [
      { pointer: '/add/0', status: 'added' },
      { pointer: '/add/0', status: 'created', id: null },
      { pointer: '/add/0', status: 'added', id: null, index: 0 },
    ])
      assert.equal(check.Check({ ...response, results: [row] }), false, JSON.stringify(row))
  })

  test('without rows has counts only', () => {
    const check = compileCheck(BatchCounts('TestCounts', ['updated', 'unchanged']))
    assert.equal(check.Check({ updated: 2, unchanged: 0 }), true)
    for (const counts of [{ updated: 2 }, { updated: -1, unchanged: 0 }, { updated: 2, unchanged: 0, failed: 0 }])
      assert.equal(check.Check(counts), false, JSON.stringify(counts))
  })
})
