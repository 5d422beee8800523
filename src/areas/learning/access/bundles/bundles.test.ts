// One thing: bundles through the functions that the area of plans will call, and their effect on the API.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, suite, test } from 'node:test'
import { Refusal } from '#src/contract/problem.ts'
import { recordFacts } from '#src/db/audit.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { lockAwaited, readClock, writingTo } from '#testing/access.ts'
import type { Actor } from '#testing/actor.ts'
import { type PersonName, testApp } from '#testing/app.ts'
import { LEARNING, readMemberId, TEACHING, teach } from '#testing/learning.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { until } from '#testing/until.ts'
import {
  type Bundle,
  bundleNames,
  closeInBundle,
  countHolders,
  entitleAll,
  type Item,
  listBundleItems,
  openInBundle,
  readAccess,
  revokeSourceAccess,
} from '../index.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())
const writing = writingTo(app)

const MISSING = '00000000-0000-7000-8000-0000000000ee'

// The names of plans, as their area will know them.
const plans = new Map<string, string>()
bundleNames.set('this test', async ({ type, ids }) =>
  type === 'group' ? new Map() : new Map(ids.flatMap(id => (plans.has(id) ? [[id, plans.get(id) ?? '']] : []))),
)

const newPlan = (name: string): Bundle => {
  const id = randomUUID()
  plans.set(id, name)
  return { type: 'membership_plan', id }
}

const staff = () => app.actor('ada', { scopes: [...TEACHING, 'members:write'] })
const learner = (name: PersonName) => app.actor(name, { scopes: LEARNING })
const toUuid = (id: string): string => fromId('crs', id) ?? ''
const parseItem = (id: string): Item => ({ type: 'course', id: toUuid(id) })

const open = (bundle: Bundle, item: Item) =>
  writing(async where => {
    const opened = await openInBundle(where, { bundle, item })
    const payload = { plan_id: toId('mpl', bundle.id), item_type: item.type, item_id: toId('crs', item.id) }
    await recordFacts(where.db, { schoolId: app.a.id, now: where.now }, [{ type: 'plan.item_added', payload }])
    return opened
  })

const close = (bundle: Bundle, item: Item, keptByEarlier?: boolean) =>
  writing(async where => {
    const closed = await closeInBundle(where, {
      bundle,
      item,
      ...(keptByEarlier === undefined ? {} : { keptByEarlier }),
    })
    const payload = { plan_id: toId('mpl', bundle.id), item_type: item.type, item_id: toId('crs', item.id) }
    await recordFacts(where.db, { schoolId: app.a.id, now: where.now }, [{ type: 'plan.item_removed', payload }])
    return closed
  })

/** Entitles somebody to a plan; gives the id of the subscription. */
const subscribe = async (name: PersonName, { id }: Bundle): Promise<string> => {
  const [memberId, sourceId] = [await readMemberId(app, name), randomUUID()]
  const named = { type: 'membership_plan', id } as const
  await writing(where => entitleAll(where, [{ memberId, named, source: 'subscription', sourceId }]))
  return sourceId
}

const unsubscribe = (sourceId: string) =>
  writing(where => revokeSourceAccess(where, { source: 'subscription', sourceId }, 'canceled'))

const readState = async (name: PersonName, item: Item, at?: Date): Promise<string> => {
  const memberId = await readMemberId(app, name)
  return writing(async ({ db }) => (await readAccess(db, app.a.id, { memberId, item, at })).access.state)
}

/** Waits until the enrollments of holders follow every item that was opened or closed. */
const untilDelivered = (): Promise<void> =>
  until(async () => {
    const waiting = await app.database.query(
      `select from facts where type like 'plan.item%' and delivered_at is null and parked_at is null`,
    )
    return waiting.length === 0
  }, 'the facts about items are delivered')

const rowsIn = async (table: 'entitlements' | 'bundle_items'): Promise<number> =>
  (await app.database.query<{ count: number }>(`select count(*)::integer as count from ${table}`))[0]?.count ?? 0

const enrolledIn = async (ada: Actor, course: string): Promise<Record<string, string>> => {
  const { json } = await ada.get(`/enrollments?course_id=${course}&expand=member`)
  return Object.fromEntries(
    json.data.map((one: { member: { name: string }; access: { state: string } }) => [
      one.member.name,
      one.access.state,
    ]),
  )
}

