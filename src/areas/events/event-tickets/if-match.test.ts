import assert from 'node:assert/strict'
import { testApp } from '#testing/app.ts'
import { eventScopes, makeEvent } from '#testing/events.ts'
import { ledgerTest } from '#testing/ledger.ts'

const app = testApp()
const test = ledgerTest(app)

test('a ticket and the dates of an event are not changed by somebody who saw an earlier revision', async () => {
  const ada = await app.actor('ada', { scopes: eventScopes })
  const event = await makeEvent(app, ada)
  const earlier = { 'if-match': '"999999999-AAAAAAAAAAAAAAAA"' }
  const ticket = `/ticket-types/${event.tickets[0]?.id}`
  const replies = [
    await ada.write('PATCH', ticket, { description: 'Changed' }, earlier),
    await ada.write('DELETE', ticket, undefined, earlier),
    await ada.write('PUT', `/events/${event.id}/recurrence`, { rule: 'FREQ=WEEKLY', count: 2 }, earlier),
  ]
  for (const { status, text, headers } of replies) {
    assert.equal(status, 412, text)
    assert.match(String(headers.etag), /^"\d+-[\w-]{16}"$/)
  }
})
