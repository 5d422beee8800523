// One thing: the acceptance cases of analytics, which share a school with a history of sales.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memberErasure } from '#src/contract/personal-data.ts'
import { toId } from '#src/kit/ids.ts'
import type { Actor } from '#testing/actor.ts'
import { addSales, metrics, rollUp } from '#testing/analytics.ts'
import { testApp } from '#testing/app.ts'
import { addMembers, openSales } from '#testing/offers.ts'
import { isOfRequest, isTokenLookup } from '#testing/statements.ts'
import { until } from '#testing/until.ts'

let statements: string[] = []
const app = testApp({ onStatement: text => void statements.push(text) })
const SCOPES = ['analytics:read']
const MARKER = 'Zwetschgenperson'
const SMALL = 'zwetschgenkampagne'

const courses = async (of: 'carla' | 'others'): Promise<{ id: string; name: string }[]> =>
  app.database.query(
    `select c.id, c.name from courses c where c.school_id = $1 and c.deleted_at is null and $2 = exists (
       select from course_lecturers l join lecturers p on p.school_id = l.school_id and p.id = l.lecturer_id
       join members m on m.school_id = p.school_id and m.id = p.member_id
       where l.school_id = c.school_id and l.course_id = c.id and m.email = 'carla@crumb.example') order by c.id`,
    [app.a.id, of === 'carla'],
  )

const enroll = (memberIds: readonly string[], courseId: string, at: string) =>
  app.database.query(
    `insert into enrollments (school_id, id, member_id, course_id, source, access_changed_at, changed_in, created_at,
       updated_at, completed_at)
     select $1, gen_random_uuid(), m, $3, 'import', $4, 0, $4, $4, $4::timestamptz + interval '1 hour' from unnest($2::uuid[]) as m`,
    [app.a.id, memberIds, courseId, at],
  )

let buyers: string[] = []
let own: { id: string; name: string }[] = []
let others: { id: string; name: string }[] = []

const fillHistory = async (): Promise<void> => {
  own = await courses('carla')
  others = await courses('others')
  buyers = await addMembers(app, 12)
  await app.database.query(
    `update members set name = $3, created_at = '2026-01-10T10:00:00Z' where school_id = $1 and id = any ($2)`,
    [app.a.id, buyers, MARKER],
  )
  const paidAt = new Date('2026-03-29T00:50:00Z')
  await addSales(app, own[0]?.id ?? '', [
    ...buyers
      .slice(0, 6)
      .map(memberId => ({ memberId, paidAt, amount: 4900, currency: 'EUR', campaign: 'spring', country: 'PT' })),
    ...buyers
      .slice(6, 9)
      .map(memberId => ({ memberId, paidAt, amount: 5200, currency: 'JPY', campaign: SMALL, country: 'JP' })),
    {
      memberId: buyers[9] ?? '',
      paidAt: new Date('2026-01-31T23:30:00Z'),
      amount: 1001,
      currency: 'EUR',
      refundedAt: new Date('2026-03-10T10:00:00Z'),
    },
  ])
  await enroll(buyers.slice(0, 4), own[0]?.id ?? '', '2026-05-05T12:00:00Z')
  await enroll(buyers.slice(4, 9), others[0]?.id ?? '', '2026-05-05T12:00:00Z')
  await rollUp(app)
}

let filled: Promise<void> | undefined
const actorWith = async (name: 'ada' | 'carla'): Promise<Actor> => {
  filled ??= fillHistory()
  await filled
  return app.actor(name, { scopes: SCOPES })
}
const staff = (): Promise<Actor> => actorWith('ada')
const lecturer = (): Promise<Actor> => actorWith('carla')

type Series = {
  currency: string | null
  total: number
  points: { start: string; value: number; parts?: { part: string; value: number }[] }[]
}

const readSeries = async (actor: Actor, query: string): Promise<Series[]> => {
  const reply = await actor.get(`/analytics/series?${query}`)
  assert.equal(reply.status, 200, `${query}: ${reply.text}`)
  return reply.json.series
}

test('a refund of an order is in the month of the refund by movement, and in that of the order by order', async () => {
  const ada = await staff()
  const months = 'metric=net_revenue&interval=month&from=2026-01-01&to=2026-03-31&time_zone=Europe/Lisbon'
  const readEuros = async (query: string) =>
    (await readSeries(ada, query)).find(({ currency }) => currency === 'EUR')?.points.map(({ value }) => value)
  assert.deepEqual(await readEuros(months), [1001, 0, 6 * 4900 - 500])
  assert.deepEqual(await readEuros(`${months}&basis=order`), [501, 0, 6 * 4900])
  // Half an hour before midnight in Lisbon is the next day in Berlin, where the first month has nothing.
  assert.deepEqual(await readEuros(months.replace('Europe/Lisbon', 'Europe/Berlin')), [1001, 6 * 4900 - 500])
})

