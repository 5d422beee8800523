import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import { addPeople, type Person, toRowId } from '#testing/crowds.ts'
import { eventScopes, makeEvent, registrationScopes } from '#testing/events.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { openPage } from '#testing/paying.ts'
import { setProvider } from '#testing/payments.ts'
import { until } from '#testing/until.ts'
import { startWorkerProcess } from '#testing/worker-process.ts'

const app = testApp()
const test = ledgerTest(app)

// More than the job ends in one transaction.
const PAID = 20
const FREE = 20
const SEATS_EACH = 3

const register = async (person: Person, price_id: string) => {
  const body = { price_id, quantity: SEATS_EACH }
  const { status, json, text } = await person.write(app.port, 'POST', '/account/registrations', body, randomUUID())
  assert.equal(status, 200, text)
  return json
}

const buy = async (person: Person, price: string): Promise<void> => {
  const { order } = await register(person, price)
  const path = `/account/orders/${order.id}/payments`
  const asked = await person.write(app.port, 'POST', path, { provider: 'test' }, randomUUID())
  assert.equal(asked.status, 201, asked.text)
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: app.a.baseUrl }
  const page = await openPage(app, asked.json)
  assert.equal((await app.send({ method: 'POST', path: page, headers, body: 'action=pay' })).status, 303)
}

const readCount = async (occurrence: string, status: string): Promise<number> => {
  const [row] = await app.database.query<{ count: number }>(
    'select count(*)::integer as count from registrations where occurrence_id = $1 and status = $2',
    [occurrence, status],
  )
  return row?.count ?? 0
}

const readRefunds = (occurrence: string) =>
  app.database.query<{ amount: number; refunded: number; refunds: number }>(
    `select l.amount::integer as amount, l.refunded_amount::integer as refunded,
       (select count(*)::integer from refunds f where f.school_id = l.school_id and f.order_id = l.order_id) as refunds
     from order_lines l where exists (
       select from registrations r where r.school_id = l.school_id and r.line_id = l.id and r.occurrence_id = $1)`,
    [occurrence],
  )

const worker = () => startWorkerProcess({ databaseUrl: app.database.appUrl, secret: app.secret, folder: app.folder })

const cancelEvent = async (ada: Actor, eventId: string): Promise<void> => {
  const terms = { reason: 'The oven broke', refund: 'all' }
  const asked = await ada.write('PUT', `/events/${eventId}/cancellation`, terms)
  assert.equal(asked.status, 202, asked.text)
  await approveAs(app, 'ada', asked.json.confirmation.url)
}

test(`a worker that is killed while it ends ${(PAID + FREE) * SEATS_EACH} registrations refunds each seat once`, async () => {
  await setProvider(app, 'test', {})
  const ada = await app.actor('ada', { scopes: eventScopes })
  const people = await addPeople(app, await app.actor('dev', { scopes: registrationScopes }), PAID + FREE)
  const event = await makeEvent(app, ada, {}, [
    { name: 'Regular', amount: 1000 },
    { name: 'Free', amount: 0 },
  ])
  const [regular = '', free = ''] = event.tickets.map(({ price_id: id }) => id)
  await Promise.all(people.slice(0, PAID).map(person => buy(person, regular)))
  await Promise.all(people.slice(PAID).map(person => register(person, free)))
  const occurrence = toRowId('occ', event.occurrenceId)
  const all = (PAID + FREE) * SEATS_EACH
  // The worker learns from the provider what was paid.
  const paying = await worker()
  await until(async () => (await readCount(occurrence, 'confirmed')) === all, 'all seats are confirmed')
  await paying.kill()
  await cancelEvent(ada, event.id)
  const first = await worker()
  await until(async () => (await readCount(occurrence, 'cancelled')) > 0, 'the first page has ended')
  await first.kill()
  const before = await readCount(occurrence, 'cancelled')
  // The claim of the job that was killed expires.
  await app.moveClock(600)
  const second = await worker()
  await until(async () => (await readCount(occurrence, 'cancelled')) === all, 'all registrations have ended')
  await second.kill()
  assert.ok(before > 0, `${before} had ended`)
  const lines = await readRefunds(occurrence)
  assert.equal(lines.length, PAID)
  for (const line of lines) assert.deepEqual(line, { amount: 3000, refunded: 3000, refunds: SEATS_EACH })
})