const catchRefusal = async (work: Promise<unknown>): Promise<Refusal> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof Refusal, String(error))
  return error
}

suite('a plan opens a course', () => {
  test('for all holders with one row, and closes it by changing that row', async () => {
    const ada = await staff()
    const { id: course, lessons } = await teach(ada, 'In a plan', [{ name: 'First' }])
    const [item, plan] = [parseItem(course), newPlan('Gold')]
    const people: PersonName[] = ['dev', 'eli', 'femi']
    for (const name of people) await subscribe(name, plan)
    const dev = await learner('dev')
    assert.equal((await dev.get(`/lessons/${lessons[0]}`)).status, 403)
    const before = await readClock(app)
    const rows = [await rowsIn('entitlements'), await rowsIn('bundle_items')] as const

    const opened = await open(plan, item)
    assert.deepEqual([opened.name, opened.isNew, opened.row.closed_at], ['In a plan', true, null])
    assert.deepEqual([await rowsIn('entitlements'), await rowsIn('bundle_items')], [rows[0], rows[1] + 1])
    for (const name of people) assert.equal(await readState(name, item), 'active', name)
    assert.equal((await dev.get(`/lessons/${lessons[0]}`)).status, 200)
    const own = (await dev.get(`/account/access?item=${course}`)).json
    assert.deepEqual([own.has_access, own.access.reason], [true, 'subscription'])
    assert.equal(own.entitlements[0].item.name, 'Gold')
    assert.match(own.explanation[1], /^A subscription gives it, with the plan “Gold”, since/)
    const earlier = await dev.get(`/account/access?item=${course}&at=${before.toISOString()}`)
    assert.equal(earlier.json.access.state, 'upcoming', 'at that instant it was not in the plan')

    const all = { 'Dev Patel': 'active', 'Eli Sørensen': 'active', 'Femi Adeyemi': 'active' }
    await until(async () => Object.keys(await enrolledIn(ada, course)).length === 3, 'three enrollments')
    assert.deepEqual(await enrolledIn(ada, course), all)
    const [mine] = (await dev.get(`/account/enrollments?course_id=${course}`)).json.data
    assert.deepEqual([mine.source, mine.access.state], ['subscription', 'active'])

    const closed = await close(plan, item)
    assert.deepEqual([closed?.row.id, closed?.isNew], [opened.row.id, true])
    assert.deepEqual([await rowsIn('entitlements'), await rowsIn('bundle_items')], [rows[0], rows[1] + 1])
    for (const name of people) assert.equal(await readState(name, item), 'ended', name)
    const after = (await dev.get(`/account/access?item=${course}`)).json
    assert.deepEqual([after.has_access, after.access.reason], [false, 'removed_from_plan'])
    assert.match(after.explanation[1], /^The plan “Gold” has not given access to the course since/)
  })

  test('and each enrollment appears once in the changes after a position', async () => {
    const ada = await staff()
    const { id: course } = await teach(ada, 'Followed', [{ name: 'First' }])
    const [item, plan] = [parseItem(course), newPlan('Followed')]
    await subscribe('dev', plan)
    await subscribe('eli', plan)
    const read = async (after: string) => {
      await app.settled()
      return (await ada.get(`/enrollments?course_id=${course}&limit=100&after=${encodeURIComponent(after)}`)).json
    }
    const start = (await read('0')).next_after
    await open(plan, item)
    await until(async () => (await read(start)).data.length === 2, 'two enrollments')
    const { next_after: next } = await read(start)
    await close(plan, item)
    await until(async () => (await read(next)).data.length === 2, 'both again')
    const states = (await read(next)).data.map((one: { access: { state: string } }) => one.access.state)
    assert.deepEqual(states, ['ended', 'ended'])
  })

  test('and earlier holders keep an item that was closed with keptByEarlier, as long as they hold the plan', async () => {
    const ada = await staff()
    const { id: course } = await teach(ada, 'Kept', [{ name: 'First' }])
    const [item, plan] = [parseItem(course), newPlan('Shrinking')]
    await open(plan, item)
    const devs = await subscribe('dev', plan)
    const elis = await subscribe('eli', plan)
    const closed = await close(plan, item, true)
    assert.equal(closed?.row.kept_by_earlier, true)
    await subscribe('femi', plan)
    assert.deepEqual(
      [await readState('dev', item), await readState('eli', item), await readState('femi', item)],
      ['active', 'active', 'none'],
    )
    assert.deepEqual(await writing(({ db }) => listBundleItems(db, app.a.id, plan, { rows: 10 })), [])
    const enrolled = await enrolledIn(ada, course)
    assert.deepEqual(enrolled, { 'Dev Patel': 'active', 'Eli Sørensen': 'active' }, 'later holders are not enrolled')

    // Opened again, the item is open to all, and the explanation names the plan once.
    await open(plan, item)
    assert.equal(await readState('femi', item), 'active')
    const dev = await learner('dev')
    const explained = (await dev.get(`/account/access?item=${course}`)).json
    assert.equal(explained.explanation.filter((line: string) => line.includes('Shrinking')).length, 1)
    assert.deepEqual([explained.entitlements.length, explained.entitlement_ids.length], [2, 1])
    await close(plan, item)
    assert.deepEqual(
      [await readState('dev', item), await readState('eli', item), await readState('femi', item)],
      ['active', 'active', 'ended'],
    )

    // A holder who returns after the item was closed does not get it back, and the end appears in the changes.
    await untilDelivered()
    await app.settled()
    const { next_after: next } = (await ada.get(`/enrollments?course_id=${course}&limit=100&after=0`)).json
    await unsubscribe(devs)
    assert.equal(await readState('dev', item), 'ended')
    await app.settled()
    const changed = (await ada.get(`/enrollments?course_id=${course}&after=${encodeURIComponent(next)}`)).json.data
    assert.deepEqual(
      changed.map((one: { access: { state: string } }) => one.access.state),
      ['ended'],
    )
    await subscribe('dev', plan)
    assert.equal(await readState('dev', item), 'ended')
    await unsubscribe(elis)
    assert.equal(await readState('eli', item), 'ended')
  })

  test('a plan opens a category of posts that exists, and a group never opens one', async () => {
    const plan = newPlan('Posts')
    const category = { type: 'post_category', id: randomUUID() } as const
    const refused = await catchRefusal(writing(where => openInBundle(where, { bundle: plan, item: category })))
    assert.deepEqual([refused.problem.code, refused.message], ['unknown_item', 'There is no such post_category.'])
    await subscribe('dev', plan)
    await app.database.query(
      `insert into bundle_items (school_id, id, bundle_type, bundle_id, item_type, item_id, opened_at)
       values ($1, $2, 'membership_plan', $3, 'post_category', $4, stoa.now())`,
      [app.a.id, randomUUID(), plan.id, category.id],
    )
    assert.deepEqual([await readState('dev', category), await readState('eli', category)], ['active', 'none'])
    await assert.rejects(
      app.database.query(
        `insert into bundle_items (school_id, id, bundle_type, bundle_id, item_type, item_id, opened_at)
         values ($1, $2, 'group', $2, 'post_category', $2, stoa.now())`,
        [app.a.id, randomUUID()],
      ),
      /violates check constraint/,
    )
  })
})

