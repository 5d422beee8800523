// One thing: lists with a condition that no index answers in their order, in a school with more rows than a page looks at.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { learner, readMain } from '#testing/learn-pages.ts'
import { TEACHING, teach } from '#testing/learning.ts'

// A page looks at 5,000 rows, and a search that finds more than 10,000 is looked for in the order of the list.
const [ANNAS, ZOES, WITH_ACCESS] = [5200, 10_200, 30]

const MADE = `
  insert into members (school_id, id, email, email_folded, email_verified, name, name_folded, status, role, created_at, updated_at,
    changed_in)
  select $1::uuid, (lpad(to_hex((extract(epoch from made) * 1000)::bigint), 12, '0') || '70008' || lpad(n::text, 15, '0'))::uuid,
    address, address, true, called, lower(called), 'active', 'member', made, made, pg_current_xact_id()::text::bigint
  from (select set_config('stoa.school_id', $1::text, true)) as setting, generate_series(1, $2::integer + $3::integer) as n,
    lateral (select case when n <= $2 then 'Annette' else 'Zoltan' end || ' Number' || n as called,
      'short' || n || '@people.example' as address,
      date_trunc('milliseconds', now()) + n * interval '1 ms' as made) as at`

const ENROLLED = `
  insert into enrollments (school_id, id, member_id, course_id, source, access_changed_at, changed_in, created_at, updated_at)
  select school_id, id, id, $2, 'staff', created_at, pg_current_xact_id()::text::bigint, created_at, created_at
  from members where school_id = $1 and (name like 'Annette %' or id = any ($3::uuid[]))`

const GIVEN = `
  insert into entitlements (school_id, id, member_id, item_type, item_id, source, starts_at, created_at)
  select school_id, id, id, 'course', $2, 'staff', now() - interval '1 day', now() from members
  where school_id = $1 and id = any ($3::uuid[])`

const ON_HOLD = `
  insert into holds (school_id, id, member_id, reason, starts_at, created_at)
  select school_id, id, id, 'staff', now() - interval '1 hour', now() from members
  where school_id = $1 and (name like 'Annette %' or id = any ($2::uuid[]))`

const SEEN = `
  update members set last_seen_at = case when id = any ($2::uuid[]) then timestamptz '2100-02-01' else '2100-01-01' end
  where school_id = $1 and name like 'Zoltan %'`

// Copies of a paid order, of which the first three are entered by staff and refunded in full.
const ORDERED = `
  insert into orders
  select made.* from (select set_config('stoa.school_id', $1::text, true)) as setting, orders o, generate_series(1, 5200) as n,
    lateral jsonb_populate_record(o, jsonb_build_object(
      'id', (lpad(to_hex((extract(epoch from now()) * 1000)::bigint + n), 12, '0') || '70008' || lpad(n::text, 15, '0'))::uuid,
      'number', 'COPY-' || n, 'counter', 1000000 + n, 'kind', case when n <= 3 then 'outside' else 'checkout' end)) as made
  where o.id = (
    select l.order_id from order_lines l join orders p on p.school_id = l.school_id and p.id = l.order_id
    where l.school_id = $1::uuid and l.amount > 0 and p.status = 'paid' and p.subscription_id is null order by l.id limit 1)
  order by n`

const REFUNDED = `
  insert into order_lines
  select made.* from (select set_config('stoa.school_id', $1::text, true)) as setting, order_lines l, orders c,
    lateral jsonb_populate_record(l, jsonb_build_object(
      'id', gen_random_uuid(), 'order_id', c.id, 'refunded_amount', l.amount, 'position', 1)) as made
  where l.id = (select id from order_lines where school_id = $1::uuid and amount > 0 order by id limit 1)
    and c.school_id = $1::uuid and c.number in ('COPY-1', 'COPY-2', 'COPY-3')`

