import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Metric, MetricRow } from '#src/contract/metric.ts'
import { memberErasure } from '#src/contract/personal-data.ts'
import type { Actor } from '#testing/actor.ts'
import { addSales, createRandom, metrics, rawRows, rollUp, type Sale } from '#testing/analytics.ts'
import { testApp } from '#testing/app.ts'
import { addMembers, openSales } from '#testing/offers.ts'
import { addRegistrations, addSubscriptions } from '#testing/recurring-history.ts'

const app = testApp()
const SEED = Number(process.env.STOA_SEED ?? 20261124)
const random = createRandom(SEED)
const ROUNDS = 50
const ZONES = [
  ...[
    'Europe/Lisbon',
    'America/New_York',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Pacific/Chatham',
    'America/St_Johns',
  ],
  ...['Asia/Kolkata', 'Africa/Cairo', 'Pacific/Apia', 'America/Santiago', 'Asia/Tokyo', 'UTC', 'Pacific/Kiritimati'],
]
const DAY_MS = 24 * 3600 * 1000

const pick = <T>(from: readonly T[]): T => {
  const found = from[Math.floor(random() * from.length)]
  if (found === undefined) throw new Error('nothing to pick from')
  return found
}

// Within a year with two changes of clocks.
const someInstant = (): Date => new Date(Date.UTC(2025, 9, 1) + random() * 400 * DAY_MS)
const sometimes = (at: Date): Date | null => (random() < 0.3 ? new Date(at.getTime() + random() * 60 * DAY_MS) : null)

const someSale = (memberId: string): Sale => {
  const paidAt = someInstant()
  const amount = Math.floor(random() * 20_000) + 10
  const refundedAt = sometimes(paidAt)
  return {
    ...{ memberId, paidAt, amount, refundedAt, lostAt: random() < 0.1 ? sometimes(paidAt) : null },
    currency: random() < 0.3 ? 'JPY' : 'EUR',
    campaign: random() < 0.5 ? pick(['spring', 'autumn']) : null,
    country: pick(['PT', 'DE']),
  }
}

const lessons = () =>
  app.database.query<{ id: string; course_id: string }>(
    'select l.id, l.course_id from lessons l where l.school_id = $1 order by id limit 20',
    [app.a.id],
  )

const learn = async (memberIds: readonly string[]): Promise<void> => {
  const all = await lessons()
  for (const memberId of memberIds) {
    const { course_id: courseId, id: lessonId } = pick(all)
    await app.database.query(
      `insert into enrollments (school_id, id, member_id, course_id, source, access_changed_at, changed_in, created_at,
         updated_at, completed_at)
       values ($1, gen_random_uuid(), $2, $3, 'import', $4, 0, $4, $4, $5) on conflict do nothing`,
      [app.a.id, memberId, courseId, someInstant(), random() < 0.5 ? someInstant() : null],
    )
    await app.database.query(
      `insert into lesson_completions (school_id, id, member_id, course_id, lesson_id, completed_at, completed_by)
       values ($1, gen_random_uuid(), $2, $3, $4, $5, 'self') on conflict do nothing`,
      [app.a.id, memberId, courseId, lessonId, someInstant()],
    )
  }
}

const someLevels = (): Date[] =>
  Array.from({ length: 1 + Math.floor(random() * 4) }, someInstant).sort((one, other) => Number(one) - Number(other))

const subscribe = (memberIds: readonly string[], courseId: string): Promise<void> =>
  addSubscriptions(
    app,
    courseId,
    memberIds.map(memberId => ({
      memberId,
      currency: random() < 0.3 ? 'JPY' : 'EUR',
      levels: someLevels().map((at, place) => ({
        at,
        amount: place > 0 && random() < 0.3 ? 0 : 1 + Math.floor(random() * 9999),
        interval: pick(['week', 'month', 'year'] as const),
      })),
    })),
  )

const attend = (memberIds: readonly string[]): Promise<void> => {
  const endedAt = someInstant()
  const rows = memberIds.map(memberId => {
    const madeAt = someInstant()
    return { memberId, madeAt, cameAt: sometimes(madeAt), cancelledAt: sometimes(madeAt) }
  })
  return addRegistrations(app, rows, endedAt)
}

