// One thing: the statements of access at exact instants, which share their people, things and clock.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import type { Db } from '#src/contract/db.ts'
import { type OpenDatabase, openDatabase } from '#src/db/database.ts'
import { readHolders, readStates } from '#testing/access.ts'
import { testApp } from '#testing/app.ts'
import { later, stopClock } from '#testing/clock.ts'
import { closeBundleItem, insertBundleItem, listItemHolders, listOpenedBy } from './bundles/queries.ts'
import {
  countEntitled,
  eraseEntitlements,
  findEntitlement,
  insertEntitlements,
  isEntitledTo,
  moveEnds,
  moveEntitlements,
  type NewEntitlement,
  revokeEntitlements,
  revokeSource,
} from './entitlements/queries.ts'
import { endHolds, insertHold, listActiveHolds, listHolds } from './holds/queries.ts'
import { nameOfPair, readAccess, readAccesses } from './lookups.ts'
import type { NamedItem } from './rules.ts'

// Statements run one by one at instants that a request cannot reach.

const app = testApp()
const START = new Date('2030-01-01T12:00:00Z')
const END = later(START, 60_000)
const SOURCE = randomUUID()
let database: OpenDatabase | undefined
let dev = ''
let eli = ''
let course: NamedItem = { type: 'course', id: '' }
let other: NamedItem = course

const readId = async (text: string, value: string): Promise<string> =>
  (await app.database.query<{ id: string }>(text, [app.a.id, value]))[0]?.id ?? ''

const opened = (): OpenDatabase => {
  database ??= openDatabase(app.database.appUrl, { wait: 10_000, max: 2 })
  return database
}

// At the top level of a file no hook waits for the one before it.
let prepared: Promise<void> | undefined
const prepare = async (): Promise<void> => {
  const member = 'select id from members where school_id = $1 and email = $2'
  dev = await readId(member, 'dev@crumb.example')
  eli = await readId(member, 'eli@crumb.example')
  const bySlug = 'select id from courses where school_id = $1 and slug = $2'
  course = { type: 'course', id: await readId(bySlug, 'first-loaf') }
  other = { type: 'course', id: await readId(bySlug, 'sourdough-from-scratch') }
  assert.ok(dev && eli && course.id && other.id)
}
after(() => database?.close())

/** Declares a test that starts without any entitlement. */
const testFresh = (title: string, run: () => Promise<void>) =>
  test(title, async () => {
    prepared ??= prepare()
    await prepared
    await app.database.query('delete from holds')
    await app.database.query('delete from entitlements')
    await at(START)
    await run()
  })

const at = (instant: Date): Promise<void> => stopClock(app.database, instant)
const ask = <Result>(work: (db: Db, schoolId: string) => Promise<Result>): Promise<Result> =>
  opened().transaction(app.a.id, db => work(db, app.a.id))

const give = async (plan: Partial<NewEntitlement> = {}): Promise<string> => {
  const one: NewEntitlement = { id: randomUUID(), memberId: dev, named: course, source: 'staff', endsAt: END, ...plan }
  const [created] = await ask((db, id) => insertEntitlements(db, id, [one]))
  assert.equal(created?.id, one.id)
  return one.id
}

const hold = async (plan: Partial<Parameters<typeof insertHold>[2]> = {}): Promise<string> => {
  const one = { id: randomUUID(), memberId: dev, reason: 'staff' as const, endsAt: END, ...plan }
  await ask((db, id) => insertHold(db, id, one))
  return one.id
}

const listIds = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id).sort()
const readReasons = async (): Promise<(string | null)[]> =>
  (await app.database.query<{ reason: string | null }>('select reason from entitlements order by created_at, id')).map(
    ({ reason }) => reason,
  )

