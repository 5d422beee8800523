import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, suite, test } from 'node:test'
import type { Db } from '#src/contract/db.ts'
import { memberErasure, memberMerge } from '#src/contract/personal-data.ts'
import { openDatabase } from '#src/db/database.ts'
import { fromId } from '#src/kit/ids.ts'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { entitleAll, revokeSourceAccess } from './entitlements/writes.ts'
import { liftMemberHold, placeMemberHold } from './holds/writes.ts'
import { readAccess } from './lookups.ts'

const app = testApp()
const SCOPES = ['members:read', 'members:write', 'courses:read', 'courses:write', 'students:read', 'students:write']

let database: ReturnType<typeof openDatabase> | undefined
after(() => database?.close())

const write = <T>(work: (where: { db: Db; now: Date; school: typeof app.a }) => Promise<T>): Promise<T> => {
  database ??= openDatabase(app.database.appUrl, { wait: 10_000 })
  return database.transaction(app.a.id, (db, now) => work({ db, now, school: app.a }))
}

const staff = () => app.actor('ada', { scopes: SCOPES })

const person = async (ada: Actor, name: string): Promise<string> =>
  (await ada.write('POST', '/members', { email: `${randomUUID()}@crumb.example`, name, send_invitation: false })).json
    .id

const makeCourse = async (ada: Actor, name: string): Promise<string> =>
  (await ada.write('POST', '/courses', { name })).json.id

const toUuid = (id: string): string => fromId(id.slice(0, 3) as 'mem', id) ?? ''
const courseItem = (id: string) => ({ type: 'course', id: toUuid(id) }) as const

// The entitlements of an order line, as the area of orders will give them.
const buy = (member: string, course: string, line: string) =>
  write(where =>
    entitleAll(where, [{ memberId: toUuid(member), named: courseItem(course), source: 'order_line', sourceId: line }]),
  )

const refund = (line: string) =>
  write(where => revokeSourceAccess(where, { source: 'order_line', sourceId: line }, 'refund'))

const readState = async (member: string, course: string, at?: Date): Promise<string> => {
  const query = { memberId: toUuid(member), item: courseItem(course), at }
  return (await write(({ db }) => readAccess(db, app.a.id, query))).access.state
}

const clock = async (): Promise<Date> => {
  const [row] = await app.database.query<{ now: Date }>('select stoa.now() as now')
  assert.ok(row)
  return row.now
}

const count = async (table: 'entitlements' | 'bundle_items'): Promise<number> => {
  const [row] = await app.database.query<{ count: number }>(`select count(*)::integer as count from ${table}`)
  return row?.count ?? 0
}