test('unknown items are refused, and nothing is written', async () => {
  const plan = newPlan('Empty')
  const rows = await rowsIn('bundle_items')
  const refusals: [Item, string][] = [
    [{ type: 'digital_product', id: MISSING }, 'There is no such digital_product.'],
    [{ type: 'event', id: MISSING }, 'There is no such event.'],
    [{ type: 'course', id: MISSING }, 'There is no such course.'],
  ]
  for (const [item, detail] of refusals) {
    const refused = await catchRefusal(open(plan, item))
    assert.deepEqual([refused.problem.code, refused.problem.status, refused.message], ['unknown_item', 422, detail])
    assert.equal(await writing(where => closeInBundle(where, { bundle: plan, item })), undefined)
  }
  assert.equal(await rowsIn('bundle_items'), rows)
})

test('a course in a plan is not deleted, even without holders; holders are counted once', async () => {
  const ada = await staff()
  const { id: course } = await teach(ada, 'Sold in a plan', [{ name: 'First' }])
  const plan = newPlan('Sold')
  const remove = async () => {
    const { status, json } = await ada.write('DELETE', `/courses/${course}?dry_run=true`)
    return { status, code: json.code, holds: json.holds, in_use: json.in_use }
  }
  assert.equal((await remove()).status, 200)
  await open(plan, parseItem(course))
  const inPlan = (count: number) => ({ kind: 'membership_plan', id: toId('mpl', plan.id), count })
  assert.deepEqual(await remove(), { status: 409, code: 'course_in_use', holds: 0, in_use: [inPlan(0)] })
  const held = [await subscribe('dev', plan), await subscribe('dev', plan), await subscribe('eli', plan)]
  const counted = await writing(({ db }) => countHolders(db, app.a.id, 'membership_plan', [plan.id, MISSING]))
  assert.deepEqual(
    [...counted],
    [
      [plan.id, 2],
      [MISSING, 0],
    ],
  )
  const { holds, in_use } = await remove()
  assert.deepEqual([holds, in_use], [2, [{ kind: 'member', id: null, count: 2 }, inPlan(2)]])
  await close(plan, parseItem(course))
  assert.equal((await remove()).status, 200)
  for (const one of held) await unsubscribe(one)
  const none = await writing(({ db }) => countHolders(db, app.a.id, 'membership_plan', [plan.id]))
  assert.deepEqual([...none.values()], [0])
})