suite('pages that end before they are full', { concurrency: false }, () => {
  const app = testApp()
  let ada: Actor
  let course = ''

  const fill = async (): Promise<void> => {
    if (course !== '') return
    ada = await app.actor('ada', { scopes: [...TEACHING, 'orders:read'] })
    course = (await teach(ada, 'Crowded', [{ name: 'One', type: 'text' }])).id
    const [row] = await app.database.query<{ id: string }>(
      "select id from courses where school_id = $1 and name = 'Crowded'",
      [app.a.id],
    )
    await app.database.query(MADE, [app.a.id, ANNAS, ZOES])
    const last = await app.database.query<{ id: string }>(
      "select id from members where school_id = $1 and name like 'Zoltan %' order by id desc limit $2",
      [app.a.id, WITH_ACCESS],
    )
    const ids = last.map(({ id }) => id)
    for (const text of [ENROLLED, GIVEN]) await app.database.query(text, [app.a.id, row?.id, ids])
    await app.database.query(SEEN, [app.a.id, ids])
    // As autovacuum does after so many rows.
    await app.database.query('analyze members, enrollments, entitlements')
  }

  /** Follows a list to its end: how many rows each page has. */
  const readSizes = async (path: string): Promise<number[]> => {
    const sizes: number[] = []
    const seen = new Set<string>()
    let cursor: string | undefined = ''
    while (cursor !== undefined) {
      const { status, json, text } = await ada.get(
        `${path}&limit=100${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      )
      assert.equal(status, 200, text)
      sizes.push(json.data.length)
      for (const { id } of json.data) seen.add(id)
      assert.equal(json.has_more, json.next_cursor !== undefined)
      cursor = json.next_cursor
    }
    assert.equal(
      seen.size,
      sizes.reduce((sum, size) => sum + size, 0),
      'no row comes twice',
    )
    return sizes
  }

  const sum = (sizes: readonly number[]): number => sizes.reduce((all, size) => all + size, 0)

  test('a filter by access finds every row, in pages of which the first has none', async () => {
    await fill()
    for (const path of [
      `/enrollments?course_id=${course}&state=active`,
      `/students?course_id=${course}&state=active`,
    ]) {
      const sizes = await readSizes(path)
      assert.equal(sizes[0], 0, path)
      assert.equal(sum(sizes), WITH_ACCESS, path)
      assert.equal((await ada.get(`${path}&include_total=true`)).json.total, WITH_ACCESS, path)
    }
  })

  test('a search that finds most finds every row in each order, and counts and exports all', async () => {
    await fill()
    for (const sort of ['created_at', '-name']) {
      const sizes = await readSizes(`/members?q=zoltan&sort=${sort}`)
      assert.equal(sum(sizes), ZOES, sort)
      assert.equal(sizes[0], sort === 'created_at' ? 0 : 100, sort)
    }
    assert.equal((await ada.get('/members?q=zoltan&include_total=true&limit=1')).json.total, ZOES)
    const { text } = await app.send({
      path: '/api/v1/members?q=zoltan',
      headers: { authorization: `Bearer ${ada.token}`, accept: 'text/csv' },
    })
    assert.equal(text.split('\n').filter(line => /,Zoltan /.test(line)).length, ZOES)
  })

  test('a range of many is looked for in the order of the list, and a range of few is collected', async () => {
    await fill()
    const many = '/members?last_seen_at[gte]=2100-01-01T00:00:00.000Z'
    for (const sort of ['created_at', '-name']) {
      const sizes = await readSizes(`${many}&sort=${sort}`)
      assert.equal(sum(sizes), ZOES, sort)
      assert.equal(sizes[0], sort === 'created_at' ? 0 : 100, sort)
    }
    assert.equal((await ada.get(`${many}&include_total=true&limit=1`)).json.total, ZOES)
    const few = '/members?last_seen_at[gte]=2100-02-01T00:00:00.000Z'
    for (const filter of [
      '',
      '&sort=name',
      '&sort=-created_at',
      '&q=zoltan',
      '&updated_at[gte]=2020-01-01T00:00:00.000Z',
    ])
      assert.deepEqual(await readSizes(`${few}${filter}`), [WITH_ACCESS], filter)
    assert.deepEqual(await readSizes('/members?last_seen_at[gte]=2100-03-01T00:00:00.000Z'), [0])
    assert.deepEqual(await readSizes(`${few}&q=annette`), [0])
    const pages = []
    for (let cursor = ''; pages.length < 2; ) {
      const { json } = await ada.get(`${few}&sort=-name&limit=20${cursor}`)
      pages.push(...[json.data.map(({ name }: { name: string }) => name)])
      cursor = `&cursor=${encodeURIComponent(json.next_cursor ?? '')}`
    }
    assert.deepEqual(
      pages.map(({ length }) => length),
      [20, WITH_ACCESS - 20],
    )
    assert.deepEqual(pages.flat(), pages.flat().toSorted().toReversed())
  })

  test('the order of commits goes on behind a page without rows, and finds every row', async () => {
    await fill()
    const pages: number[] = []
    let after: string | undefined = '0'
    while (after !== undefined) {
      const { json, text } = await ada.get(
        `/enrollments?course_id=${course}&state=active&limit=100&after=${encodeURIComponent(after)}`,
      )
      assert.ok(json.next_after, text)
      pages.push(json.data.length)
      after = json.has_more ? json.next_after : undefined
    }
    assert.equal(pages[0], 0)
    assert.equal(sum(pages), WITH_ACCESS)
  })

  test('orders of a kind, a provider or a refund that few have are found behind pages without rows', async () => {
    await fill()
    const filters = ['kind=outside', 'status[in]=refunded', 'provider=free', 'status[in]=refunded,partially_refunded']
    const readTotal = async (filter: string): Promise<number> =>
      (await ada.get(`/orders?${filter}&include_total=true&limit=1`)).json.total
    const before = await Promise.all(filters.map(readTotal))
    for (const text of [ORDERED, REFUNDED]) await app.database.query(text, [app.a.id])
    for (const [at, filter] of filters.entries()) {
      const total = (before[at] ?? 0) + (filter === 'provider=free' ? 0 : 3)
      const sizes = await readSizes(`/orders?${filter}`)
      assert.equal(sizes[0], 0, filter)
      assert.equal(sum(sizes), total, filter)
      assert.equal(await readTotal(filter), total, filter)
    }
  })

  test('a page of staff without rows says that the list goes on', async () => {
    await fill()
    const browser = await learner(app, 'ada')
    const people = await browser.open('/staff/people?q=zoltan')
    assert.match(readMain(people), /The list goes on/)
    assert.match(people.text, /rel="next"/)
    const students = await browser.open(`/staff/students?course_id=${course}&state=active`)
    assert.match(readMain(students), /Zoltan|The list goes on/)
    assert.doesNotMatch(readMain(await browser.open('/staff/people?q=nobodyofthisname')), /The list goes on/)
  })

  test('access on hold is found where few members are on hold and where many are', async () => {
    await fill()
    const held = [`/enrollments?course_id=${course}&state=held`, `/students?course_id=${course}&state=held`]
    const last = await app.database.query<{ id: string }>(
      "select id from members where school_id = $1 and name like 'Zoltan %' order by id desc limit $2",
      [app.a.id, WITH_ACCESS],
    )
    const ids = last.map(({ id }) => id)
    await app.database.query(`${ON_HOLD} and name like 'Zoltan %'`, [app.a.id, ids])
    for (const path of held) assert.deepEqual(await readSizes(path), [WITH_ACCESS], path)
    await app.database.query('delete from holds where school_id = $1 and member_id = any ($2::uuid[])', [app.a.id, ids])
    for (const path of held) assert.deepEqual(await readSizes(path), [0], path)
    await app.database.query(ON_HOLD, [app.a.id, ids])
    for (const path of held) {
      const sizes = await readSizes(path)
      assert.equal(sizes[0], 0, path)
      assert.equal(sum(sizes), WITH_ACCESS, path)
      assert.equal((await ada.get(`${path}&include_total=true&limit=1`)).json.total, WITH_ACCESS, path)
    }
    const { text } = await app.send({
      path: `/api/v1${held[0]}`,
      headers: { authorization: `Bearer ${ada.token}`, accept: 'text/csv' },
    })
    assert.equal(text.split('\n').filter(line => /Zoltan /.test(line)).length, WITH_ACCESS)
  })

  test('a cursor of such a page is of its list alone', async () => {
    await fill()
    const { next_cursor: cursor } = (await ada.get(`/enrollments?course_id=${course}&state=active`)).json
    const other = await ada.get(`/enrollments?course_id=${course}&state=none&cursor=${encodeURIComponent(cursor)}`)
    assert.equal(other.status, 400, other.text)
  })
})