test('days have 23 and 25 hours when clocks change, and weeks begin as the locale of the school says', async () => {
  const ada = await staff()
  const [{ points = [] } = {}] = await readSeries(
    ada,
    'metric=new_members&from=2026-03-28&to=2026-03-30&time_zone=Europe/Lisbon',
  )
  assert.deepEqual(
    points.map(({ start }) => start),
    ['2026-03-28T00:00:00.000Z', '2026-03-29T00:00:00.000Z', '2026-03-29T23:00:00.000Z'],
  )
  const [{ points: hours = [] } = {}] = await readSeries(
    ada,
    'metric=new_members&interval=hour&from=2026-03-29&to=2026-03-29&time_zone=Europe/Lisbon',
  )
  assert.equal(hours.length, 23)
  const [{ points: weeks = [] } = {}] = await readSeries(
    ada,
    'metric=new_members&interval=week&from=2026-03-04&to=2026-03-10&time_zone=UTC',
  )
  assert.deepEqual(
    weeks.map(({ start }) => start.slice(0, 10)),
    ['2026-03-02', '2026-03-09'],
  )
  await app.database.query(`update schools set locale = 'en-US' where id = $1`, [app.a.id])
  try {
    // The school of a request is looked up once a second.
    await until(async () => {
      const [{ points: [first] = [] } = {}] = await readSeries(
        ada,
        'metric=new_members&interval=week&from=2026-03-04&to=2026-03-10&time_zone=UTC',
      )
      return first?.start.slice(0, 10) === '2026-03-01'
    }, 'weeks that begin on Sunday')
  } finally {
    await app.database.query(`update schools set locale = 'en' where id = $1`, [app.a.id])
  }
})

test('JPY and EUR are two series, and a gauge carries on what was before', async () => {
  const ada = await staff()
  const series = await readSeries(ada, 'metric=sales&interval=month&from=2026-03-01&to=2026-03-31')
  assert.deepEqual(
    series.map(({ currency, total }) => [currency, total]),
    [
      ['EUR', 6 * 4900],
      ['JPY', 3 * 5200],
    ],
  )
  const [{ points: [january, february] = [] } = {}] = await readSeries(
    ada,
    'metric=members&interval=month&from=2026-01-01&to=2026-02-28',
  )
  assert.equal(january?.value, february?.value)
  assert.ok((january?.value ?? 0) >= 12)
})

test('what is compared with the period before has as many points, directly before', async () => {
  const ada = await staff()
  const reply = await ada.get(
    '/analytics/series?metric=sales&interval=month&from=2026-03-01&to=2026-03-31&compare=previous',
  )
  const [euros] = reply.json.series
  assert.deepEqual([euros.total, euros.previous.total], [6 * 4900, 0])
  assert.deepEqual(
    euros.previous.points.map(({ start }: { start: string }) => start),
    ['2026-02-01T00:00:00.000Z'],
  )
  const plain = await readSeries(ada, 'metric=sales&interval=month&from=2026-02-01&to=2026-02-28')
  assert.equal(plain.length, 1, 'one series where there was no money')
})

test('a row that comes late or is deleted changes the past, and `complete` is false until it is rolled up', async () => {
  const ada = await staff()
  const query = 'metric=enrollments&from=2026-05-05&to=2026-05-06'
  const state = async () => {
    const { json } = await ada.get(`/analytics/series?${query}`)
    return { complete: json.complete, total: json.series[0].total, asOf: json.as_of }
  }
  const before = await state()
  assert.deepEqual([before.complete, before.total], [true, 9])
  await enroll(buyers.slice(9, 10), own[0]?.id ?? '', '2026-05-05T14:00:00Z')
  const late = await state()
  assert.deepEqual([late.complete, late.total], [false, 9])
  assert.ok(late.asOf <= before.asOf, 'of the last roll-up')
  await rollUp(app)
  assert.deepEqual([(await state()).complete, (await state()).total], [true, 10])
  await app.database.query(`delete from enrollments where school_id = $1 and member_id = $2`, [app.a.id, buyers[9]])
  await rollUp(app)
  assert.equal((await state()).total, 9)
})

