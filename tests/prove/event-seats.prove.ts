import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, suite } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { type ShopProcess, startShop } from '#testing/commerce/shop-process.ts'
import { addPeople, type Person, toRowId } from '#testing/crowds.ts'
import { eventScopes, makeEvent, registrationScopes, type TestEvent } from '#testing/events.ts'
import { jsonBody, retryWhileBusy, send } from '#testing/http.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { openPage } from '#testing/paying.ts'
import { setProvider } from '#testing/payments.ts'
import { computeRounds } from '#testing/rounds.ts'
import { recordSeats, seatHistory, watchSeats } from '#testing/seats.ts'
import { until } from '#testing/until.ts'

// Another seed has other people pay, and other pages expire.
const SEED = Number(process.env.STOA_TEST_SEED ?? 20_261_124)
const ROUNDS = computeRounds(3)
const PEOPLE = 60
const SEATS = 40
const OF_TICKET = 25
const CODES = 20
const HOLD_SECONDS = 31 * 60
const DAY_SECONDS = 24 * 3600
// By the database's history a seat may be free for so long while somebody waits: the worker looks twice a second. On a machine
// that stalls it is longer by two of its pauses, one until the worker runs and one until its transaction does.
const MOST_FREE_MS = 1000
const PAUSES = 2
// A process that waits too long for a lock tries again.
const BUSY = /lock timeout|deadlock detected/

const app = testApp()
const test = ledgerTest(app)

let shops: ShopProcess[] = []
let ada: Actor
let people: Person[] = []

// A generator of numbers from a seed (mulberry32).
const dice = (seed: number) => {
  let state = seed
  return (sides: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides
  }
}

type Dice = ReturnType<typeof dice>

