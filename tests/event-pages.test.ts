import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'

const app = testApp()
const SCOPES = ['events:read', 'events:write']
const visit = (path: string, headers = {}) => app.send({ path, headers: { accept: 'text/html', ...headers } })

const make = async (body: object, rule?: object) => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const starts_at = { local: '2090-03-14T19:00', time_zone: 'Europe/Lisbon' }
  const made = await ada.write('POST', '/events', { name: 'Supper', duration_minutes: 90, starts_at, ...body })
  assert.equal(made.status, 201, made.text)
  if (rule !== undefined) assert.equal((await ada.write('PUT', `/events/${made.json.id}/recurrence`, rule)).status, 200)
  await ada.write('PUT', `/events/${made.json.id}/publication`)
  return { ada, event: made.json }
}

test('the page of an event shows all dates at the local time, over the change of the clocks', async () => {
  const { ada, event } = await make({ name: 'Weekly supper' }, { rule: 'FREQ=WEEKLY;BYDAY=TU', count: 4 })
  const { text, status } = await visit(`/events/${event.slug}`, { 'accept-language': 'en' })
  assert.equal(status, 200)
  const dates = (await ada.get(`/events/${event.id}/occurrences`)).json.data
  assert.equal(dates.length, 4)
  for (const date of dates) assert.ok(text.includes(`<time datetime="${date.starts_at.utc}">`))
  assert.equal(text.match(/<time [^>]*>[^<]*19:00[^<]*</g)?.length, text.match(/<time /g)?.length)
  const portuguese = await visit(`/events/${event.slug}`, { 'accept-language': 'pt' })
  assert.match(portuguese.text, /Inscrever-se/)
})

test('the list of events, search and the sitemap have public events, and an earlier slug leads to the page', async () => {
  const { ada, event } = await make({ name: 'Kumquat supper', meeting_url: 'https://meet.example/kumquatmarker' })
  await make({ name: 'Kumquat members', visibility: 'members' })
  const pages = await Promise.all(['/events', '/search?q=kumquat', '/sitemaps/events-1.xml'].map(path => visit(path)))
  for (const { text } of pages) {
    assert.match(text, new RegExp(`/events/${event.slug}`))
    assert.doesNotMatch(text, /kumquat-members|kumquatmarker/)
  }
  assert.equal((await visit('/events/kumquat-members')).status, 404)
  await ada.write('PATCH', `/events/${event.id}`, { slug: 'kumquat-dinner' })
  const moved = await visit(`/events/${event.slug}`)
  assert.deepEqual([moved.status, moved.headers.location], [301, '/events/kumquat-dinner'])
  assert.doesNotMatch((await visit('/events/kumquat-dinner')).text, /kumquatmarker/)
})

test('a cancelled event says so, offers no registration and is not for search engines', async () => {
  const { ada, event } = await make({ name: 'Cancelled supper' })
  await ada.write('PUT', `/events/${event.id}/cancellation`, { reason: 'No flour at all', refund: 'none' })
  const { text, status } = await visit(`/events/${event.slug}`, { 'accept-language': 'en' })
  assert.equal(status, 200)
  assert.match(text, /does not take place/)
  assert.match(text, /No flour at all/)
  assert.doesNotMatch(text, /\/account\/events\/|rel="canonical"/)
})

test('a date can be added to a calendar, and comments are below an event', async () => {
  const { ada, event } = await make({ name: 'Comment supper' })
  const [date] = (await ada.get(`/events/${event.id}/occurrences`)).json.data
  const { text } = await visit(`/events/${event.slug}`, { 'accept-language': 'en' })
  assert.match(text, new RegExp(`/calendar/${date.id}\\.ics`))
  const file = await app.send({ path: `/calendar/${date.id}.ics` })
  assert.equal(file.status, 200)
  assert.equal(file.text.match(/BEGIN:VEVENT/g)?.length, 1)
  assert.match(text, new RegExp(`/account/comments/new\\?subject=(event(?::|%3A))?${event.id}`))
})
