import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { enrollIn } from '#testing/learning.ts'
import {
  addMembers,
  availableOffer,
  type Line,
  newLine,
  openSales,
  reserveLine,
  type SalesProcess,
  sellCourse,
  startSalesProcess,
} from '#testing/offers.ts'
import { whileOpen } from '#testing/waiting.ts'

const app = testApp()
const SCOPES = ['courses:read', 'courses:write']
const HOUR_MS = 3_600_000
const CAPPED = { payment_type: 'one_time', amount: 4900 }

const staff = () => app.actor('ada', { scopes: SCOPES })

suite('two processes on one database', () => {
  const processes: SalesProcess[] = []
  let sales: ReturnType<typeof openSales>

  before(async () => {
    sales = openSales(app.database.appUrl, app.a.id)
    const start = () => startSalesProcess(app.database.appUrl, app.a.id)
    processes.push(...(await Promise.all([start(), start()])))
  })
  after(async () => {
    await Promise.all(processes.map(process => process.stop()))
    await sales.close()
  })

  const linesFor = (priceId: string, members: readonly string[]): Promise<Line[]> =>
    sales.run(async place => {
      const offer = await availableOffer(place, priceId)
      const end = new Date(place.now.getTime() + HOUR_MS)
      return members.map(memberId => ({ lineId: newLine(), offer, memberId, until: end }))
    })

  /** Reserves every line, half of them in each process; returns how many got a seat. */
  const reserveAll = async (lines: readonly Line[]): Promise<number> => {
    const [one, other] = processes
    const half = Math.ceil(lines.length / 2)
    const outcomes = await Promise.all([one?.reserveAll(lines.slice(0, half)), other?.reserveAll(lines.slice(half))])
    const all = outcomes.flatMap(some => some ?? [])
    assert.equal(all.length, lines.length)
    const isReserved = (outcome: unknown): boolean =>
      typeof outcome === 'object' && outcome !== null && 'reservedUntil' in outcome
    const refused = all.filter(outcome => !isReserved(outcome))
    for (const outcome of refused) assert.deepEqual(outcome, { unavailable: 'sold_out' })
    return all.length - refused.length
  }

  const reservedIn = async (courseId: string): Promise<number> => {
    const rows = await app.database.query('select from seat_reservations where course_id = $1', [courseId])
    return rows.length
  }

  test('G-03 exactly three of fifty buyers reserve one of three seats', async () => {
    const course = await sellCourse(await staff(), 'Three seats', [{ ...CAPPED, enrollment_cap: 3 }])
    const lines = await linesFor(course.prices[0] ?? '', await addMembers(app, 50))
    assert.equal(await reserveAll(lines), 3)
    assert.equal(await reservedIn(course.uuid), 3)
    const { json } = await app.send({ path: `/api/v1/courses/${course.id}/prices` })
    assert.deepEqual([json.data[0].seats_left, json.data[0].sold_out], [0, true])
  })

  test('G-03 two prices of a course share its seats', async () => {
    const prices = [
      { ...CAPPED, enrollment_cap: 2 },
      { ...CAPPED, amount: 3900, enrollment_cap: 4 },
    ]
    const course = await sellCourse(await staff(), 'Two prices', prices)
    const members = await addMembers(app, 24)
    const [few = '', more = ''] = course.prices
    const lines = [...(await linesFor(few, members.slice(0, 12))), ...(await linesFor(more, members.slice(12)))]
    const reserved = await reserveAll(lines.toSorted((a, b) => (a.lineId < b.lineId ? -1 : 1)))
    assert.equal(reserved, 4)
    assert.equal(await reservedIn(course.uuid), 4)
  })

  test('reserving a line many times at once reserves one seat', async () => {
    const course = await sellCourse(await staff(), 'One line', [{ ...CAPPED, enrollment_cap: 2 }])
    const [line] = await linesFor(course.prices[0] ?? '', await addMembers(app, 1))
    assert.ok(line)
    assert.equal(await reserveAll(Array.from({ length: 20 }, () => line)), 20)
    assert.equal(await reservedIn(course.uuid), 1)
  })

  test('fulfilling a line many times at once enrolls once', async () => {
    const course = await sellCourse(await staff(), 'Paid twice', [{ ...CAPPED, enrollment_cap: 2 }])
    const [line] = await linesFor(course.prices[0] ?? '', await addMembers(app, 1))
    assert.ok(line)
    const lines = Array.from({ length: 10 }, () => line)
    const outcomes = (await Promise.all(processes.map(process => process.fulfilAll(lines)))).flat()
    const effective = outcomes.filter(facts => Array.isArray(facts) && facts.length > 0)
    assert.deepEqual(effective, [['entitlement.granted', 'student.enrolled']])
    assert.equal(outcomes.filter(facts => Array.isArray(facts)).length, 20, outcomes.join())
    const given = await app.database.query('select from entitlements where source_id = $1', [line.lineId])
    assert.equal(given.length, 1)
  })

  test('G-03 a buyer waits for an enrollment by staff that has begun, and finds the last seat taken', async () => {
    const course = await sellCourse(await staff(), 'The last seat', [{ ...CAPPED, enrollment_cap: 1 }])
    const [line] = await linesFor(course.prices[0] ?? '', await addMembers(app, 1))
    const [member] = await addMembers(app, 1)
    assert.ok(line)
    // As an enrollment by staff does it, which waits before its commit.
    const insert = `
      insert into entitlements (school_id, id, member_id, item_type, item_id, source, starts_at, created_at)
      values ($1, gen_random_uuid(), $2, 'course', $3, 'staff', stoa.now(), stoa.now())`
    const reserved = await whileOpen(
      app.database,
      [
        ['select from courses where school_id = $1 and id = $2 for share', [app.a.id, course.uuid]],
        [insert, [app.a.id, member, course.uuid]],
      ],
      () => sales.run(place => reserveLine(place, line)),
    )
    assert.deepEqual(reserved, { unavailable: 'sold_out' })
  })

  test('G-03 buyers never get more seats than are left while staff enroll beyond the cap', async () => {
    for (let round = 0; round < 4; round++) {
      const course = await sellCourse(await staff(), `With staff ${round}`, [{ ...CAPPED, enrollment_cap: 2 }])
      const lines = await linesFor(course.prices[0] ?? '', await addMembers(app, 10))
      const [reserved] = await Promise.all([
        reserveAll(lines),
        enrollIn(app, 'dev', course.id),
        enrollIn(app, 'eli', course.id),
      ])
      // Each buyer who got a seat was there before one of the two whom staff enrolled.
      assert.ok(reserved <= 2)
      const enrolled = await app.database.query(`select from entitlements where item_id = $1`, [course.uuid])
      assert.equal(enrolled.length, 2, 'the cap is for buyers')
      const [late] = lines.map(line => ({ ...line, lineId: newLine() })).slice(-1)
      assert.ok(late)
      assert.equal(await reserveAll([{ ...late, memberId: (await addMembers(app, 1))[0] ?? '' }]), 0)
    }
  })
})
