import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { testApp } from '#testing/app.ts'
import { eventScopes, makeEvent, register, registered, registrationScopes } from '#testing/events.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { sell } from '#testing/orders.ts'

const app = testApp()
const test = ledgerTest(app)

const staff = () => app.actor('ada', { scopes: [...eventScopes, 'courses:read', 'courses:write'] })
const person = (name: 'dev' | 'eli') => app.actor(name, { scopes: registrationScopes })
type Person = Awaited<ReturnType<typeof person>>

const questions = [
  { id: 'diet', type: 'text', label: 'What do you not eat?', required: true },
  {
    id: 'seat',
    type: 'choice',
    label: 'Where do you sit?',
    options: [
      { id: 'front', label: 'In front' },
      { id: 'back', label: 'At the back' },
    ],
  },
]
const answers = [{ field_id: 'diet', value: 'Walnuts' }]

const buy = (buyer: Person, items: readonly object[]) =>
  buyer.write('POST', '/account/checkouts', { items }, { 'idempotency-key': randomUUID() })

const listErrors = ({ json }: { readonly json: { readonly errors: { pointer: string; code: string }[] } }) =>
  json.errors.map(({ pointer, code }) => [pointer, code])

const answersIn = async (eventId: string) =>
  (await (await staff()).get(`/events/${eventId}/registrations`)).json.data.map(
    ({ answers: given }: { answers: { field_id: string; value: unknown }[] }) =>
      given.map(({ field_id, value }) => [field_id, value]),
  )

test('a checkout asks the questions of an event: required answers are needed, and kept with each seat', async () => {
  const dev = await person('dev')
  const { id, priceId } = await makeEvent(app, await staff(), { questions }, [{ name: 'Regular', amount: 700 }])
  const missing = await buy(dev, [{ price_id: priceId }])
  assert.deepEqual([missing.status, listErrors(missing)], [422, [['/items/0/answers/diet', 'required']]], missing.text)
  const wrong = await buy(dev, [
    {
      price_id: priceId,
      answers: [...answers, { field_id: 'seat', value: 'roof' }, { field_id: 'shoe', value: '43' }],
    },
  ])
  assert.deepEqual(listErrors(wrong), [
    ['/items/0/answers/2/field_id', 'unknown'],
    ['/items/0/answers/1/value', 'enum'],
  ])
  assert.deepEqual(await answersIn(id), [])
  const bought = await buy(dev, [{ price_id: priceId, quantity: 2, answers }])
  assert.equal(bought.status, 201, bought.text)
  assert.deepEqual(await answersIn(id), [[['diet', 'Walnuts']], [['diet', 'Walnuts']]])
  await dev.write('DELETE', `/account/orders/${bought.json.id}`)
})

test('answers are for tickets only', async () => {
  const { priceId } = await sell(await staff(), 'Nothing is asked')
  const refused = await buy(await person('dev'), [{ price_id: priceId, answers }])
  assert.deepEqual(listErrors(refused), [['/items/0/answers', 'unwanted']])
})

test('who registers answers too, for a free seat, a paid one and on the waiting list, and is not asked again', async () => {
  const ada = await staff()
  const [dev, eli] = [await person('dev'), await person('eli')]
  const settings = { questions, capacity: 1, waitlist: true }
  const event = await makeEvent(app, ada, settings, [
    { name: 'Paid', amount: 700 },
    { name: 'Free', amount: 0 },
  ])
  for (const { price_id } of event.tickets) {
    const refused = await register(dev, price_id, { join_waitlist: true })
    assert.deepEqual([refused.status, listErrors(refused)], [422, [['/answers/diet', 'required']]], refused.text)
  }
  const paid = await registered(dev, event.priceId, { answers })
  const waiting = await registered(eli, event.priceId, {
    join_waitlist: true,
    answers: [{ field_id: 'diet', value: 'Nothing' }],
  })
  assert.deepEqual(await answersIn(event.id), [[['diet', 'Walnuts']], [['diet', 'Nothing']]])
  await dev.write('DELETE', `/account/orders/${paid.order.id}`)
  const taken = await eli.write('PUT', `/account/registrations/${waiting.data[0].id}/acceptance`, {})
  assert.equal(taken.status, 200, taken.text)
  assert.equal(taken.json.data[0].answers[0].value, 'Nothing')
  await eli.write('DELETE', `/account/orders/${taken.json.order.id}`)
})