testFresh('the same source gives the same thing once, from now on unless it says when', async () => {
  const plan: NewEntitlement = { id: randomUUID(), memberId: dev, named: course, source: 'gift', sourceId: SOURCE }
  const created = await ask((db, id) => insertEntitlements(db, id, [plan, { ...plan, id: randomUUID() }]))
  assert.deepEqual(listIds(created), [plan.id])
  assert.deepEqual(await ask((db, id) => insertEntitlements(db, id, [{ ...plan, id: randomUUID() }])), [])
  const startsAt = later(START, 5000)
  await give({ startsAt, reason: 'because' })
  const { entitlements } = await ask((db, id) => readAccess(db, id, { memberId: dev, item: course }))
  assert.deepEqual(entitlements.map(one => one.starts_at).sort(), [START, startsAt])
})

testFresh(
  'an entitlement is revoked until the instant of its end, once, and keeps its reason unless one is given',
  async () => {
    const [one, two, ended] = [
      await give({ reason: 'kept' }),
      await give({ reason: 'kept' }),
      await give({ endsAt: later(START, 1) }),
    ]
    const revoke = (ids: readonly string[], reason?: string) =>
      ask(async (db, id) => listIds(await revokeEntitlements(db, id, ids, { reason })))
    await at(END)
    assert.deepEqual(await revoke([one, two, ended]), [])
    await at(later(END, -1))
    assert.deepEqual(await revoke([one]), [one])
    assert.deepEqual(await revoke([one, ended, two], 'new'), [two])
    assert.deepEqual((await readReasons()).sort(), ['kept', 'new', null].sort())
  },
)

testFresh('what one source gave is revoked, to these members, and nothing that another source gave', async () => {
  const mine = { source: 'order_line', sourceId: SOURCE } as const
  const one = await give(mine)
  const elis = await give({ ...mine, memberId: eli })
  await give({ ...mine, sourceId: randomUUID() })
  await give({ ...mine, source: 'gift' })
  const ended = await give({ ...mine, named: other, endsAt: later(START, 1000) })
  const revoke = (memberIds?: readonly string[]) =>
    ask(async (db, id) => listIds(await revokeSource(db, id, { ...mine, memberIds }, { reason: 'why' })))
  await at(later(START, 1000))
  assert.deepEqual(await revoke([eli]), [elis])
  assert.deepEqual(await revoke(), [one])
  assert.deepEqual(await revoke(), [])
  assert.equal((await ask((db, id) => findEntitlement(db, id, ended)))?.revoked_at, null)
})

testFresh('an end in the future can be moved before now and before the start', async () => {
  const [one, later1, revoked] = [await give(), await give({ startsAt: later(START, 10_000) }), await give()]
  await ask((db, id) => revokeEntitlements(db, id, [revoked], {}))
  const move = (id: string, endsAt: Date | null) =>
    ask(async (db, schoolId) => (await moveEnds(db, schoolId, [{ id, endsAt }])).map(({ ends_at }) => ends_at))
  assert.deepEqual(await move(one, START), [], 'no end at the instant')
  assert.deepEqual(await move(one, later(START, 1)), [later(START, 1)])
  assert.deepEqual(await move(later1, later(START, 10_000)), [], 'an end at its start')
  assert.deepEqual(await move(later1, later(START, 10_001)), [later(START, 10_001)])
  assert.deepEqual(await move(revoked, null), [])
  await at(later(START, 1))
  assert.deepEqual(await move(one, null), [], 'it has ended')
  assert.deepEqual(await move(later1, null), [null])
  assert.deepEqual(await move(later1, END), [END])
})

testFresh('an entitlement is over from the instant of its end, or when it was revoked', async () => {
  const [one, revoked, lasting] = [await give(), await give(), await give({ endsAt: undefined })]
  await ask((db, id) => revokeEntitlements(db, id, [revoked], {}))
  const isOver = async (entitlement: string) => (await ask((db, id) => findEntitlement(db, id, entitlement)))?.is_over
  await at(later(END, -1))
  assert.deepEqual(await Promise.all([one, revoked, lasting].map(isOver)), [false, true, false])
  await at(END)
  assert.deepEqual(await Promise.all([one, revoked, lasting].map(isOver)), [true, true, false])
  assert.equal(await isOver(randomUUID()), undefined)
})

