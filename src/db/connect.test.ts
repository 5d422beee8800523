// One thing: how values of PostgreSQL are read.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { createPool, types } from './connect.ts'

type Parser = (text: string) => unknown

let database: TestDatabase
let pool: pg.Pool

before(async () => {
  database = await createTestDatabase('template0')
  pool = createPool(database.ownerUrl, { max: 1, pooler: undefined, onError: () => undefined })
})
after(async () => {
  await pool.end()
  await database.drop()
})

test('an instant is read to the millisecond, whatever the time zone of the session is', async () => {
  const instants = [
    '0001-01-01T00:00:00.000Z',
    '0099-12-31T23:59:59.999Z',
    '1969-12-31T23:59:59.001Z',
    '2026-11-25T00:00:00.000Z',
  ]
  for (const zone of ['UTC', 'Europe/Lisbon', 'Asia/Kolkata', 'America/St_Johns']) {
    await pool.query(`set timezone = '${zone}'`)
    for (const fraction of ['.1', '.12', '.123', '.123456', '']) {
      const text = `2026-07-01T09:30:00${fraction}Z`
      const { rows } = await pool.query('select $1::timestamptz as at', [text])
      assert.equal(
        rows[0].at.getTime(),
        Date.parse(`2026-07-01T09:30:00.${fraction.slice(1, 4).padEnd(3, '0')}Z`),
        zone,
      )
    }
    for (const text of instants) {
      const { rows } = await pool.query('select $1::timestamptz as at', [text])
      assert.equal(rows[0].at.toISOString(), text, zone)
    }
  }
})

test('an instant is read as the parser of pg reads it', () => {
  const { TIMESTAMPTZ } = pg.types.builtins
  const ours = types.getTypeParser(TIMESTAMPTZ) as unknown as Parser
  const theirs: Parser = pg.types.getTypeParser(TIMESTAMPTZ)
  const instants = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(instants, fc.integer({ min: 0, max: 999 }), (at, micros) => {
      const text = `${at.toISOString().slice(0, -1).replace('T', ' ')}${String(micros).padStart(3, '0')}+00`
      assert.deepEqual(ours(text), theirs(text), text)
    }),
    { numRuns: 2000 },
  )
  for (const text of [
    'infinity',
    '-infinity',
    '0044-03-15 12:00:00+00 BC',
    '10000-01-01 00:00:00+00',
    '2026-01-01 00:00:00-03:30',
  ])
    assert.deepEqual(ours(text), theirs(text), text)
})

test('dates, local times and numbers that a floating-point number does not hold stay text', async () => {
  const { rows } = await pool.query(
    `select date '2026-02-03' as day, timestamp '2026-02-03 04:05:06' as local, 12.50::numeric as amount, 9007199254740993 as big`,
  )
  assert.deepEqual(
    { ...rows[0] },
    { day: '2026-02-03', local: '2026-02-03 04:05:06', amount: '12.50', big: '9007199254740993' },
  )
})
