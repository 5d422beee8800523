import assert from 'node:assert/strict'
import { after, afterEach, before, suite, test } from 'node:test'
import type { Offer } from '#src/contract/offer.ts'
import { fromId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import { eventScopes, makeEvent, type TestEvent } from '#testing/events.ts'
import { assertLedger } from '#testing/ledger.ts'
import {
  addMembers,
  availableOffer,
  type Line,
  newLine,
  openSales,
  type SalesProcess,
  startSalesProcess,
} from '#testing/offers.ts'

const app = testApp()
const PEOPLE = 60
const SEATS = 40
const MINUTE_MS = 60_000

suite('two processes on one database', () => {
  const processes: SalesProcess[] = []

  before(async () => {
    const start = () => startSalesProcess(app.database.appUrl, app.a.id)
    processes.push(...(await Promise.all([start(), start()])))
  })
  after(() => Promise.all(processes.map(process => process.stop())))
  afterEach(() => assertLedger(app.database))

  const readOffers = async ({ tickets }: TestEvent): Promise<Offer[]> => {
    const sales = openSales(app.database.appUrl, app.a.id)
    try {
      const offers = []
      for (const { price_id: id } of tickets)
        offers.push(await sales.run(place => availableOffer(place, fromId('prc', id) ?? '')))
      return offers
    } finally {
      await sales.close()
    }
  }

  const takenSeats = async ({ occurrenceId }: TestEvent): Promise<number> => {
    const [row] = await app.database.query<{ count: number }>(
      `with clock as materialized (select stoa.now() as now)
       select count(*)::integer as count from registrations r
       where r.occurrence_id = $1 and r.status = 'awaiting_payment' and r.hold_until > (select now from clock)`,
      [fromId('occ', occurrenceId)],
    )
    return row?.count ?? 0
  }

  // Reserves in both processes while the seats are counted again and again; returns how many got one.
  const reserveAll = async (event: TestEvent, lines: readonly Line[]): Promise<{ won: Line[]; most: number }> => {
    let isRunning = true
    let most = 0
    const watching = (async () => {
      while (isRunning) most = Math.max(most, await takenSeats(event))
    })()
    const half = Math.ceil(lines.length / 2)
    const [one, other] = processes
    const outcomes = (
      await Promise.all([one?.reserveAll(lines.slice(0, half)), other?.reserveAll(lines.slice(half))])
    ).flatMap(some => some ?? [])
    isRunning = false
    await watching
    const won = lines.filter((_, index) => JSON.stringify(outcomes[index] ?? '').includes('reservedUntil'))
    return { won, most: Math.max(most, await takenSeats(event)) }
  }

  test(`G-03 of ${PEOPLE} people ${SEATS} get a seat of two tickets with 25 each, also after half of the pages expired`, async () => {
    const ada = await app.actor('ada', { scopes: eventScopes })
    const tickets = ['Front', 'Back'].map(name => ({ name, amount: 1000, capacity: 25 }))
    const event = await makeEvent(app, ada, { capacity: SEATS }, tickets)
    const offers = await readOffers(event)
    const members = await addMembers(app, PEOPLE)
    const now = await app.database
      .query<{ now: Date }>('select stoa.now() as now')
      .then(([row]) => row?.now ?? assert.fail('no clock'))
    const buildLine = (memberId: string, index: number, minutes: number): Line => {
      const offer = offers[index % 2]
      if (offer === undefined) throw new Error('there are two offers')
      return { lineId: newLine(), offer, memberId, until: new Date(now.getTime() + minutes * MINUTE_MS) }
    }
    // Half of the payment pages end early.
    const lines = members.map((id, index) => buildLine(id, index, index % 4 < 2 ? 10 : 600))
    const first = await reserveAll(event, lines)
    assert.deepEqual([first.won.length, first.most], [SEATS, SEATS])
    await app.moveClock(11 * 60)
    const kept = first.won.filter(({ until }) => until.getTime() > now.getTime() + 100 * MINUTE_MS).length
    assert.equal(await takenSeats(event), kept)
    const others = members.filter(id => !first.won.some(({ memberId }) => memberId === id))
    const again = [...others, ...members].slice(0, PEOPLE).map((id, index) => buildLine(id, index, 600))
    const second = await reserveAll(event, again)
    assert.deepEqual([second.won.length, second.most], [SEATS - kept, SEATS])
  })
})
