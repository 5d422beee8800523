import assert from 'node:assert/strict'
import { testApp } from '#testing/app.ts'
import { eventScopes, makeEvent, register, registered, registrationScopes } from '#testing/events.ts'
import { ledgerTest } from '#testing/ledger.ts'

const app = testApp()
const test = ledgerTest(app)

const staff = () => app.actor('ada', { scopes: eventScopes })
const person = (name: 'dev' | 'eli' | 'femi' | 'carla') => app.actor(name, { scopes: registrationScopes })

test('a code admits once: unknown, of another date, checked in before and undone have clear answers', async () => {
  const ada = await staff()
  const dev = await person('dev')
  const one = await makeEvent(app, ada)
  const other = await makeEvent(app, ada)
  const { data } = await registered(dev, one.priceId)
  const at = (occurrenceId: string, code: string) =>
    ada.write('POST', `/occurrences/${occurrenceId}/check-ins`, { code })
  const { code, id } = data[0]
  assert.deepEqual((await at(one.occurrenceId, '0000-0000-0000')).json.reason, 'unknown')
  assert.deepEqual((await at(other.occurrenceId, code)).json.reason, 'unknown')
  const both = await Promise.all([
    at(one.occurrenceId, code),
    at(one.occurrenceId, `${code.toLowerCase().replaceAll('-', '–')}\u200b`),
  ])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
  assert.ok(both.some(({ json }) => json.code === 'already_checked_in' && json.checked_in_at !== undefined))
  assert.equal((await dev.write('DELETE', `/account/registrations/${id}`)).json.code, 'invalid_state')
  assert.equal((await ada.write('DELETE', `/registrations/${id}/check-in`)).json.status, 'confirmed')
  assert.equal((await at(one.occurrenceId, code)).status, 200)
  assert.equal((await ada.write('PUT', `/registrations/${id}/check-in`)).json.code, 'already_checked_in')
})

test('a stranger and a member who does not host learn nothing of registrations', async () => {
  const ada = await staff()
  const [dev, eli] = [await person('dev'), await app.actor('eli', { scopes: eventScopes.slice(0, 2), as: 'lecturer' })]
  const event = await makeEvent(app, ada)
  const { data } = await registered(dev, event.priceId)
  assert.equal((await eli.get(`/registrations/${data[0].id}`)).status, 404)
  assert.equal((await eli.get(`/events/${event.id}/registrations`)).status, 403)
  assert.equal((await eli.write('PUT', `/registrations/${data[0].id}/check-in`)).status, 404)
  const own = await person('eli')
  assert.equal((await own.get(`/account/registrations/${data[0].id}`)).status, 404)
})

test('a host who is not staff sees names, addresses only with students:read, and refunds nothing', async () => {
  const ada = await staff()
  const carla = await app.actor('carla', { scopes: ['events:read', 'events:write'], as: 'lecturer' })
  // Carla hosts this event of the demo data.
  const { lecturer_ids: hosts } = (await ada.get('/events/slug:open-kitchen')).json
  const questions = [{ id: 'reach', type: 'email', label: 'Where do we reach you?' }]
  const event = await makeEvent(app, ada, { lecturer_ids: hosts, questions })
  const dev = await person('dev')
  const attendees = [{ name: 'Dora', email: 'dora@guest.example' }]
  const answers = [{ field_id: 'reach', value: 'reach@guest.example' }]
  const { data } = await registered(dev, event.priceId, { attendees, answers })
  const listed = (await carla.get(`/events/${event.id}/registrations`)).json.data
  assert.deepEqual(listed[0].attendee, { name: 'Dora', email: null })
  // Neither as CSV, which is for staff, nor by searching for a part of one, nor as an answer.
  const csv = await carla.get(`/events/${event.id}/registrations`, { accept: 'text/csv' })
  assert.deepEqual([csv.status, csv.json.code], [403, 'role_required'])
  assert.deepEqual(listed[0].answers, [])
  const find = async (reader: typeof carla, q: string): Promise<number> =>
    (await reader.get(`/events/${event.id}/registrations?q=${q}`)).json.data.length
  assert.deepEqual([await find(carla, 'dora'), await find(carla, 'guest.ex')], [1, 0])
  assert.equal(await find(ada, 'guest.ex'), 1)
  const reading = await app.actor('carla', { scopes: ['events:read', 'students:read'], as: 'lecturer' })
  const read = (await reading.get(`/registrations/${data[0].id}`)).json
  assert.deepEqual([read.attendee.email, read.answers[0].value], ['dora@guest.example', 'reach@guest.example'])
  const refused = await carla.write('PUT', `/registrations/${data[0].id}/cancellation`, { refund: 'all' })
  assert.deepEqual([refused.status, refused.json.code], [403, 'role_required'])
  assert.equal((await carla.write('PUT', `/registrations/${data[0].id}/cancellation`, {})).json.status, 'cancelled')
})

test('a seat is moved to another date with its code, if one is left there', async () => {
  const ada = await staff()
  const [dev, eli] = [await person('dev'), await person('eli')]
  const event = await makeEvent(app, ada, { capacity: 1 })
  await ada.write('PUT', `/events/${event.id}/recurrence`, { rule: 'FREQ=WEEKLY', count: 2 })
  const dates = (await ada.get(`/events/${event.id}/occurrences`)).json.data
  assert.equal(dates.length, 2)
  const [first, second] = dates.map(({ id }: { id: string }) => id)
  const mine = await registered(dev, event.priceId, { occurrence_id: first })
  const other = await registered(eli, event.priceId, { occurrence_id: second })
  const move = (to: string) => ada.write('PUT', `/registrations/${mine.data[0].id}/occurrence`, { occurrence_id: to })
  assert.equal((await move(second)).json.code, 'sold_out')
  await eli.write('DELETE', `/account/registrations/${other.data[0].id}`)
  const moved = await move(second)
  assert.deepEqual(
    [moved.status, moved.json.occurrence_id, moved.json.code],
    [200, second, mine.data[0].code],
    moved.text,
  )
  assert.equal((await ada.get(`/occurrences/${first}`)).json.seats_taken, 0)
  const { code } = moved.json
  const wrong = await ada.write('POST', `/occurrences/${first}/check-ins`, { code })
  assert.deepEqual([wrong.status, wrong.json.reason], [409, 'other_date'], wrong.text)
  assert.equal((await register(eli, event.priceId, { occurrence_id: second })).json.code, 'sold_out')
})
