// One thing: prepared statements whose columns are described once for each connection.
import assert from 'node:assert/strict'
import type { EventEmitter } from 'node:events'
import { after, before, beforeEach, test } from 'node:test'
import type pg from 'pg'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { createPool } from './connect.ts'
import { queryPrepared } from './prepared-query.ts'

let database: TestDatabase
let pool: pg.Pool
let client: pg.PoolClient
let descriptions = 0

before(async () => {
  database = await createTestDatabase('template0')
  await database.query('create table books (id integer primary key, title text, price numeric, sold_at timestamptz)')
  pool = createPool(database.ownerUrl, { max: 1, pooler: undefined, onError: () => undefined })
  client = await pool.connect()
  const { connection } = client as unknown as { connection: EventEmitter }
  connection.on('rowDescription', () => descriptions++)
})
after(async () => {
  client.release()
  await pool.end()
  await database.drop()
})
beforeEach(async () => {
  descriptions = 0
  await database.query(`delete from books`)
  await database.query(
    `insert into books values (1, 'Bread', 12.50, '2026-01-02T03:04:05.678Z'), (2, null, null, null)`,
  )
})

const run = (name: string, text: string, values: readonly unknown[] = []) =>
  queryPrepared<Record<string, unknown>>(client, { name, text, values })

const ALL = [
  { id: 1, title: 'Bread', price: '12.50', sold_at: new Date('2026-01-02T03:04:05.678Z') },
  { id: 2, title: null, price: null, sold_at: null },
]

test('rows are the same at each execution, and their columns are described once', async () => {
  const text = 'select * from books where id >= $1 order by id'
  for (const from of [1, 1, 2, 3, 1]) {
    const { rows, rowCount } = await run('same', text, [from])
    const expected = ALL.filter(({ id }) => id >= from)
    assert.deepEqual(
      rows.map(row => ({ ...row })),
      expected,
    )
    assert.equal(rowCount, expected.length)
  }
  assert.equal(descriptions, 1)
})

test('statements that are sent at once, on a new connection too, get their own rows', async () => {
  const title = (id: number) => run('title', 'select title from books where id = $1', [id])
  const price = (id: number) => run('price', 'select price, id from books where id = $1', [id])
  const results = await Promise.all([title(1), price(1), title(2), price(2), title(1)])
  assert.deepEqual(
    results.map(({ rows }) => ({ ...rows[0] })),
    [{ title: 'Bread' }, { price: '12.50', id: 1 }, { title: null }, { price: null, id: 2 }, { title: 'Bread' }],
  )
  descriptions = 0
  await Promise.all([title(1), price(1)])
  assert.equal(descriptions, 0)
})

test('a statement without columns writes at each execution', async () => {
  const write = () => run('write', 'update books set title = title where id <= $1', [2])
  for (let time = 0; time < 3; time++) assert.deepEqual({ ...(await write()), rows: [] }.rowCount, 2)
  assert.deepEqual((await write()).rows, [])
  assert.equal(descriptions, 0)
})

test('a statement that fails is refused at each execution, and returns rows as soon as it can', async () => {
  const divide = (by: number) => run('divide', 'select 6 / $1::integer as quotient', [by])
  const isRefused = { code: '22012', stack: /prepared-query\.test\.ts|queryPrepared/ }
  await assert.rejects(divide(0), isRefused)
  assert.deepEqual({ ...(await divide(2)).rows[0] }, { quotient: 3 })
  await assert.rejects(divide(0), isRefused)
  const [first, refused, last] = await Promise.allSettled([divide(3), divide(0), divide(6)])
  assert.deepEqual(
    [first, refused, last].map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual({ ...(last.status === 'fulfilled' && last.value.rows[0]) }, { quotient: 1 })
  await assert.rejects(run('unknown', 'select * from shelves'), { code: '42P01' })
  await assert.rejects(run('unknown', 'select * from shelves'), { code: '42P01' })
})

test('after a column has another type, the statement is refused and no row is read as it was', async () => {
  await database.query('create table shelves (id integer, place text)')
  const shelves = () => run('shelves', 'select * from shelves')
  await database.query(`insert into shelves values (1, '7')`)
  assert.deepEqual({ ...(await shelves()).rows[0] }, { id: 1, place: '7' })
  assert.deepEqual({ ...(await shelves()).rows[0] }, { id: 1, place: '7' })
  await database.query('alter table shelves alter column place type integer using place::integer')
  await assert.rejects(shelves(), { code: '0A000' })
  await database.query('alter table shelves add column height integer')
  await assert.rejects(shelves(), { code: '0A000' })
})

test('a pool executes it on whichever connection is free', async () => {
  const own = createPool(database.ownerUrl, { max: 2, pooler: undefined, onError: () => undefined })
  const ids = () =>
    queryPrepared<{ id: number }>(own, { name: 'ids', text: 'select id from books order by id', values: [] })
  const results = await Promise.all([1, 2, 3, 4, 5, 6].map(ids))
  for (const { rows } of results)
    assert.deepEqual(
      rows.map(({ id }) => id),
      [1, 2],
    )
  await own.end()
})
