import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { suite, test } from 'node:test'
import { memberErasure, memberMerge, personalData } from '#src/contract/personal-data.ts'
import { fromId } from '#src/kit/ids.ts'
import { lockAwaited, readClock, writingTo } from '#testing/access.ts'
import type { Actor } from '#testing/actor.ts'
import { type PersonName, testApp } from '#testing/app.ts'
import { LEARNING, readMemberId, TEACHING, teach } from '#testing/learning.ts'
import { entitleAll, liftSource, placeMemberHold, revokeSourceAccess } from '../index.ts'

const app = testApp()
const writing = writingTo(app)

const staff = () => app.actor('ada', { scopes: [...TEACHING, 'members:write'] })
const createCourse = async (ada: Actor, name: string): Promise<string> =>
  (await teach(ada, name, [{ name: 'First' }])).id

const buildLine = (sourceId: string) => ({ source: 'order_line', sourceId }) as const

// As the area of orders will do it for one line of an order.
const buyFor = (memberId: string, course: string, line: string = randomUUID()): Promise<string> =>
  writing(async where => {
    const named = { type: 'course', id: fromId('crs', course) ?? '' } as const
    await entitleAll(where, [{ memberId, named, ...buildLine(line) }])
    return line
  })
const buy = async (name: PersonName, course: string, line?: string) =>
  buyFor(await readMemberId(app, name), course, line)

const holdLine = (memberId: string, line: string, reason: 'dispute' | 'past_due' | 'staff' = 'dispute') =>
  writing(({ db, school, now }) =>
    placeMemberHold(db, school, now, { memberId, on: buildLine(line), reason, note: 'case 7' }),
  )
const dispute = async (name: PersonName, line: string) => holdLine(await readMemberId(app, name), line)

const lift = (line: string, reason?: 'dispute' | 'past_due' | 'staff') =>
  writing(({ db, school }) => liftSource(db, school, { ...buildLine(line), reason }))

const explained = async (ada: Actor, name: PersonName, course: string, at?: Date) => {
  const { json: me } = await ada.get(`/students?q=${name}`)
  const query = at === undefined ? '' : `&at=${at.toISOString()}`
  const { json } = await ada.get(`/students/${me.data[0].id}/access?course_id=${course}&language=en${query}`)
  return json
}

const shownTo = async (name: PersonName, course: string): Promise<string> => {
  const learner = await app.actor(name, { scopes: LEARNING })
  const [mine] = (await learner.get(`/account/enrollments?course_id=${course}`)).json.data
  return mine.access.state
}