testFresh('copying entitlements to another member skips those of the same source and copies the holds', async () => {
  const same = { source: 'gift', sourceId: SOURCE } as const
  const both = await give(same)
  await give({ ...same, memberId: eli })
  const moved = [
    await give(),
    await give({ ...same, named: other }),
    await give({ ...same, sourceId: randomUUID() }),
    await give({ ...same, source: 'order_line' }),
  ]
  const holdId = await hold()
  await ask((db, id) => moveEntitlements(db, id, dev, eli))
  const readOwners = async (ids: readonly string[]): Promise<(string | undefined)[]> =>
    ask((db, schoolId) => Promise.all(ids.map(async id => (await findEntitlement(db, schoolId, id))?.member_id)))
  assert.deepEqual(
    await readOwners(moved),
    moved.map(() => eli),
  )
  assert.deepEqual(await readOwners([both]), [dev])
  assert.deepEqual(listIds(await ask((db, id) => listHolds(db, id, eli, course))), [holdId])
  await ask((db, id) => revokeEntitlements(db, id, [both], {}))
  await ask((db, id) => moveEntitlements(db, id, dev, eli))
  assert.deepEqual(await readOwners([both]), [eli], 'what has ended')
})

testFresh(
  'a member who is forgotten loses what has not ended, and every word that was written; nobody else does',
  async () => {
    const [one, ended] = [await give({ reason: 'of dev' }), await give({ reason: 'of dev', endsAt: later(START, 1) })]
    const elis = await give({ memberId: eli, reason: 'of eli' })
    const holds = [await hold({ note: 'of dev' }), await hold({ memberId: eli, note: 'of eli' })]
    await at(later(START, 1))
    assert.deepEqual(listIds(await ask((db, id) => eraseEntitlements(db, id, dev))), [one])
    assert.deepEqual(await ask((db, id) => eraseEntitlements(db, id, dev)), [])
    assert.deepEqual((await readReasons()).sort(), ['of eli', null, null].sort())
    assert.equal((await ask((db, id) => findEntitlement(db, id, ended)))?.revoked_at, null)
    assert.equal((await ask((db, id) => findEntitlement(db, id, elis)))?.revoked_at, null)
    const notes = await app.database.query<{ id: string; note: string | null }>('select id, note from holds')
    assert.deepEqual(new Map(notes.map(({ id, note }) => [id, note])).get(holds[0] ?? ''), null)
    assert.equal(notes.find(({ id }) => id === holds[1])?.note, 'of eli')
  },
)

testFresh(
  'a hold is lifted until the instant of its end, once; staff see those of theirs that stand, on a thing or on all',
  async () => {
    const [all, onCourse, lasting] = [await hold(), await hold({ on: course }), await hold({ endsAt: undefined })]
    await hold({ reason: 'dispute', on: course })
    await hold({ on: other })
    await hold({ memberId: eli })
    const activeHolds = async (item: NamedItem | undefined) =>
      listIds(await ask((db, id) => listActiveHolds(db, id, dev, item)))
    const lift = (one: string) => ask(async (db, id) => (await endHolds(db, id, [one])).length)
    await at(later(END, -1))
    assert.deepEqual(await activeHolds(undefined), [all, lasting].sort())
    assert.deepEqual(await activeHolds(course), [onCourse])
    await at(END)
    assert.deepEqual([await activeHolds(undefined), await activeHolds(course)], [[lasting], []])
    assert.deepEqual([await lift(all), await lift(lasting), await lift(lasting)], [0, 1, 0])
    await at(later(END, -1))
    assert.deepEqual([await lift(all), await lift(all)], [1, 0])
  },
)

testFresh(
  'members with current or future access to an item are counted once each, without removed members',
  async () => {
    const count = async () => [...(await ask((db, id) => countEntitled(db, id, 'course', [course.id, other.id])))]
    assert.deepEqual(await count(), [])
    await give()
    await give({ startsAt: later(START, 1000) })
    await give({ memberId: eli })
    const others = await give({ named: other, memberId: eli, endsAt: undefined })
    assert.deepEqual(
      new Map(await count()),
      new Map([
        [course.id, 2],
        [other.id, 1],
      ]),
    )
    await at(END)
    assert.deepEqual(await count(), [[other.id, 1]])
    await at(later(END, -1))
    await app.database.query(`update members set status = 'deleted' where id = $1`, [eli])
    assert.deepEqual(await count(), [[course.id, 1]])
    await app.database.query(`update members set status = 'active' where id = $1`, [eli])
    await ask((db, id) => revokeEntitlements(db, id, [others], {}))
    assert.deepEqual(await count(), [[course.id, 2]])
  },
)