suite('concurrent changes', () => {
  const readPeriods = (plan: Bundle) =>
    app.database.query<{ opened_at: Date; closed_at: Date | null }>(
      'select opened_at, closed_at from bundle_items where school_id = $1 and bundle_id = $2 order by opened_at',
      [app.a.id, plan.id],
    )

  test('opening and closing an item concurrently leaves at most one open row, and exactly one call reports each change', async () => {
    const ada = await staff()
    const { id: course } = await teach(ada, 'Flickering', [{ name: 'First' }])
    const [item, plan] = [parseItem(course), newPlan('Flickering')]
    for (let round = 0; round < 5; round++)
      await Promise.all(
        Array.from({ length: 12 }, (_, at) =>
          writing(where =>
            at % 3 === 0 ? closeInBundle(where, { bundle: plan, item }) : openInBundle(where, { bundle: plan, item }),
          ),
        ),
      )
    const all = await Promise.all(
      Array.from({ length: 6 }, () => writing(where => openInBundle(where, { bundle: plan, item }))),
    )
    assert.ok(all.every(({ row }) => row.closed_at === null && row.id === all[0]?.row.id))
    assert.ok(all.filter(({ isNew }) => isNew).length <= 1)
    const periods = await readPeriods(plan)
    assert.deepEqual(
      periods.map(({ closed_at }) => closed_at === null),
      periods.map((_, at) => at === periods.length - 1),
      'only the last one is open',
    )
    const closes = await Promise.all(
      Array.from({ length: 6 }, () => writing(where => closeInBundle(where, { bundle: plan, item }))),
    )
    assert.equal(closes.filter(closed => closed?.isNew).length, 1)
  })

  test('an item that is opened while another transaction closes it is open afterwards', async () => {
    const ada = await staff()
    const { id: course } = await teach(ada, 'Handed over', [{ name: 'First' }])
    const [item, plan] = [parseItem(course), newPlan('Handed over')]
    const first = await open(plan, item)
    let opening: ReturnType<typeof open> | undefined
    const closed = await writing(async where => {
      const done = await closeInBundle(where, { bundle: plan, item })
      opening = open(plan, item)
      await lockAwaited(app)
      return done
    })
    const second = await opening
    assert.deepEqual([closed?.row.id, closed?.isNew], [first.row.id, true])
    assert.deepEqual([second?.isNew, second?.row.closed_at, second?.row.id === first.row.id], [true, null, false])
  })

  test('closing an item that another transaction has not opened yet changes nothing and does not wait', async () => {
    const ada = await staff()
    const { id: course } = await teach(ada, 'Not there yet', [{ name: 'First' }])
    const [item, plan] = [parseItem(course), newPlan('Not there yet')]
    await writing(async where => {
      await openInBundle(where, { bundle: plan, item })
      assert.equal(await writing(other => closeInBundle(other, { bundle: plan, item })), undefined)
    })
    assert.equal((await readPeriods(plan)).length, 1)
  })

  test('an entitlement that ends while an item is opened gives no access afterwards', async () => {
    const ada = await staff()
    const { id: course } = await teach(ada, 'Just missed', [{ name: 'First' }])
    const [item, plan] = [parseItem(course), newPlan('Just missed')]
    for (let round = 0; round < 4; round++) {
      const sourceId = await subscribe('dev', plan)
      await Promise.all([open(plan, item), unsubscribe(sourceId)])
      assert.match(await readState('dev', item), /^(?:ended|none)$/)
      assert.equal(await readState('eli', item), 'none')
      await close(plan, item)
    }
    // The worker delivers the facts although the holders left in the meantime.
    const [fact] = await app.database.query<{ count: number }>(
      `select count(*)::integer as count from facts where type like 'plan.item%' and parked_at is not null`,
    )
    assert.equal(fact?.count, 0)
  })

  test('members who join a group while it opens a course are enrolled in the course', async () => {
    const ada = await staff()
    const { id: course } = await teach(ada, 'Joined at once', [{ name: 'First' }])
    const group = (await ada.write('POST', '/groups', { name: 'Joined at once' })).json.id
    const members = await Promise.all(
      Array.from({ length: 8 }, async (_, at) => {
        const body = { email: `${randomUUID()}@crumb.example`, name: `Joining ${at}`, send_invitation: false }
        return (await ada.write('POST', '/members', body)).json.id as string
      }),
    )
    const replies = await Promise.all(
      members.flatMap((member, at) => [
        ada.write('PUT', `/groups/${group}/members/${member}`),
        ...(at === 3 ? [ada.write('PUT', `/groups/${group}/items/course/${course}`)] : []),
      ]),
    )
    assert.ok(replies.every(({ status }) => status === 200))
    await until(async () => Object.keys(await enrolledIn(ada, course)).length === 8, 'eight enrollments')
    assert.deepEqual(new Set(Object.values(await enrolledIn(ada, course))), new Set(['active']))
  })
})