// Attempts that were graded, downloads that counted, payments that failed, and what was looked at.
const tryAndFail = async (memberIds: readonly string[]): Promise<void> => {
  const rows = JSON.stringify(memberIds.map(memberId => ({ memberId, at: someInstant() })))
  await app.database.query(
    `insert into quiz_attempts (school_id, id, member_id, course_id, lesson_id, quiz_id, attempt_number, status, points_possible, passed,
       started_at, graded_at, changed_in, created_at, updated_at)
     select q.school_id, gen_random_uuid(), r."memberId", q.course_id, q.lesson_id, q.quiz_id, 99, 'graded', 1,
       hashtext(r."memberId"::text) % 2 = 0, r.at, r.at + interval '40 minutes', 0, r.at, r.at
     from jsonb_to_recordset($2::jsonb) as r ("memberId" uuid, at timestamptz), lateral (
       select * from quiz_attempts q where q.school_id = $1 order by q.id limit 1) as q`,
    [app.a.id, rows],
  )
  await app.database.query(
    `insert into product_downloads (school_id, id, link_id, version_id, member_id, is_counted, changed_in, created_at)
     select v.school_id, gen_random_uuid(), gen_random_uuid(), v.id, r."memberId", true, 0, r.at
     from jsonb_to_recordset($2::jsonb) as r ("memberId" uuid, at timestamptz), lateral (
       select * from product_file_versions v where v.school_id = $1 order by v.id limit 1) as v`,
    [app.a.id, rows],
  )
  await app.database.query(
    `insert into payments (school_id, id, order_id, member_id, provider, amount, currency, state, failure_code, created_at,
       updated_at, settled_at)
     select $1, gen_random_uuid(), gen_random_uuid(), r."memberId", 'test', 100, 'EUR', 'failed', 'card_declined', r.at, r.at, r.at
     from jsonb_to_recordset($2::jsonb) as r ("memberId" uuid, at timestamptz)`,
    [app.a.id, rows],
  )
  await app.database.query(
    `insert into view_counts (school_id, at, item_type, item_id, views)
     select $1, stoa.quarter(r.at), i.type, i.id, 3 from jsonb_to_recordset($2::jsonb) as r (at timestamptz), lateral (
       (select 'post' as type, p.id from posts p where p.school_id = $1 order by p.id limit 1)
       union all (select 'form', f.id from forms f where f.school_id = $1 order by f.id limit 1)) as i
     on conflict (school_id, at, item_type, item_id) do update set views = view_counts.views + excluded.views`,
    [app.a.id, rows],
  )
}

const history = async (count: number): Promise<void> => {
  const memberIds = await addMembers(app, count)
  for (const id of memberIds)
    await app.database.query('update members set created_at = $3 where school_id = $1 and id = $2', [
      app.a.id,
      id,
      someInstant(),
    ])
  await learn(memberIds)
  const [{ course_id: courseId = '' } = {}] = await lessons()
  await addSales(app, courseId, memberIds.map(someSale))
  await subscribe(memberIds, courseId)
  await attend(memberIds)
  await tryAndFail(memberIds)
}

// Everything that may happen to the past: corrections, deletions, undone completions, erased people.
const change = async (): Promise<void> => {
  const { query } = app.database
  await query(
    `update enrollments set completed_at = completed_at - interval '40 days'
     where school_id = $1 and completed_at is not null and abs(hashtext(id::text)) % 4 = 0`,
    [app.a.id],
  )
  await query(
    `update lesson_completions set undone_at = stoa.now() where school_id = $1 and abs(hashtext(id::text)) % 5 = 0`,
    [app.a.id],
  )
  await query(`delete from lesson_completions where school_id = $1 and abs(hashtext(id::text)) % 7 = 0`, [app.a.id])
  await query(
    `update refunds set state = 'failed', settled_at = settled_at + interval '1 day'
     where school_id = $1 and abs(hashtext(id::text)) % 5 = 0`,
    [app.a.id],
  )
  await query(
    `update orders set refunded_total = paid_total where school_id = $1 and abs(hashtext(id::text)) % 6 = 0 and status = 'paid'`,
    [app.a.id],
  )
  await query(
    `update registrations set status = 'checked_in', checked_in_at = confirmed_at + interval '3 days'
     where school_id = $1 and status = 'confirmed' and attendee_name = 'Somebody' and abs(hashtext(id::text)) % 3 = 0`,
    [app.a.id],
  )
  await query(
    `update members set status = 'suspended' where school_id = $1 and name = 'Buyer' and abs(hashtext(id::text)) % 7 = 0`,
    [app.a.id],
  )
  await query(`update view_counts set views = views + 2 where school_id = $1 and abs(hashtext(at::text)) % 4 = 0`, [
    app.a.id,
  ])
  await query(`delete from mrr_changes where school_id = $1 and abs(hashtext(id::text)) % 11 = 0`, [app.a.id])
  const erased = await query<{ id: string }>(
    `select id from members where school_id = $1 and name = 'Buyer' and abs(hashtext(id::text)) % 10 = 0`,
    [app.a.id],
  )
  const sales = openSales(app.database.appUrl, app.a.id)
  for (const { id } of erased) await sales.run(place => memberErasure.call({ memberId: id }, place))
  await sales.close()
  await query(
    `update members set deleted_at = created_at + interval '90 days' where school_id = $1 and id = any ($2)`,
    [app.a.id, erased.map(({ id }) => id)],
  )
}