testFresh('holders to whom a plan opens or opened an item are listed by id, in pages after a given id', async () => {
  const plan = { type: 'membership_plan', id: randomUUID() } as const
  const list = (after?: string, most = 10) =>
    ask((db, id) => listItemHolders(db, id, { bundle: plan, item: course }, { after, most }))
  const [devs, elis] = [
    { member_id: dev, source: 'gift' },
    { member_id: eli, source: 'staff' },
  ]
  await give({ named: plan, source: 'gift' })
  assert.deepEqual(await list(), [], 'the plan has no items')
  await ask((db, id) => insertBundleItem(db, id, plan, { id: randomUUID(), item: course }))
  await at(later(START, 1))
  await give({ named: plan })
  const elisOwn = await give({ named: plan, memberId: eli })
  await give({ named: { ...plan, id: randomUUID() }, memberId: eli })
  const [first, second] = [devs, elis].sort((one, two) => (one.member_id < two.member_id ? -1 : 1))
  assert.deepEqual(await list(), [first, second], 'each once, with the source of the first entitlement')
  const [, lastId] = [dev, eli].sort()
  assert.deepEqual(
    [await list(undefined, 1), await list(first?.member_id), await list(lastId)],
    [[first], [second], []],
  )
  await ask((db, id) => revokeEntitlements(db, id, [elisOwn], {}))
  assert.deepEqual(await list(), [devs])
  await at(later(START, 2))
  await ask((db, id) => closeBundleItem(db, id, plan, { item: course, keptByEarlier: false }))
  await give({ named: plan, memberId: eli })
  assert.deepEqual(await list(), [devs], 'a member who joined after the item was closed is left out')
  await at(END)
  assert.deepEqual(await list(), [])
})

testFresh(
  'a member is entitled to what an active entitlement names, until it ends and except while it is on hold',
  async () => {
    const [gold, silver] = [randomUUID(), randomUUID()]
    const plan = (id: string) => ({ type: 'membership_plan', id }) as const
    const is = (ids?: readonly string[], memberId = dev) =>
      ask((db, id) => isEntitledTo(db, id, memberId, { type: 'membership_plan', ids }))
    await give({ named: plan(gold), source: 'subscription', sourceId: SOURCE, startsAt: later(START, 1000) })
    const all = async () => [await is(), await is([gold]), await is([silver, gold]), await is([silver]), await is([])]
    const [yes, no] = [
      [true, true, true, false, false],
      [false, false, false, false, false],
    ]
    await at(later(START, 999))
    assert.deepEqual(await all(), no)
    await at(later(START, 1000))
    assert.deepEqual(await all(), yes)
    assert.equal(await is(undefined, eli), false)
    assert.equal(await ask((db, id) => isEntitledTo(db, id, dev, { type: 'group' })), false)
    const sourceHold = await hold({ on: { source: 'subscription', sourceId: SOURCE }, endsAt: later(START, 2000) })
    await hold({ on: { source: 'subscription', sourceId: randomUUID() }, endsAt: undefined })
    await hold({ on: course, endsAt: undefined })
    assert.deepEqual(await all(), no)
    await at(later(START, 2000))
    assert.deepEqual(await all(), yes)
    const everything = await hold({ endsAt: undefined })
    assert.deepEqual(await all(), no)
    await at(later(START, 3000))
    await ask((db, id) => endHolds(db, id, [everything, sourceHold]))
    assert.deepEqual(await all(), yes)
    await at(END)
    assert.deepEqual(await all(), no)
  },
)

testFresh('the SQL condition and the query for one member have the same result', async () => {
  const gold = randomUUID()
  await give({ named: { type: 'membership_plan', id: gold } })
  const is = await ask((db, id) => readHolders(db, id, [dev, eli], gold))
  assert.deepEqual(is.get(dev), { any: true, of_plan: true, of_course: false })
  assert.deepEqual(is.get(eli), { any: false, of_plan: false, of_course: false })
})

