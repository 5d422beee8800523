import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after } from 'node:test'
import { fromId, toId } from '#src/kit/ids.ts'
import type { Actor } from '#testing/actor.ts'
import { type PersonName, testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import { makeCoupon } from '#testing/coupons.ts'
import { eventScopes, inDays, makeEvent, registered } from '#testing/events.ts'
import type { TestReply } from '#testing/http.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { checkout, decide, once, sell } from '#testing/orders.ts'
import { sellPlan } from '#testing/price-changes.ts'
import { sellProduct } from '#testing/products.ts'
import {
  instalments,
  monthly,
  passDays,
  readSubscriptionId,
  settledNow,
  subscribe,
  useProviders,
} from '#testing/subscriptions.ts'
import { until } from '#testing/until.ts'
import { uploader } from '#testing/uploads.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
const test = ledgerTest(app)
after(() => mailbox.stop())

const SCOPES = [
  ...['account:read', 'account:write', 'courses:read', 'courses:write', 'membership_plans:read'],
  ...['membership_plans:write', 'coupons:read', 'coupons:write', 'digital_products:read', 'digital_products:write'],
  ...['members:read', 'members:write', 'school:read', 'school:write', 'subscriptions:read', 'subscriptions:write'],
  ...eventScopes,
]
const BUYER = ['account:read', 'account:write', 'courses:read', 'membership_plans:read', 'events:read']
const staff = () => app.actor('ada', { scopes: [...new Set(SCOPES)] })

const done = ({ status, json, text }: TestReply): TestReply['json'] => {
  assert.ok(status < 300, text)
  return json
}

/** The cells of the first table of the document: row, column, word. */
const readCells = (): (readonly [what: string, way: string, word: string])[] => {
  const text = readFileSync(new URL('../../docs/members-who-go.md', import.meta.url), 'utf8')
  const [table = ''] = /^\| what [\s\S]*?(?=\n\n)/m.exec(text) ?? []
  const [ways = [], , ...rows] = table.split('\n').map(line =>
    line
      .split('|')
      .slice(1, -1)
      .map(cell => cell.trim()),
  )
  return rows.flatMap(([what = '', ...words]) => words.map((word, at) => [what, ways[at + 1] ?? '', word] as const))
}

/** What is seen of something that runs on: whether it has ended, whose it is, and what changes when anything happens to it. */
type Seen = { readonly isOver: boolean; readonly owner: string | undefined; readonly mark: string }

type Holder = { readonly name: PersonName; readonly id: string; readonly me: Actor }

/** Something that runs on for a person: how they get it, and how staff see it. */
type Thing = { readonly give: (holder: Holder) => Promise<() => Promise<Seen>> }

const seenAt = (path: string) => async (): Promise<Seen> => {
  const row = done(await (await staff()).get(path))
  const isOver = ['canceled', 'cancelled', 'expired', 'completed'].includes(row.status)
  const owner = 'member_id' in row ? row.member_id : row.member?.id
  return { isOver, owner: owner ?? undefined, mark: `${row.status} ${row.revision}` }
}

const courseAt = async (price: object) => sell(await staff(), `Runs on ${Math.random()}`, [{ ...price }])

const subscription = (
  price: object,
  { card = 'works', next }: { card?: string; next?: (id: string) => Promise<unknown> } = {},
): Thing => ({
  give: async ({ me }) => {
    const course = await courseAt(price)
    const id = await readSubscriptionId(app, (await subscribe(app, me, course.priceId, { card })).id)
    await next?.(id)
    return seenAt(`/subscriptions/${id}`)
  },
})

const pause = async (id: string) =>
  done(await (await staff()).write('PUT', `/subscriptions/${id}/pause`, { access: 'keep' }))

const byTransfer: Thing = {
  give: async ({ me }) => {
    const course = await courseAt(monthly(900))
    const order = await subscribe(app, me, course.priceId, { provider: 'manual' })
    await decide(app, 'confirmPayment', order.id, {})
    return seenAt(`/subscriptions/${await readSubscriptionId(app, order.id)}`)
  },
}

const withPlannedPrice: Thing = {
  give: async ({ me }) => {
    const { prices } = await sellPlan(await staff(), `Planned ${Math.random()}`, [monthly(2000), monthly(1000)])
    const order = await subscribe(app, me, prices[0] ?? '')
    const id = await readSubscriptionId(app, order.id)
    done(await me.write('PUT', `/account/subscriptions/${id}/price`, { price_id: prices[1], when: 'period_end' }))
    return seenAt(`/subscriptions/${id}`)
  },
}

const coupons: string[] = []

const order: Thing = {
  give: async ({ me, name }) => {
    const course = await courseAt(once(4900))
    const code = `HELD${name.toUpperCase()}`
    const coupon = await makeCoupon(await staff(), code)
    coupons.push(coupon.id)
    return seenAt(`/orders/${done(await checkout(me, [course.priceId], { codes: [code] })).id}`)
  },
}

const seat: Thing = {
  give: async ({ me }) => {
    const event = await makeEvent(app, await staff(), { starts_at: await inDays(app, 300) })
    return seenAt(`/registrations/${(await registered(me, event.priceId)).data[0].id}`)
  },
}

// Whose seats are given up for those who wait.
const taken: string[] = []

const place: Thing = {
  give: async ({ me }) => {
    const ada = await staff()
    const settings = { starts_at: await inDays(app, 300), capacity: 1, waitlist: true }
    const event = await makeEvent(app, ada, settings)
    taken.push((await registered(ada, event.priceId)).data[0].id)
    return seenAt(`/registrations/${(await registered(me, event.priceId, { join_waitlist: true })).data[0].id}`)
  },
}

// What is listed by staff for its owner; nobody is listed who was deleted.
const listed =
  (path: string, readIds: (row: TestReply['json']) => string, owners: () => readonly string[]) => async () => {
    const rows = done(await (await staff()).get(path)).data
    const owner = owners().find(id =>
      rows.some((row: TestReply['json']) => readIds(row) === id && row.status !== 'taken_back'),
    )
    return { isOver: owner === undefined, owner, mark: '' }
  }

let into = ''

const group: Thing = {
  give: async ({ id, name }) => {
    const ada = await staff()
    const made = done(await ada.write('POST', '/groups', { name: `Runs on for ${name}` }))
    done(await ada.write('PUT', `/groups/${made.id}/members/${id}`))
    return listed(
      `/groups/${made.id}/members`,
      row => row.member?.id ?? row.id,
      () => [id, into],
    )
  },
}

const gift: Thing = {
  give: async ({ id, name }) => {
    const seller = await uploader(app, 'ada', app.a, [...new Set(SCOPES)])
    const { path } = await sellProduct(seller, { name: `Given to ${name}` })
    done(await seller.write('POST', `${path}/gifts`, { member_id: id, notify: false }))
    return listed(
      `${path}/gifts`,
      row => row.member.id,
      () => [id, into],
    )
  },
}

const PAST_DUE = 'subscription that is past due'

const things: Readonly<Record<string, Thing>> = {
  'subscription charged by card': subscription(monthly(900)),
  'subscription paid by transfer': byTransfer,
  'subscription in its trial': subscription(monthly(900, { trial_days: 20 })),
  [PAST_DUE]: subscription(monthly(900), { card: 'declined' }),
  'subscription that is paused': subscription(monthly(900), { next: pause }),
  'subscription with a planned price': withPlannedPrice,
  'payment plan': subscription(instalments(900, 12)),
  'order that waits for payment': order,
  'seat at a coming date': seat,
  'place on a waiting list': place,
  group,
  gift,
}

/** Things whose state says at once what has become of them. */
const AT_ONCE = ['order that waits for payment', 'seat at a coming date', 'group', 'gift']

const confirmed = async (method: 'POST' | 'DELETE', path: string, body?: object): Promise<TestReply['json']> => {
  const asked = await (await staff()).write(method, path, body)
  assert.equal(asked.status, 202, asked.text)
  await approveAs(app, 'ada', asked.json.confirmation.url)
  return asked.json.confirmation.effects
}

const ending = /Ends: 7 subscriptions, 1 order that waits for payment,? and 2 registrations for coming dates/

const says = (effects: unknown, expected: RegExp): void => assert.match(JSON.stringify(effects), expected)

const outcomes = new Map<string, string>()

type Held = { readonly holder: Holder; readonly sights: ReadonlyMap<string, () => Promise<Seen>> }

const look = async ({ sights }: Held): Promise<Map<string, Seen>> => {
  const seen = new Map<string, Seen>()
  for (const [what, sight] of sights) seen.set(what, await sight())
  return seen
}

const note = (way: string, { holder }: Held, before: Map<string, Seen>, later: Map<string, Seen>): void => {
  for (const [what, first] of before) {
    const last = later.get(what) ?? first
    const isSame = first.mark === last.mark && !AT_ONCE.includes(what)
    const word = first.isOver ? 'ends' : first.owner !== holder.id ? 'moves' : isSame ? 'waits' : 'goes on'
    outcomes.set(`${what} / ${way}`, word)
  }
}

const NAMES = ['dev', 'eli', 'femi', 'carla', 'ben'] as const

const hold = async (holder: Holder, names: readonly string[]) => {
  const sights = new Map<string, () => Promise<Seen>>()
  for (const what of names) sights.set(what, (await things[what]?.give(holder)) ?? assert.fail(what))
  return sights
}

const readHolder = async (name: PersonName): Promise<Holder> => ({
  name,
  id: toId(
    'mem',
    (
      await app.database.query<{ id: string }>('select id from members where school_id = $1 and email = $2', [
        app.a.id,
        `${name}@crumb.example`,
      ])
    )[0]?.id ?? '',
  ),
  me: await app.actor(name, { scopes: BUYER }),
})

const prepare = async (): Promise<readonly Held[]> => {
  await useProviders(app)
  const started = []
  for (const name of NAMES) {
    const holder = await readHolder(name)
    started.push({ holder, late: await hold(holder, [PAST_DUE]) })
  }
  await passDays(app, 32)
  const held: Held[] = []
  for (const { late, ...one } of started) {
    const holder = await readHolder(one.holder.name)
    const others = await hold(
      holder,
      Object.keys(things).filter(what => what !== PAST_DUE),
    )
    held.push({ holder, sights: new Map([...late, ...others]) })
  }
  await settledNow(app)
  return held
}

// As a member has it after the pages of a change of address.
const readdress = async ({ holder: { id } }: Held, email: string): Promise<void> => {
  const uuid = fromId('mem', id)
  await app.database.query('update members set email = $2, email_folded = $2 where id = $1', [uuid, email])
}

const openSeats = async (): Promise<void> => {
  for (const id of taken) done(await (await staff()).write('DELETE', `/account/registrations/${id}`))
}

const perform = async (dev: Held, eli: Held, femi: Held, carla: Held, ben: Held): Promise<void> => {
  const ada = await staff()
  says(done(await ada.write('DELETE', `/members/${dev.holder.id}?dry_run=true`)).effects, ending)
  says(await confirmed('DELETE', `/members/${dev.holder.id}`), ending)
  says(await confirmed('POST', `/members/${eli.holder.id}/erasure`), ending)
  const suspended = done(await ada.write('PUT', `/members/${femi.holder.id}/suspension?dry_run=true`, {}))
  says(suspended.effects, /Waits: 7 subscriptions/)
  done(await ada.write('PUT', `/members/${femi.holder.id}/suspension`, {}))
  into = done(
    await ada.write('POST', '/members', { email: 'into@crumb.example', name: 'Into', send_invitation: false }),
  ).id
  says(
    await confirmed('POST', `/members/${into}/merges`, { member_id: carla.holder.id }),
    /Goes on for this account: 7 subs/,
  )
  await confirmed('DELETE', `/school/staff/${ben.holder.id}`)
  await readdress(ben, 'ben2@crumb.example')
  await settledNow(app)
}

const deleteOwnAccount = async (ben: Held): Promise<void> => {
  await readdress(ben, 'ben@crumb.example')
  const asked = await (await app.actor('ben', { scopes: BUYER })).write('POST', '/account/deletion')
  assert.equal(asked.status, 202, asked.text)
  says(asked.json.confirmation.effects, /Ends: \d subscriptions/)
  await approveAs(app, 'ben', asked.json.confirmation.url)
  await passDays(app, 15)
  const isErased = async () => {
    await app.moveClock(6)
    return (
      (
        await app.database.query('select from members where id = $1 and erased_at is null', [
          fromId('mem', ben.holder.id),
        ])
      ).length === 0
    )
  }
  await until(isErased, 'the account is erased')
}

test('what runs on for a member ends, waits or moves as docs/members-who-go.md says, and is charged to nobody who is gone', async () => {
  const [dev, eli, femi, carla, ben] = await prepare()
  if (!dev || !eli || !femi || !carla || !ben) return assert.fail('five people hold everything')
  await perform(dev, eli, femi, carla, ben)
  const all = [
    { held: dev, ways: ['deletion'] },
    { held: eli, ways: ['erasure'] },
    { held: femi, ways: ['suspension'] },
    { held: carla, ways: ['merge'] },
    { held: ben, ways: ['loss of a role', 'another address'] },
  ]
  const before = []
  for (const { held } of all) before.push(await look(held))
  // Seats and uses of codes are given back with the orders of those who went.
  const uses = []
  for (const id of coupons) uses.push(done(await (await staff()).get(`/coupons/${id}`)).times_held)
  assert.deepEqual(uses, [0, 0, 1, 1, 1])
  await openSeats()
  const waiting = []
  for (const { held } of all) waiting.push(await look(held))
  await passDays(app, 33)
  for (const [at, { held, ways }] of all.entries()) {
    const later = await look(held)
    const first = before[at] ?? new Map()
    later.set('place on a waiting list', waiting[at]?.get('place on a waiting list') ?? assert.fail())
    for (const way of ways) note(way, held, first, later)
  }
  const rested = await look(femi)
  done(await (await staff()).write('DELETE', `/members/${femi.holder.id}/suspension`))
  await settledNow(app)
  const isOffered = async () => (await look(femi)).get('place on a waiting list')?.mark.startsWith('offered') === true
  await until(isOffered, 'the seat is offered')
  const waited = (await look(femi)).get('place on a waiting list') ?? assert.fail()
  await passDays(app, 33)
  note('reinstatement', femi, rested, (await look(femi)).set('place on a waiting list', waited))
  outcomes.set('order that waits for payment / reinstatement', '–')
  await deleteOwnAccount(ben)
  const gone = await look(ben)
  note('own deletion', ben, gone, gone)
  done(await (await staff()).write('PUT', `/members/${dev.holder.id}/invitation`))
  for (const [what, seen] of await look(dev)) if (!seen.isOver) outcomes.set(`${what} / deletion`, 'kept')
  const expected = new Map(readCells().map(([what, way, word]) => [`${what} / ${way}`, word]))
  assert.deepEqual(Object.fromEntries([...outcomes].sort()), Object.fromEntries([...expected].sort()))
})