const dayIn = (zone: string) => {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' })
  return (at: Date): string => format.format(at)
}

const computeMonday = (day: string): string => {
  const at = new Date(`${day}T00:00:00Z`)
  return new Date(at.getTime() - ((at.getUTCDay() + 6) % 7) * DAY_MS).toISOString().slice(0, 10)
}

const keyFor = (interval: string, day: string): string => {
  if (interval === 'month') return `${day.slice(0, 7)}-01`
  return interval === 'week' ? computeMonday(day) : day
}

// Rows have at most six decimals, and a sum is rounded once.
const whole = (value: number): number => Math.round(Number(value.toFixed(6))) || 0

// By local days as Intl knows them, from rows as they are.
const expected = (
  metric: Metric,
  rows: readonly MetricRow[],
  { zone, interval, keys }: { zone: string; interval: string; keys: readonly string[] },
): Map<string, Map<string, number>> => {
  const day = dayIn(zone)
  const currencies = metric.unit === 'money' ? [...new Set(rows.map(({ dims }) => dims.currency ?? ''))] : ['']
  const first = keys[0] ?? ''
  return new Map(
    currencies.map(currency => {
      const own = rows.filter(({ dims }) => metric.unit === 'count' || dims.currency === currency)
      const byKey = Map.groupBy(own, ({ at }) => keyFor(interval, day(at)))
      const valueAt = (key: string): number => {
        const found = byKey.get(key) ?? []
        if (metric.kind === 'distinct') return new Set(found.map(({ person }) => person)).size
        return found.reduce((sum, { value }) => sum + Number(value), 0)
      }
      if (metric.kind !== 'gauge') return [currency, new Map(keys.map(key => [key, whole(valueAt(key))]))] as const
      let running = own
        .filter(({ at }) => keyFor(interval, day(at)) < first)
        .reduce((sum, { value }) => sum + Number(value), 0)
      const values = new Map<string, number>()
      for (const key of keys) {
        running += valueAt(key)
        values.set(key, whole(running))
      }
      return [currency, values] as const
    }),
  )
}

const compare = async (ada: Actor, metric: Metric): Promise<void> => {
  const zone = pick(ZONES)
  const interval = pick(['day', 'week', 'month'])
  const start = Date.UTC(2025, 9, 15) + Math.floor(random() * 300) * DAY_MS
  const [from = '', to = ''] = [start, start + Math.floor(random() * 90) * DAY_MS].map(at =>
    new Date(at).toISOString().slice(0, 10),
  )
  const asked = `metric=${metric.name}&interval=${interval}&from=${from}&to=${to}&time_zone=${encodeURIComponent(zone)}`
  const reply = await ada.get(`/analytics/series?${asked}`)
  const name = `seed ${SEED}: ${asked}`
  assert.equal(reply.status, 200, `${name}: ${reply.text}`)
  assert.equal(reply.json.complete, true, name)
  const day = dayIn(zone)
  type Shown = { start: string; value: number }
  const keys = (reply.json.series[0].points as Shown[]).map(({ start: at }) => keyFor(interval, day(new Date(at))))
  const until = new Date(`${to}T00:00:00Z`)
  const rows = await rawRows(app, app.a.id, metric, {
    from: new Date(0),
    until: new Date(until.getTime() + 3 * DAY_MS),
  })
  const shown = rows.filter(({ at }) => day(at) <= to)
  const all = expected(metric, shown, { zone, interval, keys })
  for (const { currency, points } of reply.json.series as { currency: string | null; points: Shown[] }[]) {
    const values = all.get(currency ?? '')
    assert.deepEqual(
      points.map(({ value }) => value),
      keys.map(key => values?.get(key) ?? 0),
      `${name} ${currency}`,
    )
  }
  const first = keys[0] ?? '9'
  const missing =
    metric.kind === 'gauge' ? [] : shown.filter(({ at }) => day(at) >= from && keyFor(interval, day(at)) < first)
  assert.deepEqual(missing, [], `${name}: points before the first one have nothing`)
}

test('every metric over any days of any zone equals its rows, after late rows, corrections, deletions and erasures', async () => {
  const ada = await app.actor('ada', { scopes: ['analytics:read'] })
  await history(80)
  await rollUp(app)
  await change()
  await history(40)
  await rollUp(app)
  const range = { from: new Date(0), until: new Date(Date.UTC(2100, 0, 1)) }
  const empty: string[] = []
  for (const metric of metrics) if ((await rawRows(app, app.a.id, metric, range)).length === 0) empty.push(metric.name)
  assert.deepEqual(empty, [], 'every metric has rows to compare')
  for (let round = 0; round < ROUNDS; round++) for (const metric of metrics) await compare(ada, metric)
})