const STATES = ['active', 'held', 'upcoming', 'ended', 'none'] as const

// The result of the rules and that of the statements, at the instant of the clock.
const compare = async (item: NamedItem, why: string): Promise<string> => {
  const { access } = await ask((db, id) => readAccess(db, id, { memberId: dev, item }))
  const row = await ask((db, id) => readStates(db, id, dev, item))
  const expected = { state: access.state, may: access.state === 'active', matching: [access.state] }
  assert.deepEqual(row, expected, why)
  const all = await ask((db, id) => readAccesses(db, id, 'course', [{ memberId: dev, itemId: item.id }]))
  assert.deepEqual(all.get(nameOfPair({ memberId: dev, itemId: item.id }))?.access, access, why)
  return access.state
}

testFresh('the statements say the same as the fold at each edge, just before and just after it', async () => {
  await give({ startsAt: later(START, 2000), endsAt: later(START, 4000) })
  await give({ startsAt: later(START, 6000), endsAt: later(START, 9000) })
  await give({ named: other, memberId: dev, endsAt: undefined })
  await give({ memberId: eli, endsAt: undefined })
  await at(later(START, 3000))
  await hold({ on: course, endsAt: later(START, 7000) })
  await hold({ on: other, endsAt: undefined })
  await hold({ memberId: eli, endsAt: undefined })
  await at(later(START, 8000))
  await hold({ endsAt: later(START, 8500) })
  await give({ source: 'order_line', sourceId: SOURCE, startsAt: later(START, 9000), endsAt: later(START, 12_000) })
  await at(later(START, 9500))
  await hold({ on: { source: 'order_line', sourceId: SOURCE }, endsAt: later(START, 11_000) })
  await give({
    source: 'order_line',
    sourceId: randomUUID(),
    startsAt: later(START, 10_000),
    endsAt: later(START, 10_500),
  })
  const states: string[] = []
  for (const edge of [2000, 3000, 4000, 6000, 7000, 8000, 8500, 9000, 9500, 10_000, 10_500, 11_000, 12_000])
    for (const shift of [-1, 0, 1]) {
      await at(later(START, edge + shift))
      states.push(await compare(course, `at ${edge} ${shift}`))
      await compare(other, `the other at ${edge} ${shift}`)
    }
  assert.deepEqual(new Set(states), new Set(STATES.filter(state => state !== 'none')))
  await app.database.query('delete from entitlements where member_id = $1', [dev])
  assert.equal(await compare(course, 'without any'), 'none')
})

testFresh('entitlements that began before an item was closed keep it, and later ones do not get it', async () => {
  const plan = { type: 'membership_plan', id: randomUUID() } as const
  await ask((db, id) => insertBundleItem(db, id, plan, { id: randomUUID(), item: course }))
  await at(later(START, 1000))
  await ask((db, id) => closeBundleItem(db, id, plan, { item: course, keptByEarlier: true }))
  for (const [shift, expected] of [
    [999, 'active'],
    [1000, 'none'],
    [1001, 'none'],
  ] as const) {
    await app.database.query('delete from entitlements')
    const id = await give({ named: plan, startsAt: later(START, shift), endsAt: undefined })
    await at(later(START, 2000))
    assert.equal(await compare(course, `began at ${shift}`), expected)
    const opened = await ask((db, schoolId) => listOpenedBy(db, schoolId, 'course', [id]))
    assert.equal(opened.length, expected === 'active' ? 1 : 0)
  }
})

testFresh('what was revoked before it began was never given', async () => {
  const one = await give({ startsAt: later(START, 1000), endsAt: undefined })
  assert.equal(await compare(course, 'before'), 'upcoming')
  await at(later(START, 1000))
  await ask((db, id) => revokeEntitlements(db, id, [one], {}))
  for (const shift of [-1000, 0, 1]) {
    await at(later(START, 1000 + shift))
    assert.equal(await compare(course, `at ${shift}`), 'none')
  }
})
