import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { type OpenDatabase, openDatabase } from './database.ts'
import { takeNumber } from './number-series.ts'
import { sql } from './sql.ts'

// As in the fuzz test: a change decides what fails, not chance; another seed looks elsewhere.
const seed = Number(process.env.STOA_TEST_SEED ?? 20_261_121)

let own: TestDatabase
let database: OpenDatabase
let schools: string[]

before(async () => {
  own = await createTestDatabase('world')
  database = openDatabase(own.appUrl, { max: 8, wait: 30_000 })
  schools = (await own.query<{ id: string }>('select id from schools order by id')).map(({ id }) => id)
})
after(async () => {
  await database.close()
  await own.drop()
})

const takers = fc.record({
  school: fc.nat({ max: 1 }),
  kind: fc.constantFrom('invoice' as const, 'credit_note' as const),
  year: fc.constantFrom(2026, 2027),
  ends: fc.constantFrom('commits', 'commits', 'throws', 'fails'),
})

type Taker = typeof takers extends fc.Arbitrary<infer Value> ? Value : never

const formatSeries = ({ school, kind, year }: Taker): string => `${schools[school]} ${kind} ${year}`

const take = async (taker: Taker): Promise<number | undefined> => {
  const schoolId = schools[taker.school] ?? ''
  try {
    return await database.transaction(schoolId, async db => {
      const number = await takeNumber(db, schoolId, taker)
      if (taker.ends === 'throws') throw new Error('rolled back')
      if (taker.ends === 'fails') await db.run(sql`select 1 / 0`)
      return number
    })
  } catch (error) {
    if (taker.ends === 'commits') throw error
    return undefined
  }
}

const lastNumbers = async (): Promise<Map<string, number>> => {
  const rows = await own.query<{ series: string; last: number }>(
    `select school_id || ' ' || kind || ' ' || year as series, last from number_series`,
  )
  return new Map(rows.map(({ series, last }) => [series, last]))
}

test('whoever takes numbers at once, and whichever of them fail, each series has every number once', async () => {
  assert.equal(schools.length, 2)
  await fc.assert(
    fc.asyncProperty(fc.array(takers, { minLength: 1, maxLength: 30 }), async all => {
      const before = await lastNumbers()
      const numbers = new Map<string, number[]>()
      await Promise.all(
        all.map(async taker => {
          const number = await take(taker)
          const series = formatSeries(taker)
          if (number !== undefined) numbers.set(series, [...(numbers.get(series) ?? []), number])
        }),
      )
      const after = await lastNumbers()
      for (const series of new Set(all.map(formatSeries))) {
        const start = before.get(series) ?? 0
        const taken = (numbers.get(series) ?? []).sort((one, other) => one - other)
        assert.deepEqual(
          taken,
          taken.map((_, index) => start + index + 1),
          series,
        )
        assert.equal(after.get(series) ?? 0, start + taken.length, series)
      }
    }),
    { seed, numRuns: 40 },
  )
})

test('a transaction that takes a number waits for the one that took the last, and gets its number when that fails', async () => {
  const [school = ''] = schools
  const series = { kind: 'invoice', year: 2030 } as const
  const taken = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const first = database.transaction(school, async db => {
    await takeNumber(db, school, series)
    taken.resolve()
    await goOn.promise
    throw new Error('rolled back')
  })
  await taken.promise
  const second = database.transaction(school, db => takeNumber(db, school, series))
  goOn.resolve()
  await assert.rejects(first, /rolled back/)
  assert.equal(await second, 1)
})
