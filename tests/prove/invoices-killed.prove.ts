import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { moveToNoon } from '#testing/clock.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { startIssuer } from '#testing/invoice-issuer.ts'
import { assertLedger } from '#testing/ledger.ts'
import { computeRounds } from '#testing/rounds.ts'
import { sellingSettings } from '#testing/selling.ts'

const ROUNDS = computeRounds(10)
const LANES = 4
const SETTLEMENTS = 4

let database: TestDatabase
let place: { schoolId: string; memberIds: readonly string[]; priceId: string }

before(async () => {
  database = await createTestDatabase('world')
  await moveToNoon(database)
  const [first] = await database.query<{ id: string }>('select id from schools order by id limit 1')
  const schoolId = first?.id ?? ''
  const members = await database.query<{ id: string }>(
    `select id from members where school_id = $1 and status = 'active' order by id limit ${LANES}`,
    [schoolId],
  )
  const [price] = await database.query<{ id: string }>(
    `select p.id from course_prices p join courses c on c.school_id = p.school_id and c.id = p.course_id
     where p.school_id = $1 and c.slug = 'sourdough-from-scratch' and p.payment_type = 'one_time' and p.status = 'active'`,
    [schoolId],
  )
  place = { schoolId, memberIds: members.map(({ id }) => id), priceId: price?.id ?? '' }
  const address = {
    line1: 'Rua do Forno 12',
    line2: null,
    postal_code: null,
    city: 'Lisboa',
    region: null,
    country: 'PT',
  }
  await sellingSettings({ database, a: { id: schoolId } })({ legal: { name: 'Crumb & Crust, Lda.', address } })
})
after(() => database.drop())

type Series = {
  readonly kind: string
  readonly numbers: readonly number[]
  readonly last: number
  readonly days: number
}

const series = (): Promise<Series[]> =>
  database.query<Series>(
    `select i.kind, array_agg(i.sequence order by i.sequence) as numbers, max(n.last) as last,
       count(*) filter (where i.issued_on < before.issued_on)::integer as days
     from invoices i
       join number_series n on n.school_id = i.school_id and n.kind = i.kind and n.year = i.year
       left join invoices before on before.school_id = i.school_id and before.kind = i.kind and before.year = i.year
         and before.is_test = i.is_test and before.sequence = i.sequence - 1
     where i.school_id = $1 and not i.is_test group by i.kind, i.year order by i.kind`,
    [place.schoolId],
  )

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

test(`of processes that are killed while they settle, ${ROUNDS} times, each series has every number once, and each document its job`, async () => {
  for (let round = 1; round <= ROUNDS; round++) {
    const child = await startIssuer({
      ...place,
      databaseUrl: database.appUrl,
      settlements: SETTLEMENTS,
    })
    const gone = once(child, 'exit')
    // In odd rounds the connection is lost before the process.
    if (round % 2 === 1)
      await database.query(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'`)
    child.kill('SIGKILL')
    await gone
    const [notes, invoices] = await series()
    assert.deepEqual(
      [notes, invoices].map(one => [one?.kind, one?.numbers, one?.last, one?.days]),
      [
        ['credit_note', upTo(round * LANES * (SETTLEMENTS - 1)), round * LANES * (SETTLEMENTS - 1), 0],
        ['invoice', upTo(round * LANES * SETTLEMENTS), round * LANES * SETTLEMENTS, 0],
      ],
      `round ${round}`,
    )
  }
  const [lost] = await database.query<{ count: number }>(
    `select count(*)::integer as count from invoices i where i.school_id = $1 and not i.is_test
       and not exists (select from jobs j where j.school_id = i.school_id and j.kind = 'invoice' and j.id = i.id)`,
    [place.schoolId],
  )
  assert.equal(lost?.count, 0, 'each is printed')
  await assertLedger(database)
})
