import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import { eventScopes, makeEvent, registered, registrationScopes } from '#testing/events.ts'
import { ledgerTest } from '#testing/ledger.ts'

const app = testApp()
const test = ledgerTest(app)

const staff = () => app.actor('ada', { scopes: [...eventScopes, 'members:read', 'members:write'] })
type Staff = Awaited<ReturnType<typeof staff>>

const newMember = async (ada: Staff, name: string): Promise<string> => {
  const body = { email: `${randomUUID()}@crumb.example`, name, send_invitation: false }
  const reply = await ada.write('POST', '/members', body)
  assert.equal(reply.status, 201, reply.text)
  return reply.json.id
}

const add = async (ada: Staff, occurrenceId: string, member_id: string): Promise<string> => {
  const added = await ada.write('POST', `/occurrences/${occurrenceId}/registrations`, { member_id })
  assert.equal(added.status, 201, added.text)
  return added.json.id
}

const confirm = async (ada: Staff, path: string, body?: object): Promise<void> => {
  const reply = await ada.write('POST', path, body)
  assert.equal(reply.status, 202, reply.text)
  await approveAs(app, 'ada', reply.json.confirmation.url)
}

test('the erasure of a member frees the seat for who waits, leaves no name, and keeps the counts right', async () => {
  const ada = await staff()
  const dev = await app.actor('dev', { scopes: registrationScopes })
  const { id: eventId, priceId, occurrenceId } = await makeEvent(app, ada, { capacity: 2, waitlist: true })
  const gone = await newMember(ada, 'Marker Gone')
  const came = await newMember(ada, 'Marker Came')
  const seat = await add(ada, occurrenceId, gone)
  const used = await add(ada, occurrenceId, came)
  assert.equal((await ada.write('PUT', `/registrations/${used}/check-in`)).status, 200)
  const waiting = await registered(dev, priceId, { join_waitlist: true })
  for (const id of [gone, came]) await confirm(ada, `/members/${id}/erasure`)
  const rows = (await ada.get(`/events/${eventId}/registrations`)).json.data
  const shown = (id: string) => rows.find((one: { id: string }) => one.id === id)
  assert.deepEqual(
    [shown(seat).status, shown(seat).attendee, shown(seat).member_id],
    ['cancelled', { name: '', email: null }, null],
  )
  // Who was there has been there.
  assert.deepEqual([shown(used).status, shown(used).attendee.name], ['checked_in', ''])
  assert.equal(shown(waiting.data[0].id).status, 'offered')
  const { seats_taken: taken, seats_left: left, waiting: waits } = (await ada.get(`/occurrences/${occurrenceId}`)).json
  assert.deepEqual([taken, left, waits], [2, 0, 0])
  const [kept] = await app.database.query<{ rows: number }>(
    `select count(*)::integer as rows from registrations r where lower(r::text) like '%marker%'`,
  )
  assert.equal(kept?.rows, 0)
})

test('a merge gives the seats of one account to the other', async () => {
  const ada = await staff()
  const { occurrenceId } = await makeEvent(app, ada, { capacity: 2 })
  const [from, into] = [await newMember(ada, 'Merged From'), await newMember(ada, 'Merged Into')]
  const seats = [await add(ada, occurrenceId, from), await add(ada, occurrenceId, into)]
  await confirm(ada, `/members/${into}/merges`, { member_id: from })
  for (const id of seats) assert.equal((await ada.get(`/registrations/${id}`)).json.member_id, into)
  assert.equal((await ada.get(`/occurrences/${occurrenceId}`)).json.seats_taken, 2)
})

test('the erasure of a member leaves dates that are over as they were, without the person', async () => {
  const ada = await staff()
  const { id: eventId, occurrenceId } = await makeEvent(app, ada, { capacity: 3 })
  const [absent, present] = [await newMember(ada, 'Marker Absent'), await newMember(ada, 'Marker Present')]
  const seats = [await add(ada, occurrenceId, absent), await add(ada, occurrenceId, present)]
  assert.equal((await ada.write('PUT', `/registrations/${seats[1]}/check-in`)).status, 200)
  await app.moveClock(8 * 24 * 3600)
  const later = await staff()
  const look = async () => {
    const rows: Record<string, unknown>[] = (await later.get(`/events/${eventId}/registrations`)).json.data
    const { seats_taken: taken, waiting } = (await later.get(`/occurrences/${occurrenceId}`)).json
    return { taken, waiting, states: rows.map(({ status, no_show }) => [status, no_show]) }
  }
  const before = await look()
  assert.deepEqual(before, {
    taken: 2,
    waiting: 0,
    states: [
      ['confirmed', true],
      ['checked_in', false],
    ],
  })
  for (const id of [absent, present]) await confirm(later, `/members/${id}/erasure`)
  assert.deepEqual(await look(), before)
  for (const id of seats) {
    const { attendee, member_id: member } = (await later.get(`/registrations/${id}`)).json
    assert.deepEqual([attendee, member], [{ name: '', email: null }, null])
  }
})