suite('a dispute about order A', () => {
  test('leaves open what order B paid for, and holds what only A paid for', async () => {
    const ada = await staff()
    const [both, onlyA, onlyB] = [
      await createCourse(ada, 'Both'),
      await createCourse(ada, 'Only A'),
      await createCourse(ada, 'Only B'),
    ]
    const [a, b] = [await buy('dev', both), await buy('dev', both)]
    await buy('dev', onlyA, a)
    await buy('dev', onlyB, b)
    const before = await readClock(app)
    const { id } = await dispute('dev', a)
    assert.deepEqual(
      [await shownTo('dev', both), await shownTo('dev', onlyA), await shownTo('dev', onlyB)],
      ['active', 'held', 'active'],
    )
    // Filters of lists and the CSV say the same as each response.
    const dev = (await ada.get('/students?q=dev')).json.data[0].id
    const listed = async (state: string): Promise<string[]> =>
      (await ada.get(`/enrollments?member_id=${dev}&state=${state}`)).json.data
        .map((one: { course_name: string }) => one.course_name)
        .filter((name: string) => ['Both', 'Only A', 'Only B'].includes(name))
        .sort()
    assert.deepEqual([await listed('active'), await listed('held')], [['Both', 'Only B'], ['Only A']])
    const { text } = await ada.get(`/enrollments?course_id=${onlyA}`, { accept: 'text/csv' })
    assert.match(text, /,order_line,held,/)

    const held = await explained(ada, 'dev', onlyA)
    assert.deepEqual([held.has_access, held.access.state, held.access.reason], [false, 'held', 'dispute'])
    assert.equal(held.hold_ids.length, 1)
    assert.deepEqual(held.entitlements[0].hold_ids, held.hold_ids)
    assert.deepEqual([held.holds[0].source, held.holds[0].item, held.holds[0].note], ['order_line', 'all', 'case 7'])
    assert.match(held.explanation.join(' '), /That reason for access is on hold because a payment is disputed, since/)

    const open = await explained(ada, 'dev', both)
    assert.deepEqual([open.has_access, open.hold_ids, open.entitlement_ids.length], [true, [], 1])
    assert.equal(open.entitlements.filter((one: { hold_ids: string[] }) => one.hold_ids.length > 0).length, 1)
    assert.match(
      open.explanation.join(' '),
      /has access.*That reason for access is on hold.*It was bought with an order/,
    )
    const other = await explained(ada, 'dev', onlyB)
    assert.deepEqual([other.holds, other.has_access], [[], true], 'holds on other sources are left out')
    assert.equal((await explained(ada, 'dev', onlyA, before)).has_access, true, 'the past does not change')

    // After a refund of B only A is left, which is on hold.
    await writing(where => revokeSourceAccess(where, buildLine(b), 'refund'))
    assert.deepEqual([await shownTo('dev', both), await shownTo('dev', onlyB)], ['held', 'ended'])
    const facts = await lift(a)
    assert.deepEqual(
      facts.map(({ type }) => type),
      ['hold.lifted'],
    )
    assert.notEqual(id, '')
    assert.deepEqual([await shownTo('dev', both), await shownTo('dev', onlyA)], ['active', 'active'])
  })

  test('also holds what the order gives later, but no other person and no other kind of source', async () => {
    const ada = await staff()
    const course = await createCourse(ada, 'Later')
    const line = randomUUID()
    await dispute('dev', line)
    await buy('dev', course, line)
    await buy('eli', course, line)
    assert.deepEqual([await shownTo('dev', course), await shownTo('eli', course)], ['held', 'active'])
    const memberId = await readMemberId(app, 'dev')
    const named = { type: 'course', id: fromId('crs', course) ?? '' } as const
    await writing(where => entitleAll(where, [{ memberId, named, source: 'subscription', sourceId: line }]))
    assert.equal(await shownTo('dev', course), 'active')
  })

  test('is neither replaced nor lifted by holds of the staff on a student', async () => {
    const ada = await staff()
    const course = await createCourse(ada, 'Two holds')
    const line = await buy('dev', course)
    const dev = (await ada.get('/students?q=dev')).json.data[0].id
    await holdLine(await readMemberId(app, 'dev'), line, 'staff')
    for (const path of [`/students/${dev}/hold`, `/students/${dev}/courses/${course}/hold`]) {
      const placed = await ada.write('PUT', path, { note: 'rude' })
      assert.deepEqual([placed.status, placed.json.source], [200, null])
      assert.equal((await explained(ada, 'dev', course)).hold_ids.length, 2)
      assert.equal((await ada.write('DELETE', path)).status, 204)
    }
    assert.deepEqual([await shownTo('dev', course), (await lift(line)).length], ['held', 1])
    assert.equal(await shownTo('dev', course), 'active')
  })
})

