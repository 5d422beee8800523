import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { rollUp } from '#testing/analytics.ts'
import { testApp } from '#testing/app.ts'
import { eventScopes, makeEvent, registered, registrationScopes } from '#testing/events.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { until } from '#testing/until.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
const test = ledgerTest(app)
after(() => mailbox.stop())

const staff = () => app.actor('ada', { scopes: [...eventScopes, 'analytics:read'] })

const attendance = async (ada: Actor, eventId: string): Promise<number[] | undefined> => {
  await rollUp(app)
  const { json, text } = await ada.get('/analytics/reports/event_attendance?limit=100')
  assert.ok(json.data, text)
  const row = json.data.find(({ keys }: { keys: { part: string }[] }) => keys[0]?.part === eventId)
  return row?.values.map(({ value }: { value: number }) => value)
}

test('attendance counts registrations, check-ins, no-shows and cancellations, also when they change after the end', async () => {
  const ada = await staff()
  const event = await makeEvent(app, ada)
  const own: string[] = []
  for (const name of ['dev', 'eli', 'femi'] as const) {
    const person = await app.actor(name, { scopes: registrationScopes })
    own.push((await registered(person, event.priceId)).data[0].id)
    if (name === 'femi') assert.equal((await person.write('DELETE', `/account/registrations/${own[2]}`)).status, 200)
  }
  assert.equal((await ada.write('PUT', `/registrations/${own[0]}/check-in`)).status, 200)
  assert.deepEqual(await attendance(ada, event.id), [3, 1, 0, 1])
  await app.moveClock(9 * 24 * 3600)
  const later = await staff()
  // The worker records that the date is over.
  await until(async () => (await attendance(later, event.id))?.[2] === 1, 'the no-show is counted')
  assert.deepEqual(await attendance(later, event.id), [3, 1, 1, 1])
  assert.equal((await later.write('PUT', `/registrations/${own[1]}/check-in`)).status, 200)
  assert.deepEqual(await attendance(later, event.id), [3, 2, 0, 1], 'noted after the end')
  const missed = await later.get(`/analytics/series?metric=no_shows&interval=week&item_id=${event.id}`)
  assert.equal(missed.json.series[0].total, 0)
})