test('planted names, addresses and texts of few people are in no answer, CSV, registry or error', async () => {
  const ada = await staff()
  const texts: string[] = []
  const take = async (path: string, headers?: Record<string, string>) => {
    const { status, text } = await ada.get(path, headers)
    assert.ok(status < 500, `${path}: ${text}`)
    texts.push(text)
  }
  await take('/analytics/metrics?limit=100')
  for (const { name, breakdowns } of metrics) {
    for (const breakdown of ['', ...breakdowns.map(dimension => `&breakdown=${dimension.name}`)]) {
      const path = `/analytics/series?metric=${name}&interval=month&from=2026-01-01${breakdown}`
      await take(path)
      await take(path, { accept: 'text/csv' })
    }
  }
  await take('/analytics/reports?limit=100')
  const { data: reports } = (await ada.get('/analytics/reports?limit=100')).json as { data: { name: string }[] }
  assert.ok(reports.length >= 14)
  for (const name of [...reports.map(one => one.name), MARKER]) {
    await take(`/analytics/reports/${name}?from=2026-01-01`)
    await take(`/analytics/reports/${name}?from=2026-01-01`, { accept: 'text/csv' })
  }
  await take(`/analytics/series?metric=sales&item_id=${toId('mem', buyers[0] ?? '')}`)
  const buckets = await app.database.query<{ text: string }>(
    `select string_agg(metric || dims::text, ' ') as text from metric_buckets where school_id = $1`,
    [app.a.id],
  )
  for (const word of [MARKER, '@crumb.example', ...buyers])
    assert.ok(!buckets[0]?.text.includes(word), `rolled up ${word}`)
  const everything = texts.join('\n')
  for (const word of [MARKER, '@crumb.example', SMALL]) assert.ok(!everything.includes(word), word)
  for (const id of buyers) assert.ok(!everything.includes(toId('mem', id)) && !everything.includes(id))
  assert.ok(everything.includes('spring'), 'a campaign of six people is shown')
  const byCampaign = await readSeries(
    ada,
    'metric=sales&interval=month&from=2026-03-01&to=2026-03-31&breakdown=campaign',
  )
  const yen = byCampaign.find(({ currency }) => currency === 'JPY')
  assert.deepEqual(yen?.points[0]?.parts, [{ part: 'other', value: 3 * 5200 }])
})

test('a series is read with three statements at most, whatever is asked of it', async () => {
  const ada = await staff()
  for (const more of ['', '&breakdown=item', '&breakdown=item&compare=previous']) {
    statements = []
    await readSeries(ada, `metric=sales&interval=month&from=2026-03-01&to=2026-03-31${more}`)
    const own = statements.filter(text => isOfRequest(text) && !isTokenLookup(text))
    assert.ok(own.length <= 3, own.join('\n'))
  }
})

test('lecturers get figures of their courses, no money, and nothing of the courses of others', async () => {
  const carla = await lecturer()
  const [mine, theirs] = [toId('crs', own[0]?.id ?? ''), toId('crs', others[0]?.id ?? '')]
  const readCode = async (path: string) => {
    const { status, json } = await carla.get(`/analytics/${path}`)
    return [status, json.code]
  }
  const may = 'from=2026-05-01&to=2026-05-31'
  assert.deepEqual(await readCode(`series?metric=net_revenue&${may}`), [403, 'role_required'])
  assert.deepEqual(await readCode(`series?metric=sales&${may}&item_id=${mine}`), [403, 'role_required'])
  assert.deepEqual(await readCode(`series?metric=enrollments&${may}`), [403, 'role_required'])
  assert.deepEqual(await readCode(`series?metric=enrollments&${may}&item_id=${theirs}`), [404, 'not_found'])
  assert.deepEqual(await readCode(`series?metric=enrollments&${may}&item_id=${toId('crs', buyers[0] ?? '')}`), [
    404,
    'not_found',
  ])
  assert.deepEqual(await readCode('reports/tax'), [403, 'role_required'])
  assert.deepEqual(await readCode('reports/nothing'), [404, 'not_found'])
  const [{ total = 0 } = {}] = await readSeries(carla, `metric=enrollments&${may}&item_id=${mine}`)
  assert.equal(total, 4)
  const [broken] = await readSeries(carla, `metric=enrollments&interval=month&${may}&breakdown=course`)
  assert.deepEqual([broken?.total, broken?.points[0]?.parts], [4, [{ part: mine, value: 4 }]])
  const { json: report } = await carla.get(`/analytics/reports/course_completion?${may}`)
  assert.deepEqual(
    report.data.map(({ keys }: { keys: { part: string; name: string }[] }) => keys[0]?.part),
    [mine],
  )
  assert.equal(report.data[0].keys[0].name, own[0]?.name)
  const { json: known } = await carla.get('/analytics/metrics?limit=100')
  assert.ok(
    known.data.every(
      ({ access, unit }: { access: string; unit: string }) => access === 'lecturer_of' && unit === 'count',
    ),
  )
  const dev = await app.actor('dev', { scopes: SCOPES, approvedAs: 'owner' })
  for (const path of ['metrics', 'reports', 'series?metric=enrollments', 'reports/tax'])
    assert.equal((await dev.get(`/analytics/${path}`)).status, 403, path)
})