suite('lifting holds on a source', () => {
  test('lifts each hold once under concurrent calls', async () => {
    const ada = await staff()
    const line = await buy('dev', await createCourse(ada, 'Lifted once'))
    await dispute('dev', line)
    const facts = await Promise.all(Array.from({ length: 6 }, () => lift(line)))
    assert.equal(facts.flat().length, 1)
    assert.deepEqual(await lift(line), [])
  })

  test('lifts nothing in a call that waited for another one', async () => {
    const ada = await staff()
    const course = await createCourse(ada, 'Lifted before')
    const line = await buy('dev', course)
    const { hold } = await dispute('dev', line)
    let second: ReturnType<typeof lift> | undefined
    const first = await writing(async ({ db, school }) => {
      const facts = await liftSource(db, school, buildLine(line))
      second = lift(line)
      await lockAwaited(app)
      return facts
    })
    assert.deepEqual([first.length, await second], [1, []])
    const [row] = await app.database.query<{ ends_at: Date }>('select ends_at from holds where id = $1', [hold.id])
    assert.ok(row !== undefined && row.ends_at > hold.starts_at)
    assert.equal(await shownTo('dev', course), 'active')
  })

  test('with a reason leaves holds for other reasons on the same source', async () => {
    const ada = await staff()
    const course = await createCourse(ada, 'Two reasons')
    const line = await buy('dev', course)
    const memberId = await readMemberId(app, 'dev')
    await holdLine(memberId, line, 'dispute')
    await holdLine(memberId, line, 'past_due')
    assert.equal((await lift(line, 'dispute')).length, 1)
    assert.deepEqual(
      [await shownTo('dev', course), (await explained(ada, 'dev', course)).access.reason],
      ['held', 'past_due'],
    )
    assert.equal((await lift(line)).length, 1)
    assert.equal(await shownTo('dev', course), 'active')
    assert.deepEqual(await lift(randomUUID()), [])
  })
})

test('facts and the export of personal data contain the kind of source, not its id', async () => {
  const ada = await staff()
  const line = await buy('dev', await createCourse(ada, 'Told'))
  const { fact } = await dispute('dev', line)
  assert.ok(fact.type === 'hold.placed')
  assert.deepEqual([fact.payload.source, JSON.stringify(fact.payload).includes(line)], ['order_line', false])
  const memberId = await readMemberId(app, 'dev')
  const all = await writing(({ db, school }) => personalData.call({ memberId }, { db, school }))
  const rows = all.flat().find(({ name }) => name === 'holds')?.rows ?? []
  assert.deepEqual([rows.at(-1)?.source, rows.at(-1)?.reason], ['order_line', 'dispute'])
  assert.ok(rows.every(row => 'note' in row && !('source_id' in row)))
  await lift(line)
})

test('a merge moves holds on sources to the remaining member; erasure removes their notes', async () => {
  const ada = await staff()
  const course = await createCourse(ada, 'Merged')
  const person = async (name: string): Promise<string> => {
    const body = { email: `${randomUUID()}@crumb.example`, name, send_invitation: false }
    return fromId('mem', (await ada.write('POST', '/members', body)).json.id) ?? ''
  }
  const [from, into] = [await person('Goes'), await person('Stays')]
  const line = await buyFor(from, course)
  await buyFor(into, course, line)
  const { id } = await holdLine(from, line)
  await writing(async ({ db, school }) => {
    await memberMerge.call({ fromId: from, intoId: into }, { db, school })
    await memberErasure.call({ memberId: from }, { db, school })
  })
  const [row] = await app.database.query<{ member_id: string; source_id: string; note: string }>(
    'select member_id, source_id, note from holds where id = $1',
    [id],
  )
  assert.deepEqual(row, { member_id: into, source_id: line, note: 'case 7' })
  const [enrollment] = (await ada.get(`/enrollments?course_id=${course}&state=held&include_total=true`)).json.data
  assert.equal(enrollment.access.state, 'held', 'the order line is on hold for the remaining member too')
  await writing(({ db, school }) => memberErasure.call({ memberId: into }, { db, school }))
  const [erased] = await app.database.query<{ note: null; source_id: string }>(
    'select note, source_id from holds where id = $1',
    [id],
  )
  assert.deepEqual(erased, { note: null, source_id: line })
})

test('the database refuses a hold on a source without its id, or on an item and a source', async () => {
  const memberId = await readMemberId(app, 'dev')
  const insert = (columns: string, values: string) =>
    app.database.query(
      `insert into holds (school_id, id, member_id, reason, starts_at, created_at, ${columns})
       values ($1, $2, $3, 'dispute', stoa.now(), stoa.now(), ${values})`,
      [app.a.id, randomUUID(), memberId],
    )
  await assert.rejects(insert('source', `'order_line'`), /violates check constraint/)
  await assert.rejects(insert('source, source_id', `'unknown', $2`), /violates check constraint/)
  const both = insert('source, source_id, item_type, item_id', `'order_line', $2, 'course', $2`)
  await assert.rejects(both, /violates check constraint/)
})