suite('what other platforms get wrong', () => {
  test('cancelling order A does not take away what order B paid for', async () => {
    const ada = await staff()
    const [member, course] = [await person(ada, 'Twice'), await makeCourse(ada, 'Bought twice')]
    const [a, b] = [randomUUID(), randomUUID()]
    await buy(member, course, a)
    await buy(member, course, b)
    await refund(a)
    assert.equal(await readState(member, course), 'active')
    await refund(b)
    assert.equal(await readState(member, course), 'ended')
  })

  test('a refund of one line revokes just what that line gave', async () => {
    const ada = await staff()
    const member = await person(ada, 'Lines')
    const [rye, pies] = [await makeCourse(ada, 'Line one'), await makeCourse(ada, 'Line two')]
    const [first, second] = [randomUUID(), randomUUID()]
    await buy(member, rye, first)
    await buy(member, pies, second)
    await refund(first)
    assert.deepEqual([await readState(member, rye), await readState(member, pies)], ['ended', 'active'])
  })

  test('a revoked access does not come back when its order is looked at again, and a source gives once', async () => {
    const ada = await staff()
    const [member, course] = [await person(ada, 'Again'), await makeCourse(ada, 'Seen again')]
    const line = randomUUID()
    await Promise.all([buy(member, course, line), buy(member, course, line), buy(member, course, line)])
    const active = await write(({ db }) =>
      readAccess(db, app.a.id, { memberId: toUuid(member), item: courseItem(course) }),
    )
    assert.equal(active.entitlements.length, 1, 'three deliveries of one order gave it once')
    await refund(line)
    await refund(line)
    for (let time = 0; time < 2; time++) {
      const { json } = await ada.get(`/students/${member}/access?course_id=${course}`)
      assert.deepEqual([json.has_access, json.access.reason], [false, 'revoked'])
    }
  })

  test('a bundle of three courses gives all three, a change of content for many writes one row, and at= stays true', async () => {
    const ada = await staff()
    const courses = [await makeCourse(ada, 'One'), await makeCourse(ada, 'Two'), await makeCourse(ada, 'Three')]
    const group = (await ada.write('POST', '/groups', { name: 'Three in one' })).json.id
    for (const course of courses) await ada.write('PUT', `/groups/${group}/items/course/${course}`)
    const members = await Promise.all(Array.from({ length: 12 }, (_, at) => person(ada, `Holder ${at}`)))
    await ada.write('POST', `/groups/${group}/members/batches`, { add: members })
    const [holder = ''] = members
    assert.deepEqual(await Promise.all(courses.map(one => readState(holder, one))), ['active', 'active', 'active'])
    const { json } = await ada.get(`/enrollments?member_id=${holder}&state=active&include_total=true`)
    assert.equal(json.total, 3, 'the bundle is three enrollments')

    const before = await clock()
    await app.moveClock(60)
    const fourth = await makeCourse(ada, 'Four')
    const rows = [await count('entitlements'), await count('bundle_items')] as const
    await ada.write('PUT', `/groups/${group}/items/course/${fourth}`)
    assert.deepEqual([await count('entitlements'), await count('bundle_items')], [rows[0], rows[1] + 1])
    const states = await Promise.all(members.map(one => readState(one, fourth)))
    assert.deepEqual(new Set(states), new Set(['active']))
    assert.equal(await readState(holder, fourth, before), 'upcoming', 'a minute ago it was not in the bundle')

    await app.moveClock(60)
    const during = await clock()
    await app.moveClock(60)
    await ada.write('DELETE', `/groups/${group}/items/course/${fourth}`)
    assert.deepEqual([await count('entitlements'), await count('bundle_items')], [rows[0], rows[1] + 1])
    assert.deepEqual([await readState(holder, fourth), await readState(holder, fourth, during)], ['ended', 'active'])

    await ada.write('DELETE', `/groups/${group}/members/${holder}`)
    assert.deepEqual(
      [await readState(holder, courses[0] ?? ''), await readState(members[1] ?? '', courses[0] ?? '')],
      ['ended', 'active'],
    )
    await ada.write('PUT', `/groups/${group}/members/${holder}`)
    assert.equal(await readState(holder, courses[0] ?? ''), 'active', 'who comes again has it again')
    await ada.write('DELETE', `/groups/${group}`)
    assert.equal(await readState(members[1] ?? '', courses[0] ?? ''), 'ended')
    assert.equal(await readState(holder, fourth, during), 'active', 'what was stays told when the group is gone')
  })

  test('completing a course is not access and survives its loss', async () => {
    const ada = await staff()
    const [member, course] = [await person(ada, 'Done'), await makeCourse(ada, 'Completed')]
    const line = randomUUID()
    await buy(member, course, line)
    await app.database.query(
      'update enrollments set completed_at = stoa.now(), percent_complete = 100, revision = 2 where member_id = $1',
      [toUuid(member)],
    )
    await refund(line)
    const { json } = await ada.get(`/enrollments?member_id=${member}`)
    assert.deepEqual([json.data[0].access.state, json.data[0].percent_complete], ['ended', 100])
    assert.notEqual(json.data[0].completed_at, null)
  })

  test('a hold stops everything, of whatever source, and gives back what there is when it ends', async () => {
    const ada = await staff()
    const [member, course] = [await person(ada, 'Disputed'), await makeCourse(ada, 'Held')]
    await buy(member, course, randomUUID())
    const placed = await write(({ db, now, school }) =>
      placeMemberHold(db, school, now, { memberId: toUuid(member), reason: 'dispute' }),
    )
    assert.equal(await readState(member, course), 'held')
    await write(({ db, school }) => liftMemberHold(db, school, placed.id))
    assert.equal(await readState(member, course), 'active')
  })
})

test('a course is not deleted while anybody may use it, by themselves or through a group', async () => {
  const ada = await staff()
  const [member, course] = [await person(ada, 'Keeper'), await makeCourse(ada, 'Kept')]
  const remove = () => ada.write('DELETE', `/courses/${course}?dry_run=true`)
  const line = randomUUID()
  await buy(member, course, line)
  const refused = await remove()
  assert.deepEqual([refused.status, refused.json.code, refused.json.holds], [409, 'course_in_use', 1])
  await refund(line)
  assert.equal((await remove()).status, 200)
  const group = (await ada.write('POST', '/groups', { name: 'Keepers' })).json.id
  await ada.write('PUT', `/groups/${group}/items/course/${course}`)
  assert.equal((await remove()).status, 200, 'a group without members uses nothing')
  await ada.write('PUT', `/groups/${group}/members/${member}`)
  assert.equal((await remove()).json.code, 'course_in_use')
})

test('two accounts in one group become one that is in it, with all that either was entitled to', async () => {
  const ada = await staff()
  const [into, from] = [await person(ada, 'Stays'), await person(ada, 'Goes')]
  const [shared, own] = [await makeCourse(ada, 'Shared'), await makeCourse(ada, 'Own')]
  const group = (await ada.write('POST', '/groups', { name: 'Merging' })).json.id
  await ada.write('PUT', `/groups/${group}/items/course/${shared}`)
  await ada.write('POST', `/groups/${group}/members/batches`, { add: [into, from] })
  await buy(from, own, randomUUID())
  await app.database.query('update enrollments set percent_complete = 40, revision = 2 where member_id = $1', [
    toUuid(from),
  ])
  const { json } = await ada.write('POST', `/members/${into}/merges?dry_run=true`, { member_id: from })
  assert.equal(json.status, 200, JSON.stringify(json))
  await write(async ({ db, school }) => {
    await memberMerge.call({ fromId: toUuid(from), intoId: toUuid(into) }, { db, school })
    await memberErasure.call({ memberId: toUuid(from) }, { db, school })
  })
  const learned = (await ada.get(`/enrollments?member_id=${into}`)).json.data
  assert.deepEqual(
    learned.map((one: { percent_complete: number }) => one.percent_complete),
    [40, 40],
  )
  assert.deepEqual(
    [await readState(into, own), await readState(into, shared), await readState(from, shared)],
    ['active', 'active', 'ended'],
  )
})
