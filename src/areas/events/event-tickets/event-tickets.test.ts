import assert from 'node:assert/strict'
import { testApp } from '#testing/app.ts'
import { eventScopes, makeEvent, register, registered, registrationScopes } from '#testing/events.ts'
import { ledgerTest } from '#testing/ledger.ts'

const app = testApp()
const test = ledgerTest(app)

const staff = () => app.actor('ada', { scopes: [...eventScopes, 'members:write', 'members:read'] })
const person = (name: 'dev' | 'eli') => app.actor(name, { scopes: registrationScopes })

test('another amount is another price, and the price of before is not sold any more', async () => {
  const ada = await staff()
  const event = await makeEvent(app, ada, {}, [{ name: 'Regular', amount: 1000 }])
  const changed = await ada.write('PATCH', `/ticket-types/${event.tickets[0]?.id}`, { amount: 1200 })
  assert.deepEqual([changed.status, changed.json.amount], [200, 1200], changed.text)
  assert.notEqual(changed.json.price_id, event.priceId)
  const dev = await person('dev')
  assert.equal((await register(dev, event.priceId)).json.errors[0].code, 'unknown')
  const held = await registered(dev, changed.json.price_id)
  assert.equal(held.order.total, 1200)
  await dev.write('DELETE', `/account/orders/${held.order.id}`)
})

test('a ticket that somebody has or had is not deleted, another one is', async () => {
  const ada = await staff()
  const tickets = [
    { name: 'Used', amount: 0 },
    { name: 'Spare', amount: 0 },
  ]
  const event = await makeEvent(app, ada, {}, tickets)
  const dev = await person('dev')
  const { data } = await registered(dev, event.priceId)
  await dev.write('DELETE', `/account/registrations/${data[0].id}`)
  const [used, spare] = event.tickets
  assert.equal((await ada.write('DELETE', `/ticket-types/${used?.id}`)).json.code, 'ticket_type_in_use')
  assert.equal((await ada.write('DELETE', `/ticket-types/${spare?.id}`)).status, 204)
  const left = (await dev.get(`/events/${event.id}/ticket-types`)).json.data
  assert.deepEqual(
    left.map(({ name }: { name: string }) => name),
    ['Used'],
  )
})

test('tickets for a group are for its members, and those outside their sale for nobody', async () => {
  const ada = await staff()
  const group = (await ada.write('POST', '/groups', { name: 'Ticket friends' })).json.id
  const event = await makeEvent(app, ada, {}, [
    { name: 'Friends', amount: 0, audience: 'groups', group_ids: [group] },
    { name: 'Over', amount: 0, sales: { from: null, until: '2020-01-01T00:00:00.000Z' } },
    { name: 'Later', amount: 0, sales: { from: '2090-01-01T00:00:00.000Z', until: null } },
  ])
  const eli = await person('eli')
  const [friends, over, later] = event.tickets.map(ticket => ticket.price_id)
  assert.equal((await register(eli, friends ?? '')).json.code, 'ticket_not_for_you')
  assert.equal((await register(eli, over ?? '')).json.code, 'registration_closed')
  assert.equal((await register(eli, later ?? '')).json.code, 'ticket_not_for_you')
  const refused = await ada.write('PATCH', `/ticket-types/${event.tickets[0]?.id}`, { group_ids: [] })
  assert.equal(refused.status, 422, refused.text)
})

test('what cannot be a ticket is refused, and lecturers who host an event do not sell it', async () => {
  const ada = await staff()
  const event = await makeEvent(app, ada)
  const make = (body: object) => ada.write('POST', `/events/${event.id}/ticket-types`, body)
  const wrong = [
    { name: 'Few', amount: 100, min_per_order: 5, max_per_order: 2 },
    { name: 'Least', amount: 100, least_amount: 200 },
    { name: 'Nobody', amount: 100, audience: 'groups' },
    { name: 'Nothing', amount: -1 },
    { name: 'Unknown', amount: 1, audience: 'plans', plan_ids: ['mpl_00000000000000000000000000'] },
  ]
  for (const body of wrong) assert.equal((await make(body)).status, 422, JSON.stringify(body))
  const carla = await app.actor('carla', { scopes: eventScopes.slice(0, 2), as: 'lecturer' })
  const mine = await carla.write('POST', `/events/${event.id}/ticket-types`, { name: 'Mine', amount: 1 })
  assert.equal(mine.status, 403)
})
