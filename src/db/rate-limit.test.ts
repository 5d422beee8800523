import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { later, stopClock } from '#testing/clock.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { type OpenDatabase, openDatabase } from './database.ts'
import {
  buildUse,
  consume,
  type LimitRequest,
  type LimitResult,
  type RateLimit,
  refundUses,
  resetUses,
  type SharedRateLimit,
  useByNetwork,
  useOfShared,
  usesOfNetwork,
} from './rate-limit.ts'

const START = new Date('2030-01-01T12:00:00Z')
const SCHOOL = 'a school'
const limit: RateLimit = { name: 'test', uses: 3, seconds: 60 }
let copy: TestDatabase
let database: OpenDatabase
before(async () => {
  copy = await createTestDatabase()
  database = openDatabase(copy.appUrl, { wait: 10_000, max: 4 })
})
after(async () => {
  await database.close()
  await copy.drop()
})

const at = (milliseconds: number): Promise<void> => stopClock(copy, later(START, milliseconds))
const empty = async (): Promise<void> => {
  await copy.query('delete from limits')
  await at(0)
}
const count = (...counts: readonly LimitRequest[]): Promise<LimitResult> => consume(database.shared, counts)
const waits = async (times: number, ...counts: readonly LimitRequest[]): Promise<number[]> => {
  const all: number[] = []
  for (let time = 0; time < times; time++) all.push((await count(...counts)).wait)
  return all
}
const stored = async (): Promise<number[]> =>
  (await copy.query<{ count: number }>('select count from limits order by count')).map(row => row.count)

test('as many uses are allowed as the limit says, and not one more, until the window ends at its very instant', async () => {
  await empty()
  assert.deepEqual(await waits(5, buildUse(limit, SCHOOL, 'dev')), [0, 0, 0, 60, 60])
  await at(59_000)
  assert.deepEqual(await waits(1, buildUse(limit, SCHOOL, 'dev')), [1])
  await at(59_999)
  assert.deepEqual(await waits(1, buildUse(limit, SCHOOL, 'dev')), [1], 'less than a second is one')
  await at(60_000)
  assert.deepEqual(await waits(5, buildUse(limit, SCHOOL, 'dev')), [0, 0, 0, 60, 60])
})

test('a window that has ended starts again with one use, at the instant of that use', async () => {
  await empty()
  await count(buildUse(limit, SCHOOL, 'dev'))
  await count(buildUse(limit, SCHOOL, 'dev'))
  await at(90_000)
  await count(buildUse(limit, SCHOOL, 'dev'))
  const [row] = await copy.query<{ starts_at: Date; ends_at: Date; count: number }>('select * from limits')
  assert.deepEqual([row?.starts_at, row?.ends_at, row?.count], [later(START, 90_000), later(START, 150_000), 1])
})

test('uses are counted apart by limit, school and person', async () => {
  await empty()
  const others = [
    buildUse(limit, SCHOOL, 'eli'),
    buildUse(limit, 'another school', 'dev'),
    buildUse({ ...limit, name: 'other' }, SCHOOL, 'dev'),
  ]
  assert.deepEqual(await waits(4, buildUse(limit, SCHOOL, 'dev')), [0, 0, 0, 60])
  for (const other of others) assert.deepEqual(await waits(4, other), [0, 0, 0, 60])
})

test('no limit counts a use when one of several is exhausted, and the wait is the longest of them', async () => {
  await empty()
  const [short, long] = [buildUse({ name: 'short', uses: 1, seconds: 10 }, '', ''), buildUse(limit, SCHOOL, 'dev')]
  assert.deepEqual(await waits(2, short, long), [0, 10])
  assert.deepEqual(await stored(), [1, 1])
  await waits(2, long)
  assert.deepEqual(await waits(1, short, long), [60])
  await at(10_000)
  assert.deepEqual(await waits(1, short, long), [50], 'the short one has ended, and is not counted')
  assert.deepEqual(await waits(2, short), [0, 10])
})

test('as many concurrent uses as allowed succeed, and each further one waits', async () => {
  await empty()
  const all = await Promise.all(Array.from({ length: 12 }, () => count(buildUse(limit, SCHOOL, 'dev'))))
  assert.equal(all.filter(({ wait }) => wait === 0).length, 3)
  assert.deepEqual(await stored(), [3])
})

test('concurrent uses of two limits, one exhausted, leave the other unchanged', async () => {
  await empty()
  const wide = buildUse({ name: 'wide', uses: 100, seconds: 60 }, SCHOOL, 'dev')
  const all = await Promise.all(Array.from({ length: 12 }, () => count(buildUse(limit, SCHOOL, 'dev'), wide)))
  assert.equal(all.filter(({ wait }) => wait === 0).length, 3)
  assert.deepEqual(await stored(), [3, 3])
})

