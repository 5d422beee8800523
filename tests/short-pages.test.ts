// One thing: lists with a condition that no index answers, in a school with more rows than a page looks at.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { learner, mainOf } from '#testing/learn-pages.ts'
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

suite('pages that end before they are full', { concurrency: false }, () => {
  const app = testApp()
  let ada: Actor
  let course = ''

  const fill = async (): Promise<void> => {
    if (course !== '') return
    ada = await app.actor('ada', { scopes: TEACHING })
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
    // As autovacuum does after so many rows.
    await app.database.query('analyze members, enrollments, entitlements')
  }

  /** Follows a list to its end: how many rows each page has. */
  const sizesOf = async (path: string): Promise<number[]> => {
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
      const sizes = await sizesOf(path)
      assert.equal(sizes[0], 0, path)
      assert.equal(sum(sizes), WITH_ACCESS, path)
      assert.equal((await ada.get(`${path}&include_total=true`)).json.total, WITH_ACCESS, path)
    }
  })

  test('a search that finds most finds every row in each order, and counts and exports all', async () => {
    await fill()
    for (const sort of ['created_at', '-name']) {
      const sizes = await sizesOf(`/members?q=zoltan&sort=${sort}`)
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

  test('a page of staff without rows says that the list goes on', async () => {
    await fill()
    const browser = await learner(app, 'ada')
    const people = await browser.open('/staff/people?q=zoltan')
    assert.match(mainOf(people), /The list goes on/)
    assert.match(people.text, /rel="next"/)
    const students = await browser.open(`/staff/students?course_id=${course}&state=active`)
    assert.match(mainOf(students), /Zoltan|The list goes on/)
    assert.doesNotMatch(mainOf(await browser.open('/staff/people?q=nobodyofthisname')), /The list goes on/)
  })

  test('a cursor of such a page is of its list alone', async () => {
    await fill()
    const { next_cursor: cursor } = (await ada.get(`/enrollments?course_id=${course}&state=active`)).json
    const other = await ada.get(`/enrollments?course_id=${course}&state=none&cursor=${encodeURIComponent(cursor)}`)
    assert.equal(other.status, 400, other.text)
  })
})