test('too many points, wrong days and wrong words are refused, and days to come are left out', async () => {
  const ada = await staff()
  const readCode = async (query: string) => {
    const { status, json } = await ada.get(`/analytics/series?metric=enrollments&${query}`)
    return [status, json.code]
  }
  const refused = [400, 'invalid_parameter']
  for (const query of [
    'interval=hour&from=2016-11-24',
    'from=2020-01-01&to=2026-01-01',
    'from=1979-12-31&to=1980-01-01',
    'from=2026-02-30',
    'from=2026-03-02&to=2026-03-01',
    'time_zone=Mars/Olympus',
    'breakdown=mood',
    'basis=order',
    `item_id=${toId('frm', buyers[0] ?? '')}`,
    'item_id=xxx_00000000000000000000000000',
  ])
    assert.deepEqual(await readCode(query), refused, query)
  assert.deepEqual((await ada.get('/analytics/series?metric=happiness')).status, 400)
  assert.equal((await readCode('interval=week&from=2016-11-24'))[0], 200, 'ten years by week')
  const { json } = await ada.get('/analytics/series?metric=enrollments&from=2026-11-01&to=9999-12-31&interval=month')
  assert.equal(json.code, 'invalid_parameter')
  const future = await ada.get('/analytics/series?metric=enrollments&from=2026-11-01&to=2027-12-31&interval=month')
  assert.equal(future.json.complete, false)
  assert.ok(future.json.series[0].points.every(({ start }: { start: string }) => start <= future.json.as_of))
  const ever = await ada.get('/analytics/reports/tax?from=1980-01-01&to=9999-12-31')
  assert.deepEqual([ever.status, ever.json.complete], [200, false])
  const never = await ada.get('/analytics/series?metric=enrollments&from=2090-01-01&to=2090-01-02&compare=previous')
  assert.deepEqual([never.json.series[0].points, never.json.series[0].total], [[], 0])
})

test('a school without data has zeros, and no points before it was there', async () => {
  await app.database.query(
    `set session_replication_role = replica;
     delete from order_lines where school_id = '${app.b.id}'; delete from orders where school_id = '${app.b.id}';
     delete from payments where school_id = '${app.b.id}'; delete from refunds where school_id = '${app.b.id}';
     delete from enrollments where school_id = '${app.b.id}'; delete from activity_hours where school_id = '${app.b.id}';
     delete from metric_buckets where school_id = '${app.b.id}'; delete from metric_dirty where school_id = '${app.b.id}';
     update schools set created_at = stoa.now() - interval '1 day' where id = '${app.b.id}';
     set session_replication_role = origin`,
  )
  const owner = await app.actor('ada', { scopes: SCOPES, school: app.b })
  for (const { name, unit } of metrics) {
    const [series] = (await owner.get(`/analytics/series?metric=${name}&from=2026-01-01&time_zone=UTC`)).json.series
    assert.equal(series.currency, unit === 'money' ? 'EUR' : null)
    assert.ok(series.points.length <= 3, `${name} has ${series.points.length} points`)
    assert.ok(series.points.every(({ value }: { value: unknown }) => value === 0))
    assert.equal(series.total, 0)
  }
})

test('erasing people changes no sum of money and no count of completions', async () => {
  const ada = await staff()
  const names = metrics.filter(
    ({ name, unit }) => unit === 'money' || name.includes('completions') || name.startsWith('orders'),
  )
  const totals = () =>
    Promise.all(
      names.map(async ({ name }) => [name, await readSeries(ada, `metric=${name}&interval=month&from=2026-01-01`)]),
    )
  await rollUp(app)
  const before = await totals()
  const sales = openSales(app.database.appUrl, app.a.id)
  for (const memberId of buyers) await sales.run(place => memberErasure.call({ memberId }, place))
  await sales.close()
  await rollUp(app)
  assert.deepEqual(await totals(), before)
})
