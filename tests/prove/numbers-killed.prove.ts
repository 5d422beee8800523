import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { series, startTaker } from '#testing/number-taker.ts'
import { computeRounds } from '#testing/rounds.ts'

const ROUNDS = computeRounds(10)
const LANES = 4
const DOCUMENTS = 5

let database: TestDatabase
let schoolId = ''

before(async () => {
  database = await createTestDatabase('world')
  const [school] = await database.query<{ id: string }>('select id from schools order by id limit 1')
  schoolId = school?.id ?? ''
  const login = new URL(database.appUrl).username
  await database.query(`create table documents (school_id uuid not null, number integer not null);
    grant select, insert on documents to "${login}"`)
})
after(() => database.drop())

const numbers = async (): Promise<number[]> =>
  (await database.query<{ number: number }>('select number from documents order by number')).map(({ number }) => number)

test(`of processes that are killed with a number in their hands, ${ROUNDS} times, no number is lost and none is given twice`, async () => {
  for (let round = 1; round <= ROUNDS; round++) {
    const child = await startTaker({ databaseUrl: database.appUrl, schoolId, documents: DOCUMENTS, lanes: LANES })
    const gone = once(child, 'exit')
    if (round % 2 === 0) child.kill('SIGKILL')
    // The connection is lost instead of the process; the server ends the transaction.
    else
      await database.query(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'`)
    child.kill('SIGKILL')
    await gone
    const expected = Array.from({ length: round * LANES * DOCUMENTS }, (_, index) => index + 1)
    assert.deepEqual(await numbers(), expected)
  }
  const [row] = await database.query<{ last: number }>(
    'select last from number_series where school_id = $1 and kind = $2 and year = $3',
    [schoolId, series.kind, series.year],
  )
  assert.equal(row?.last, ROUNDS * LANES * DOCUMENTS)
})
