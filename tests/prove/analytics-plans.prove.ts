import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { Metric } from '#src/contract/metric.ts'
import { metrics } from '#testing/analytics.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { captureStatement, openAccess, openExplainer, planModes } from '#testing/plans.ts'
import { sumReport } from '../../src/areas/analytics/analytics/reports/queries.ts'
import { getState, sumPoints } from '../../src/areas/analytics/analytics/series/queries.ts'
import { computePeriod } from '../../src/areas/analytics/analytics/series/rules.ts'

const SCHOOL = '00000000-0000-7000-8000-00000000000a'
const ROWS = 100_000
const FILE = new URL('../../docs/plans/analytics.txt', import.meta.url)
const LIMIT_MS = 5000
const YEAR = { from: new Date('2025-11-01T00:00:00Z'), until: new Date('2026-11-01T00:00:00Z') }

let database: TestDatabase

const metricNamed = (name: string): Metric => {
  const found = metrics.find(metric => metric.name === name)
  if (found === undefined) throw new Error(`there is no metric ${name}`)
  return found
}

// Without triggers and foreign keys, since only the plans of what is read matter.
const fill = `
  begin;
  set local session_replication_role = replica;
  insert into schools (id, base_url, name, created_at, updated_at) values ('${SCHOOL}', 'http://large.example', 'Large', now(), now());
  insert into enrollments (school_id, id, member_id, course_id, source, completed_at, access_changed_at, changed_in, created_at, updated_at)
  select '${SCHOOL}', gen_random_uuid(), gen_random_uuid(), md5((n % 40)::text)::uuid, 'free',
    case when n % 3 = 0 then at + interval '20 days' end, at, 0, at, at
  from generate_series(1, ${ROWS}) n, lateral (select timestamptz '2025-11-01' + n * interval '315 seconds' as at) t;
  insert into orders (school_id, id, number, counter, member_id, kind, status, currency, subtotal, discount_total, tax_total,
    total, paid_total, tax_mode, tax_country, reverse_charge, billing, words_folded, campaign, paid_at, changed_in, created_at, updated_at)
  select '${SCHOOL}', md5('o' || n)::uuid, 'T' || n, n, gen_random_uuid(), 'checkout', 'paid', 'EUR', 4900, 0, 900, 4900, 4900,
    'inclusive', (array['PT', 'DE', 'FR'])[1 + n % 3], false, '{}', '', 'campaign ' || n % 10, at, 0, at, at
  from generate_series(1, ${ROWS}) n, lateral (select timestamptz '2025-11-01' + n * interval '315 seconds' as at) t;
  insert into order_lines (school_id, id, order_id, position, item_type, item_id, price_id, name, payment, tax_class, quantity,
    unit_amount, discount_amount, tax_rate, tax_amount, amount)
  select '${SCHOOL}', gen_random_uuid(), md5('o' || n)::uuid, 1, 'course', md5((n % 40)::text)::uuid, gen_random_uuid(), 'Course',
    '{}', 'standard', 1, 4900, 0, 230000, 900, 4900
  from generate_series(1, ${ROWS}) n;
  commit`

const rollUp = async (metric: Metric): Promise<void> => {
  const { text, values } = metric.rows(SCHOOL, YEAR)
  await database.query(
    `insert into metric_buckets (school_id, metric, at, dims, value)
     select '${SCHOOL}', '${metric.name}', stoa.quarter(r.at), r.dims, sum(r.value) from (${text}) r group by 3, 4`,
    values,
  )
}

before(async () => {
  database = await createTestDatabase()
  await database.query(fill)
  const rolled = [
    'enrollments',
    'completions',
    'orders_placed',
    'orders_paid',
    'sales',
    'sales_tax',
    'net_revenue_by_order',
  ]
  for (const name of rolled) await rollUp(metricNamed(name))
  await database.query('vacuum analyze')
})

after(() => database.drop())

const boundsBy = (interval: 'day' | 'week'): Date[] => {
  const period = computePeriod({ interval, from: '2025-11-01', to: '2026-10-31', zone: 'Europe/Lisbon' }, 1)
  if (period === undefined) throw new Error('too many points')
  return [...period.starts, period.end]
}

const all = { breakdown: undefined, only: undefined, courses: undefined }
const sales = metricNamed('sales')
const courseIds = ['crs:00000000-0000-7000-8000-0000000000c1', 'crs:00000000-0000-7000-8000-0000000000c2']

const statements = [
  ['the state of a school', captureStatement(db => getState(db, SCHOOL, { names: ['sales'], sources: sales.sources }))],
  ['a year of sales by day', sumPoints(SCHOOL, sales, { ...all, bounds: boundsBy('day') })],
  [
    'a year of sales by week and item',
    sumPoints(SCHOOL, sales, { ...all, bounds: boundsBy('week'), breakdown: 'item' }),
  ],
  [
    'a year of enrollments in the courses of a lecturer',
    sumPoints(SCHOOL, metricNamed('enrollments'), {
      ...all,
      bounds: boundsBy('day'),
      breakdown: 'course',
      courses: courseIds,
    }),
  ],
  [
    'a report over a year',
    sumReport(SCHOOL, {
      ...YEAR,
      metrics: ['sales', 'sales_tax'],
      running: [],
      by: ['country', 'tax_rate'],
      courses: undefined,
    }),
  ],
] as const

test('a year over 100,000 enrollments and orders is read from what was rolled up, by an index, well within the limit', async () => {
  const { ask, close } = await openAccess(database.appUrl, SCHOOL)
  const found: string[] = []
  for (const [name, statement] of statements) {
    const plans = await Promise.all([ask(statement, planModes[0])])
    found.push(`# ${name}\n${plans.flat().join('\n')}\n`)
  }
  await close()
  const planned = found.join('\n')
  // Rewritten by STOA_WRITE_PLANS=1, to be read and committed.
  if (process.env.STOA_WRITE_PLANS === '1') await writeFile(FILE, planned)
  assert.equal(planned, await readFile(FILE, 'utf8'))
  for (const line of planned.split('\n'))
    if (/^(?:enrollments|orders|order_lines|metric_buckets) /.test(line))
      assert.match(line, /^metric_buckets by metric_buckets_pkey/)
  const explainer = await openExplainer(database.appUrl, SCHOOL)
  for (const [name, statement] of statements) {
    const { ms } = await explainer.ask(statement)
    assert.ok(ms < LIMIT_MS / 2, `${name} took ${ms} ms`)
  }
  await explainer.close()
})

test('the rows of a quarter of an hour are found by an index', async () => {
  const explainer = await openExplainer(database.appUrl, SCHOOL)
  const quarter = { from: new Date('2026-05-05T10:00:00Z'), until: new Date('2026-05-05T10:15:00Z') }
  for (const name of ['enrollments', 'completions', 'orders_placed', 'orders_paid', 'sales', 'net_revenue_by_order']) {
    const { blocks } = await explainer.ask(metricNamed(name).rows(SCHOOL, quarter))
    assert.ok(blocks < 100, `${name} reads ${blocks} blocks`)
  }
  await explainer.close()
})
