import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import fc from 'fast-check'
import type { Db } from '#src/contract/db.ts'
import { openDatabase } from '#src/db/database.ts'
import { fromId } from '#src/kit/ids.ts'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { accessOf, isEntitledTo } from './index.ts'

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

const uuidOf = (id: string): string => fromId(id.slice(0, 3) as 'mem', id) ?? ''
const courseItem = (id: string) => ({ type: 'course', id: uuidOf(id) }) as const

const clock = async (): Promise<Date> => {
  const [row] = await app.database.query<{ now: Date }>('select stoa.now() as now')
  assert.ok(row)
  return row.now
}

// Describes a history in words: the entitlements by source, and their changes, minute by minute.
const step = fc.oneof(
  fc.record({
    do: fc.constant('give' as const),
    minutes: fc.option(fc.integer({ min: 1, max: 12 })),
    later: fc.integer({ min: 0, max: 4 }),
  }),
  fc.record({ do: fc.constant('revoke' as const), which: fc.nat(5) }),
  fc.record({ do: fc.constant('join' as const) }),
  fc.record({ do: fc.constant('leave' as const) }),
  fc.record({ do: fc.constant('open' as const) }),
  fc.record({ do: fc.constant('close' as const) }),
  fc.record({
    do: fc.constant('hold' as const),
    minutes: fc.option(fc.integer({ min: 1, max: 6 })),
    all: fc.boolean(),
  }),
  fc.record({ do: fc.constant('lift' as const) }),
  fc.record({ do: fc.constant('subscribe' as const) }),
  fc.record({ do: fc.constant('unsubscribe' as const) }),
  fc.record({ do: fc.constant('include' as const) }),
  fc.record({ do: fc.constant('exclude' as const), isKept: fc.boolean() }),
  fc.record({
    do: fc.constant('dispute' as const),
    which: fc.nat(5),
    minutes: fc.option(fc.integer({ min: 1, max: 6 })),
  }),
)

const seed = Number(process.env.STOA_TEST_SEED ?? 20_261_121)

type Interval = { from: number; until: number; revoked?: boolean }
type Opening = Interval & { isKept?: boolean }
type Dispute = Interval & { source: string; sourceId: string }

test('random histories in the database give access exactly with an active entitlement and no hold, at every instant', async () => {
  const ada = await staff()
  const course = await makeCourse(ada, 'Random')
  const item = courseItem(course)
  const MINUTE = 60_000
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 16 }), async steps => {
      const member = await person(ada, 'Random')
      const memberId = uuidOf(member)
      const [group, plan] = [randomUUID(), randomUUID()]
      const start = (await clock()).getTime() - 3600_000
      const at = (minute: number) => new Date(start + minute * MINUTE)
      const entitlements: (Interval & { id: string })[] = []
      const stays: Interval[] = []
      const openings: Interval[] = []
      const subscribed: (Interval & { id: string })[] = []
      const included: Opening[] = []
      const disputes: Dispute[] = []
      const holds: Interval[] = []
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
          holds.push({ from: minute, until: one.minutes === null ? forever : minute + one.minutes })
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
      const dateOf = (minute: number) => (minute === Number.POSITIVE_INFINITY ? null : at(minute).toISOString())
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
          ends_at: revoked ? null : dateOf(until),
          revoked_at: revoked ? dateOf(until) : null,
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
          revoked_at: dateOf(until),
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
          closed_at: dateOf(until),
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
          revoked_at: dateOf(until),
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
          closed_at: dateOf(until),
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
          ends_at: dateOf(until),
          created_at: at(0),
        })
      for (const { from, until } of holds)
        await put('holds', {
          ...school,
          id: randomUUID(),
          member_id: memberId,
          reason: 'staff',
          starts_at: at(from),
          ends_at: dateOf(until),
          created_at: at(0),
        })
      const within = (all: readonly Interval[], minute: number) =>
        all.some(one => one.from <= minute && minute < one.until)
      const isFree = (source: string, sourceId: string, minute: number) =>
        !within(
          disputes.filter(one => one.source === source && one.sourceId === sourceId),
          minute,
        )
      const byPlan = (minute: number) =>
        subscribed.some(
          one =>
            within([one], minute) &&
            isFree('subscription', one.id, minute) &&
            included.some(
              ({ from, until, isKept }) => from <= minute && (minute < until || (isKept === true && one.from < until)),
            ),
        )
      const expected = (minute: number) =>
        (entitlements.some(one => within([one], minute) && isFree('order_line', one.id, minute)) ||
          (within(stays, minute) && within(openings, minute)) ||
          byPlan(minute)) &&
        !within(holds, minute)
      for (let minute = -1; minute <= 20; minute++) {
        const { access } = await reading(db => accessOf(db, app.a.id, { memberId, item, at: at(minute) }))
        assert.equal(access.state === 'active', expected(minute), `minute ${minute} of ${JSON.stringify(steps)}`)
      }
      const now = Number.POSITIVE_INFINITY
      const holdsPlan = subscribed.some(({ id, until }) => until === now && isFree('subscription', id, 60))
      const isHeld = within(holds, 60)
      const named = { type: 'membership_plan', ids: [plan] } as const
      assert.equal(await reading(db => isEntitledTo(db, app.a.id, memberId, named)), holdsPlan && !isHeld)
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
      const { state } = (await reading(db => accessOf(db, app.a.id, { memberId, item }))).access
      for (const requestedState of ['active', 'held', 'upcoming', 'ended', 'none'] as const) {
        const { data } = (await ada.get(`${own}&state=${requestedState}`)).json
        const shown = data.map(({ access }: { access: { state: string } }) => access.state)
        assert.deepEqual(shown, requestedState === state ? [state] : [], `${requestedState} where it is ${state}`)
      }
      assert.match((await ada.get(own, { accept: 'text/csv' })).text, new RegExp(`,order_line,${state},0,`))
    }),
    { seed, numRuns: 40 },
  )
})