const shuffled = <T>(all: readonly T[], roll: Dice): T[] =>
  all
    .map(one => ({ one, at: roll(1_000_000) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one)

type Order = { readonly id: string; readonly number: string }
type Seat = {
  readonly person: Person
  readonly port: number
  readonly id: string
  readonly status: string
  readonly order: Order | null
}

const choosePort = (roll: Dice): number => shops[roll(shops.length)]?.port ?? assert.fail('no process')

const registerAll = (event: TestEvent, some: readonly Person[], roll: Dice): Promise<Seat[]> => {
  const racing = some.map((person, at) => ({
    person,
    port: choosePort(roll),
    price: event.tickets[at % 3 === 0 ? 1 : 0]?.price_id,
  }))
  return Promise.all(
    racing.map(async ({ person, port, price }) => {
      const body = { price_id: price, join_waitlist: true }
      const { status, json, text } = await person.write(port, 'POST', '/account/registrations', body, randomUUID())
      assert.equal(status, 200, text)
      return { person, port, id: json.data[0].id, status: json.data[0].status, order: json.order }
    }),
  )
}

/** Opens the page on which an order is paid; returns what pays on it. */
const openPaying = async ({ person, port }: Seat, order: Order) => {
  const path = `/account/orders/${order.id}/payments`
  const asked = await person.write(port, 'POST', path, { provider: 'test' }, randomUUID())
  assert.equal(asked.status, 201, asked.text)
  const page = await openPage(app, asked.json, 120)
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: app.a.baseUrl }
  return () => app.send({ method: 'POST', path: page, headers, body: 'action=pay' })
}

const readStatus = async ({ person, port, id }: Seat): Promise<string> =>
  (await person.get(port, `/account/registrations/${id}`)).json.status

/** Takes the seats that are offered until nobody waits for a seat that is free, and pays for those of `some`. */
const takeOffered = async (waiting: readonly Seat[], some: ReadonlySet<Person>): Promise<void> => {
  const take = async (seat: Seat): Promise<void> => {
    if ((await readStatus(seat)) !== 'offered') return
    const taken = await seat.person.write(seat.port, 'PUT', `/account/registrations/${seat.id}/acceptance`)
    assert.equal(taken.status, 200, taken.text)
    if (some.has(seat.person)) assert.equal((await (await openPaying(seat, taken.json.order))()).status, 303)
  }
  await Promise.all(waiting.map(take))
}

const readCounts = async (eventId: string): Promise<Readonly<Record<string, number>>> => {
  const { data } = (await ada.get(`/events/${eventId}/registrations?limit=100`)).json
  const byStatus = Map.groupBy(data as { status: string }[], ({ status }) => status)
  return Object.fromEntries([...byStatus].map(([status, rows]) => [status, rows.length]))
}

const openShop = (): Promise<ShopProcess> =>
  startShop({ databaseUrl: app.database.appUrl, secret: app.secret, folder: app.folder })

const buyAndExpire = async (event: TestEvent, roll: Dice): Promise<void> => {
  const seats = await registerAll(event, shuffled(people, roll), roll)
  const held = seats.filter(({ order }) => order !== null)
  const waiting = seats.filter(({ status }) => status === 'waitlisted')
  assert.deepEqual([held.length, waiting.length], [SEATS, PEOPLE - SEATS])
  const opened = await Promise.all(
    shuffled(held, roll).map(async seat => ({
      seat,
      pay: await openPaying(seat, seat.order ?? assert.fail('no order')),
    })),
  )
  const [paying, expiring] = [opened.slice(0, SEATS / 2), opened.slice(SEATS / 2)]
  await Promise.all(paying.map(async ({ pay }) => assert.equal((await pay()).status, 303)))
  await app.moveClock(HOLD_SECONDS)
  // Some pay when their seat is no longer held, and some register again; those who wait come first.
  const late = expiring.slice(0, 5)
  const again = expiring.slice(5, 10).map(({ seat }) => seat.person)
  await Promise.all([...late.map(({ pay }) => pay()), registerAll(event, again, roll)])
  await until(async () => ((await readCounts(event.id)).offered ?? 0) + 5 >= SEATS / 2, 'the seats are offered again')
  await takeOffered(waiting, new Set(waiting.filter(() => roll(2) === 0).map(({ person }) => person)))
  await app.moveClock(HOLD_SECONDS)
  await until(async () => ((await readCounts(event.id)).awaiting_payment ?? 0) === 0, 'the holds have ended')
}

const raceForSeats = async (round: number): Promise<void> => {
  const event = await makeEvent(app, ada, { capacity: SEATS, waitlist: true }, [
    { name: 'Front', amount: 1000, capacity: OF_TICKET },
    { name: 'Back', amount: 1500, capacity: OF_TICKET },
  ])
  const occurrence = toRowId('occ', event.occurrenceId)
  const watched = await watchSeats(app.database, occurrence)
  const bought = buyAndExpire(event, dice(SEED + round))
  await bought.catch(() => undefined)
  const seen = await watched.stop()
  await bought.catch(error => assert.fail(`${error} ${shops.flatMap(({ errors }) => errors).join('\n')}`))
  const history = await seatHistory(app.database, occurrence, { ofAll: SEATS, ofType: OF_TICKET })
  const { confirmed = 0, offered = 0 } = await readCounts(event.id)
  const told = `seed ${SEED}, round ${round}: ${JSON.stringify({ seen, history, confirmed, offered })}`
  process.stdout.write(`${told}\n`)
  assert.ok(seen.looks > 100, told)
  assert.deepEqual([seen.most, history.ofAll], [SEATS, SEATS], told)
  // Chance decides whether every seat of one ticket is taken at some instant.
  assert.ok(seen.mostOfType <= OF_TICKET && history.ofType <= OF_TICKET, told)
  assert.ok(history.longestFree <= MOST_FREE_MS + PAUSES * seen.longestLook, told)
  assert.ok(confirmed >= SEATS / 2 && confirmed + offered <= SEATS, told)
}

suite('seats of an event, with two processes on one database', () => {
  before(async () => {
    await setProvider(app, 'test', {})
    ada = await app.actor('ada', { scopes: eventScopes })
    people = await addPeople(app, await app.actor('dev', { scopes: registrationScopes }), PEOPLE)
    // Days pass in the test.
    await app.database.query(`update access_tokens set expires_at = stoa.now() + interval '10 years'`)
    await recordSeats(app.database)
    shops = await Promise.all([openShop(), openShop()])
  })
  after(() => Promise.all(shops.map(shop => shop.kill())))

  test(`G-03 in ${ROUNDS} rounds of ${PEOPLE} people for ${SEATS} seats of two tickets no seat is taken twice, and none is free for a second while somebody waits`, async () => {
    for (let round = 0; round < ROUNDS; round++) await raceForSeats(round)
    assert.deepEqual(
      shops.flatMap(({ errors }) => errors).filter(error => !BUSY.test(error)),
      [],
    )
    await app.moveClock(DAY_SECONDS)
  })

  test('the code of a seat at two entrances at once, in two processes, admits once', async () => {
    const event = await makeEvent(app, ada, { name: 'Two entrances' })
    const seats = await Promise.all(
      people.slice(0, CODES).map(async person => {
        const body = { price_id: event.priceId }
        const { json, text } = await person.write(app.port, 'POST', '/account/registrations', body, randomUUID())
        assert.equal(json.data[0].status, 'confirmed', text)
        return json.data[0] as { readonly id: string; readonly code: string }
      }),
    )
    const path = `/api/v1/occurrences/${event.occurrenceId}/check-ins`
    const authorization = { authorization: `Bearer ${ada.token}` }
    const { host } = new URL(app.a.baseUrl)
    const at = ({ port }: ShopProcess, code: string) =>
      retryWhileBusy(() => send(port, { ...jsonBody('POST', path, { code }, authorization), host }))
    const tried = await Promise.all(seats.map(({ code }) => Promise.all(shops.map(shop => at(shop, code)))))
    for (const replies of tried) {
      assert.deepEqual(
        replies.map(({ status }) => status).toSorted(),
        [200, 409],
        replies.map(({ text }) => text).join(),
      )
      assert.equal(replies.find(({ status }) => status === 409)?.json.code, 'already_checked_in')
    }
    const [recorded] = await app.database.query<{ facts: number }>(
      `select count(*)::integer as facts from facts
       where type = 'registration.checked_in' and payload ->> 'occurrence_id' = $1`,
      [event.occurrenceId],
    )
    assert.equal(recorded?.facts, CODES)
  })
})