test('the statements of the previous version for group items work through the view', async () => {
  const ada = await staff()
  const { id: course } = await teach(ada, 'Two versions', [{ name: 'First' }])
  const { id: group } = (await ada.write('POST', '/groups', { name: 'Two versions' })).json
  const groupId = fromId('grp', group) ?? ''
  const run = (text: string, values: readonly unknown[]) =>
    writing(({ db }) => db.all({ text, values: [app.a.id, ...values] } as never))
  const insert = `insert into group_items (school_id, id, group_id, item_type, item_id, opened_at)
    values ($1, $2, $3, 'course', $4, (select stoa.now()))
    on conflict (school_id, group_id, item_type, item_id) where closed_at is null do nothing
    returning id, item_type, item_id, opened_at, closed_at`
  const id = randomUUID()
  assert.equal((await run(insert, [id, groupId, toUuid(course)])).length, 1)
  assert.equal((await run(insert, [randomUUID(), groupId, toUuid(course)])).length, 0)
  const listed = (await ada.get(`/groups/${group}/items`)).json.data
  assert.deepEqual(
    listed.map((one: { id: string }) => one.id),
    [toId('gri', id)],
  )
  const select = 'select item_id from group_items where school_id = $1 and group_id = $2 and closed_at is null'
  assert.equal((await run(select, [groupId])).length, 1)
  const update = `update group_items set closed_at = (select stoa.now())
    where school_id = $1 and group_id = $2 and item_id = $3 and closed_at is null returning id`
  assert.equal((await run(update, [groupId, toUuid(course)])).length, 1)
  assert.deepEqual((await ada.get(`/groups/${group}/items`)).json.data, [])
  // Row security of the table applies to the view.
  const other = await writing(({ db }) =>
    db.all({ text: 'select 1 from group_items where school_id <> $1', values: [app.a.id] }),
  )
  assert.deepEqual(other, [])
})
