// One thing: one random history, in the database and in a model of it.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import fc from 'fast-check'
import type { Db } from '#src/contract/db.ts'
import { openDatabase } from '#src/db/database.ts'
import { fromId } from '#src/kit/ids.ts'
import { readStates } from '#testing/access.ts'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { stopMovableClock } from '#testing/clock.ts'
import { isEntitledTo, readAccess } from './index.ts'

const app = testApp()
const SCOPES = ['members:read', 'members:write', 'courses:read', 'courses:write', 'students:read', 'students:write']

let database: ReturnType<typeof openDatabase> | undefined
after(() => database?.close())

const reading = <T>(work: (db: Db) => Promise<T>): Promise<T> => {
  database ??= openDatabase(app.database.appUrl, { wait: 10_000 })
  return database.statements(app.a.id, work)
}

const staff = () => app.actor('ada', { scopes: SCOPES })

const person = async (ada: Actor, name: string): Promise<string> =>
  (await ada.write('POST', '/members', { email: `${randomUUID()}@crumb.example`, name, send_invitation: false })).json
    .id

const makeCourse = async (ada: Actor, name: string): Promise<string> =>
  (await ada.write('POST', '/courses', { name })).json.id

const toUuid = (id: string): string => fromId(id.slice(0, 3) as 'mem', id) ?? ''
const courseItem = (id: string) => ({ type: 'course', id: toUuid(id) }) as const

const clock = async (): Promise<Date> => {
  const [row] = await app.database.query<{ now: Date }>('select stoa.now() as now')
  assert.ok(row)
  return row.now
}

// Describes a history in words: the entitlements by source, and their changes, minute by minute.
const often = <T>(arbitrary: fc.Arbitrary<T>) => ({ weight: 3, arbitrary })
const minutes = (max: number) => fc.option(fc.integer({ min: 1, max }))
const step = fc.oneof(
  often(fc.record({ do: fc.constant('give' as const), minutes: minutes(12), later: fc.integer({ min: 0, max: 4 }) })),
  fc.record({ do: fc.constant('revoke' as const), which: fc.nat(3) }),
  fc.record({ do: fc.constant('join' as const) }),
  fc.record({ do: fc.constant('leave' as const) }),
  fc.record({ do: fc.constant('open' as const) }),
  fc.record({ do: fc.constant('close' as const) }),
  often(
    fc.record({
      do: fc.constant('hold' as const),
      minutes: minutes(6),
      of: fc.constantFrom('everything', 'course', 'other course'),
    }),
  ),
  fc.record({ do: fc.constant('lift' as const) }),
  often(fc.record({ do: fc.constant('subscribe' as const) })),
  fc.record({ do: fc.constant('unsubscribe' as const) }),
  often(fc.record({ do: fc.constant('include' as const) })),
  fc.record({ do: fc.constant('exclude' as const), isKept: fc.boolean() }),
  often(fc.record({ do: fc.constant('dispute' as const), which: fc.nat(3), minutes: minutes(6) })),
)

// Two orders give the same course, and only one of them is disputed.
const order = { do: 'give', minutes: null, later: 0 } as const
const disputeOfOne = [order, order, { do: 'dispute', which: 0, minutes: null } as const]

const seed = Number(process.env.STOA_TEST_SEED ?? 20_261_121)

type Interval = { from: number; until: number; revoked?: boolean }
type Opening = Interval & { isKept?: boolean }
type Dispute = Interval & { source: string; sourceId: string }
type Hold = Interval & { of: 'everything' | 'course' | 'other course' }
type Reason = Interval & { source: string; sourceId: string }

// A period in which a bundle opens something to an entitlement.
const overlap = (one: Interval, other: Interval): Interval => ({
  from: Math.max(one.from, other.from),
  until: Math.min(one.until, other.until),
})