test('a use that is given back makes room, where its window was open at the instant', async () => {
  await empty()
  const dev = { limit, schoolId: SCHOOL, who: 'dev' }
  const { uses } = await count(buildUse(limit, SCHOOL, 'dev'))
  assert.deepEqual(uses, [dev])
  await waits(2, buildUse(limit, SCHOOL, 'eli'))
  await refundUses(database.shared, uses)
  await refundUses(database.shared, uses)
  assert.deepEqual(await stored(), [0, 2], 'never below nothing, and of nobody else')
  await waits(3, buildUse(limit, SCHOOL, 'dev'))
  await refundUses(database.shared, [dev], later(START, -1))
  assert.deepEqual(await stored(), [2, 3], 'it was counted in an earlier window')
  await refundUses(database.shared, [dev], START)
  assert.deepEqual(await stored(), [2, 2])
  await refundUses(database.shared, [dev], later(START, 1))
  assert.deepEqual(await stored(), [1, 2])
})

test('a reset forgets the uses of one caller, and of no other', async () => {
  await empty()
  await waits(3, buildUse(limit, SCHOOL, 'dev'), buildUse(limit, SCHOOL, 'eli'))
  await resetUses(database.shared, [{ limit, schoolId: SCHOOL, who: 'dev' }])
  assert.deepEqual(await stored(), [3])
  assert.deepEqual(
    [...(await waits(1, buildUse(limit, SCHOOL, 'dev'))), ...(await waits(1, buildUse(limit, SCHOOL, 'eli')))],
    [0, 60],
  )
})

test('each use deletes two windows that have ended, at the instant of their end, and no open one', async () => {
  await empty()
  for (const who of ['1', '2', '3', '4', '5']) await count(buildUse(limit, SCHOOL, who))
  await count(buildUse({ ...limit, seconds: 61 }, SCHOOL, 'open'))
  await at(60_000)
  await count(buildUse(limit, SCHOOL, 'dev'))
  assert.equal((await stored()).length, 5)
  await count(buildUse(limit, SCHOOL, 'dev'))
  await count(buildUse(limit, SCHOOL, 'dev'))
  assert.deepEqual(await stored(), [1, 3])
})

test('a network counts for itself and for the wider networks that it lies in, which may do more', async () => {
  const names = (uses: readonly { who: string; limit: RateLimit }[]) => uses.map(use => [use.who, use.limit.uses])
  assert.deepEqual(names(usesOfNetwork(limit, SCHOOL, '2001:db8:1:2::/64')), [
    ['2001:db8:1:2::/64', 3],
    ['2001:db8:1::/48', 12],
    ['2001:db8::/32', 48],
  ])
  assert.deepEqual(names(useByNetwork(limit, SCHOOL, '203.0.113.1', 'dev').uses), [['dev\n203.0.113.1', 3]])
  assert.deepEqual(names(useByNetwork(limit, SCHOOL, '203.0.113.1').uses), [['203.0.113.1', 3]])
  await empty()
  const from = (net: number) => waits(4, useByNetwork(limit, SCHOOL, `2001:db8:1:${net}::/64`))
  for (const net of [1, 2, 3, 4]) assert.deepEqual(await from(net), [0, 0, 0, 60])
  assert.deepEqual(await from(5), [60, 60, 60, 60], 'the /48 has done what it may')
})

test('when a limit that many share is used up, each network has its reserve, up to what all may do together', async () => {
  const shared: SharedRateLimit = { ...limit, name: 'shared', reserve: 2, most: 6 }
  const from = (network: string, who = '') => count(useOfShared(shared, SCHOOL, network, who))
  const outcome = async (network: string, who = '') => {
    const { wait, isBeyond } = await from(network, who)
    return `${wait}${isBeyond === true ? ' beyond' : ''}`
  }
  await empty()
  const outcomes: string[] = []
  for (const network of ['1', '1', '1', '1', '1', '1', '2', '2', '3']) outcomes.push(await outcome(network))
  assert.deepEqual(outcomes, ['0', '0', '0', '0 beyond', '0 beyond', '60 beyond', '0 beyond', '60 beyond', '60 beyond'])
  assert.equal(await outcome('1', 'another'), '0', 'a limit of its own')
  await empty()
  assert.deepEqual(await waits(4, buildUse(limit, SCHOOL, 'dev')), [0, 0, 0, 60])
  const { wait, isBeyond } = await count(buildUse(limit, SCHOOL, 'dev'), useOfShared(shared, SCHOOL, '1'))
  assert.deepEqual([wait, isBeyond], [60, true])
})