test('random histories in the database give access exactly with an active entitlement and no hold, at every instant', async () => {
  const ada = await staff()
  const [course, otherCourse] = [await makeCourse(ada, 'Random'), await makeCourse(ada, 'Nobody has it')]
  const [item, other] = [courseItem(course), courseItem(otherCourse)]
  const MINUTE = 60_000
  // It stands still at the instant that is now, on the edge of two minutes.
  const base = await clock()
  const moveClock = await stopMovableClock(app.database, base)
  const nowAt = fc.integer({ min: 0, max: 20 })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 18 }), nowAt, async (steps, now) => {
      const member = await person(ada, 'Random')
      const memberId = toUuid(member)
      const [group, plan] = [randomUUID(), randomUUID()]
      const start = base.getTime() - now * MINUTE
      const at = (minute: number) => new Date(start + minute * MINUTE)
      const entitlements: (Interval & { id: string })[] = []
      const stays: Interval[] = []
      const openings: Interval[] = []
      const subscribed: (Interval & { id: string })[] = []
      const included: Opening[] = []
      const disputes: Dispute[] = []
      const holds: Hold[] = []
      const end = (all: Interval[], minute: number) => {
        const open = all.find(one => one.until === Number.POSITIVE_INFINITY)
        if (open !== undefined) open.until = minute
      }
      steps.forEach((one, minute) => {
        const forever = Number.POSITIVE_INFINITY
        const isOpen = (all: Interval[]) => all.some(({ until }) => until === forever)
        if (one.do === 'give') {
          const from = minute + one.later
          entitlements.push({ id: randomUUID(), from, until: one.minutes === null ? forever : from + one.minutes })
        }
        if (one.do === 'revoke') {
          const target = entitlements[one.which]
          if (target !== undefined && !target.revoked && target.until > minute) {
            target.revoked = true
            target.until = minute
          }
        }
        if (one.do === 'join' && !isOpen(stays)) stays.push({ from: minute, until: forever })
        if (one.do === 'leave') end(stays, minute)
        if (one.do === 'open' && !isOpen(openings)) openings.push({ from: minute, until: forever })
        if (one.do === 'close') end(openings, minute)
        if (one.do === 'hold')
          holds.push({ of: one.of, from: minute, until: one.minutes === null ? forever : minute + one.minutes })
        if (one.do === 'subscribe' && !isOpen(subscribed))
          subscribed.push({ id: randomUUID(), from: minute, until: forever })
        if (one.do === 'unsubscribe') end(subscribed, minute)
        if (one.do === 'include' && !isOpen(included)) included.push({ from: minute, until: forever })
        if (one.do === 'exclude') {
          const open = included.find(({ until }) => until === forever)
          if (open !== undefined) Object.assign(open, { until: minute, isKept: one.isKept })
        }
        if (one.do === 'dispute') {
          const until = one.minutes === null ? forever : minute + one.minutes
          const line = entitlements[one.which]
          const subscription = subscribed.at(-1)
          if (line !== undefined) disputes.push({ from: minute, until, source: 'order_line', sourceId: line.id })
          else if (subscription !== undefined)
            disputes.push({ from: minute, until, source: 'subscription', sourceId: subscription.id })
        }
        if (one.do === 'lift')
          for (const hold of [...holds, ...disputes]) hold.until = Math.min(hold.until, Math.max(minute, hold.from))
      })
      const toDate = (minute: number) => (minute === Number.POSITIVE_INFINITY ? null : at(minute).toISOString())
      const put = (table: string, row: Record<string, unknown>) =>
        app.database.query(
          `insert into ${table} (${Object.keys(row).join(', ')}) values (${Object.keys(row)
            .map((_, n) => `$${n + 1}`)
            .join(', ')})`,
          Object.values(row),
        )
      const school = { school_id: app.a.id }
      await put('groups', {
        ...school,
        id: group,
        name: group,
        name_folded: group,
        description: '',
        created_at: at(0),
        updated_at: at(0),
      })
      for (const { id, from, until, revoked } of entitlements) {
        // What is revoked before it begins keeps the start and end it had.
        await put('entitlements', {
          ...school,
          id,
          member_id: memberId,
          item_type: 'course',
          item_id: item.id,
          source: 'order_line',
          source_id: id,
          starts_at: at(from),
          ends_at: revoked ? null : toDate(until),
          revoked_at: revoked ? toDate(until) : null,
          created_at: at(0),
        })
      }
      for (const { from, until } of stays)
        await put('entitlements', {
          ...school,
          id: randomUUID(),
          member_id: memberId,
          item_type: 'group',
          item_id: group,
          source: 'group',
          source_id: group,
          starts_at: at(from),
          revoked_at: toDate(until),
          created_at: at(0),
        })
      for (const { from, until } of openings)
        await put('bundle_items', {
          ...school,
          id: randomUUID(),
          bundle_type: 'group',
          bundle_id: group,
          item_type: 'course',
          item_id: item.id,
          opened_at: at(from),
          closed_at: toDate(until),
        })
      for (const { id, from, until } of subscribed)
        await put('entitlements', {
          ...school,
          id,
          member_id: memberId,
          item_type: 'membership_plan',
          item_id: plan,
          source: 'subscription',
          source_id: id,
          starts_at: at(from),
          revoked_at: toDate(until),
          created_at: at(0),
        })
      for (const { from, until, isKept = false } of included)
        await put('bundle_items', {
          ...school,
          id: randomUUID(),
          bundle_type: 'membership_plan',
          bundle_id: plan,
          item_type: 'course',
          item_id: item.id,
          opened_at: at(from),
          closed_at: toDate(until),
          kept_by_earlier: isKept,
        })
      for (const { from, until, source, sourceId } of disputes)
        await put('holds', {
          ...school,
          id: randomUUID(),
          member_id: memberId,
          reason: 'dispute',
          source,
          source_id: sourceId,
          starts_at: at(from),
          ends_at: toDate(until),
          created_at: at(0),
        })
      for (const { from, until, of } of holds)
        await put('holds', {
          ...school,
          id: randomUUID(),
          member_id: memberId,
          item_type: of === 'everything' ? null : 'course',
          item_id: of === 'everything' ? null : of === 'course' ? item.id : other.id,
          reason: 'staff',
          starts_at: at(from),
          ends_at: toDate(until),
          created_at: at(0),
        })
      const within = (all: readonly Interval[], minute: number) =>
        all.some(one => one.from <= minute && minute < one.until)
      const isFree = (source: string, sourceId: string, minute: number) =>
        !within(
          disputes.filter(one => one.source === source && one.sourceId === sourceId),
          minute,
        )
      const reasons: Reason[] = [
        ...entitlements.map(one => ({ ...one, source: 'order_line', sourceId: one.id })),
        ...stays.flatMap(stay => openings.map(one => ({ ...overlap(stay, one), source: 'group', sourceId: group }))),
        ...subscribed.flatMap(one =>
          included.map(({ from, until, isKept = false }) => ({
            ...overlap(one, { from, until: isKept && one.from < until ? Number.POSITIVE_INFINITY : until }),
            source: 'subscription',
            sourceId: one.id,
          })),
        ),
      ].filter(({ from, until }) => from < until)
      const stops = holds.filter(({ of }) => of !== 'other course')
      const stateAt = (minute: number): string => {
        const active = reasons.filter(one => within([one], minute))
        const isOpen = active.some(({ source, sourceId }) => isFree(source, sourceId, minute))
        if (isOpen && !within(stops, minute)) return 'active'
        if (active.length > 0) return 'held'
        if (reasons.some(({ from }) => from > minute)) return 'upcoming'
        return reasons.length > 0 ? 'ended' : 'none'
      }
      const story = `of ${JSON.stringify(steps)}`
      const named = { type: 'membership_plan', ids: [plan] } as const
      const stopsAll = holds.filter(({ of }) => of === 'everything')
      for (let minute = -1; minute <= 20; minute++) {
        await moveClock((minute - now) * MINUTE)
        const state = stateAt(minute)
        const [{ access }, sql, elsewhere, holdsPlan] = await reading(db =>
          Promise.all([
            readAccess(db, app.a.id, { memberId, item }),
            readStates(db, app.a.id, memberId, item),
            readStates(db, app.a.id, memberId, other),
            isEntitledTo(db, app.a.id, memberId, named),
          ]),
        )
        const all = [access.state, sql.state, sql.matching, sql.may, elsewhere.state]
        assert.deepEqual(all, [state, state, [state], state === 'active', 'none'], `minute ${minute} ${story}`)
        const free = subscribed.some(one => within([one], minute) && isFree('subscription', one.id, minute))
        assert.equal(holdsPlan, free && !within(stopsAll, minute), `the plan at minute ${minute} ${story}`)
      }
      await moveClock(0)
      const state = stateAt(now)
      // One fold, the fold of a page, the condition of a filter and the column of a table are the same answer.
      await put('enrollments', {
        ...school,
        id: randomUUID(),
        member_id: memberId,
        course_id: item.id,
        source: 'order_line',
        access_changed_at: at(0),
        created_at: at(0),
        updated_at: at(0),
      })
      const own = `/enrollments?member_id=${member}`
      assert.equal((await reading(db => readAccess(db, app.a.id, { memberId, item }))).access.state, state, story)
      for (const requestedState of ['active', 'held', 'upcoming', 'ended', 'none'] as const) {
        const { data } = (await ada.get(`${own}&state=${requestedState}`)).json
        const shown = data.map(({ access }: { access: { state: string } }) => access.state)
        assert.deepEqual(shown, requestedState === state ? [state] : [], `${requestedState} where it is ${state}`)
      }
      assert.match((await ada.get(own, { accept: 'text/csv' })).text, new RegExp(`,order_line,${state},0,`))
    }),
    { seed, numRuns: 30, examples: [[disputeOfOne, 5]] },
  )
})
