import assert from 'node:assert/strict'
import { test } from 'node:test'
import ICAL from 'ical.js'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'

const app = testApp()
const SCOPES = ['events:read', 'events:write']

const visit = (path: string, headers = {}) => app.send({ path, headers })

const make = async (ada: Actor, body: object, rule?: object) => {
  const made = await ada.write('POST', '/events', { name: 'Supper', duration_minutes: 90, ...body })
  assert.equal(made.status, 201, made.text)
  if (rule !== undefined) {
    const set = await ada.write('PUT', `/events/${made.json.id}/recurrence`, rule)
    assert.equal(set.status, 200, set.text)
  }
  const published = await ada.write('PUT', `/events/${made.json.id}/publication`)
  assert.equal(published.status, 200, published.text)
  return made.json
}

type Date_ = {
  readonly id: string
  readonly starts_at: { readonly utc: string; readonly local: string }
  readonly ends_at: { readonly utc: string }
}

const registerFor = (actor: Actor, price_id: string, occurrence_id: string) =>
  actor.write('POST', '/account/registrations', { price_id, occurrence_id }, { 'idempotency-key': occurrence_id })

const readDates = async (ada: Actor, { id }: { readonly id: string }): Promise<Date_[]> =>
  (await ada.get(`/events/${id}/occurrences?limit=100`)).json.data

/** The dates of a calendar by their UID, as another implementation reads them. */
const read = (calendar: string): ReadonlyMap<string, ICAL.Event> => {
  const root = new ICAL.Component(ICAL.parse(calendar))
  ICAL.TimezoneService.reset()
  for (const zone of root.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone)
  return new Map(
    root
      .getAllSubcomponents('vevent')
      .map(one => new ICAL.Event(one))
      .map(one => [one.uid, one]),
  )
}

const formatUid = ({ id }: { readonly id: string }): string => `${id}@${new URL(app.a.baseUrl).hostname}`

test('weekly at 19:00 over March and October, in Lisbon and São Paulo: the feed of the school agrees with the API', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  for (const zone of ['Europe/Lisbon', 'America/Sao_Paulo']) {
    const event = await make(
      ada,
      { starts_at: { local: '2091-02-06T19:00', time_zone: zone } },
      { rule: 'FREQ=WEEKLY;BYDAY=TU', until: '2091-11-30' },
    )
    const dates = await readDates(ada, event)
    assert.ok(dates.length > 40)
    const reply = await visit('/calendar.ics')
    assert.equal(reply.headers['content-type'], 'text/calendar; charset=utf-8')
    const feed = read(reply.text)
    for (const date of dates) {
      const shown = feed.get(formatUid(date))
      assert.equal(shown?.startDate.toJSDate().toISOString(), date.starts_at.utc)
      assert.equal(shown?.endDate.toJSDate().toISOString(), date.ends_at.utc)
      assert.equal(shown?.startDate.hour, 19)
    }
  }
})

const agree = (feed: ReadonlyMap<string, ICAL.Event>, dates: readonly Date_[]): void => {
  for (const date of dates) {
    const shown = feed.get(formatUid(date))
    assert.equal(shown?.startDate.toJSDate().toISOString(), date.starts_at.utc)
    assert.equal(shown?.endDate.toJSDate().toISOString(), date.ends_at.utc)
  }
}

test('at 01:30 over both changes of the clocks in Lisbon no date vanishes, and API, public and member feed agree', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const dev = await app.actor('dev', { scopes: ['account:read', 'account:write'] })
  // The clocks go forward on 28 March and back on 31 October 2027.
  for (const [first, count, skipped] of [
    ['2027-03-25', 7, '2027-03-28T02:30'],
    ['2027-10-28', 7, undefined],
  ] as const) {
    const event = await make(
      ada,
      {
        name: 'Night shift',
        kind: 'online',
        meeting_url: 'https://meet.example/night',
        starts_at: { local: `${first}T01:30`, time_zone: 'Europe/Lisbon' },
      },
      { rule: 'FREQ=DAILY', count },
    )
    const dates = await readDates(ada, event)
    assert.equal(dates.length, count)
    const days = new Set(dates.map(({ starts_at }) => starts_at.local.slice(0, 10)))
    assert.equal(days.size, count)
    const moved = dates.filter(({ starts_at }) => !starts_at.local.endsWith('T01:30'))
    assert.deepEqual(
      moved.map(({ starts_at }) => starts_at.local),
      skipped === undefined ? [] : [skipped],
    )
    const ticket = await ada.write('POST', `/events/${event.id}/ticket-types`, { name: 'Free', amount: 0 })
    for (const { id } of dates) assert.equal((await registerFor(dev, ticket.json.price_id, id)).status, 200)
    agree(read((await visit('/calendar.ics')).text), dates)
    const { pathname } = new URL((await dev.get('/account/calendar')).json.url)
    const { text } = await visit(pathname)
    agree(read(text), dates)
    assert.match(text.replaceAll('\r\n ', ''), /meet\.example\/night/)
  }
})

test('who cancels has the date as cancelled in their feed, without the address of the meeting', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const dev = await app.actor('dev', { scopes: ['account:read', 'account:write', 'events:read'] })
  const event = await make(ada, {
    name: 'Left behind',
    kind: 'online',
    meeting_url: 'https://meet.example/left',
    starts_at: { local: '2095-02-06T19:00', time_zone: 'Europe/Lisbon' },
  })
  const [date] = await readDates(ada, event)
  assert.ok(date)
  const ticket = await ada.write('POST', `/events/${event.id}/ticket-types`, { name: 'Free', amount: 0 })
  const { json } = await registerFor(dev, ticket.json.price_id, date.id)
  const { pathname } = new URL((await dev.get('/account/calendar')).json.url)
  const meeting = /meet\.example\/left/
  const feed = async (): Promise<string> => (await visit(pathname)).text.replaceAll('\r\n ', '')
  assert.match(await feed(), meeting)
  assert.match((await dev.get(`/occurrences/${date.id}`)).text, meeting)
  for (const path of [`/events/${event.id}`, '/events?limit=100', `/events/${event.id}/occurrences`])
    assert.doesNotMatch((await dev.get(path)).text, meeting, path)
  assert.doesNotMatch((await app.send({ path: '/api/v1/search?q=left' })).text, meeting)
  const facts = await app.database.query<{ text: string }>(`select payload::text as text from facts
    union all select row_to_json(a)::text from audit_log a`)
  assert.ok(facts.length > 0 && facts.every(({ text }) => !meeting.test(text)))
  assert.ok(app.log.every(line => !meeting.test(line)))
  assert.equal((await dev.write('DELETE', `/account/registrations/${json.data[0].id}`)).status, 200)
  assert.doesNotMatch(await feed(), meeting)
  const shown = read((await visit(pathname)).text).get(formatUid(date))
  assert.equal(shown?.component.getFirstPropertyValue('status'), 'CANCELLED')
  assert.doesNotMatch((await dev.get(`/occurrences/${date.id}`)).text, meeting)
})

test('a date that is moved twice and cancelled keeps its UID and has SEQUENCE 3 in the feed', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const event = await make(ada, { starts_at: { local: '2092-02-06T19:00', time_zone: 'Europe/Lisbon' } })
  const [date] = await readDates(ada, event)
  assert.ok(date)
  for (const local of ['2092-02-07T19:00', '2092-02-08T20:00'])
    await ada.write('PUT', `/occurrences/${date.id}/schedule`, { starts_at: { local, time_zone: 'Europe/Lisbon' } })
  assert.equal(read((await visit('/calendar.ics')).text).get(formatUid(date))?.sequence, 2)
  await ada.write('PUT', `/occurrences/${date.id}/cancellation`, { reason: 'Ill', refund: 'none' })
  const shown = read((await visit('/calendar.ics')).text).get(formatUid(date))
  assert.deepEqual([shown?.sequence, shown?.component.getFirstPropertyValue('status')], [3, 'CANCELLED'])
})

test('the feed of the school has public events alone, without the addresses of meetings', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const starts_at = { local: '2093-02-06T19:00', time_zone: 'Europe/Lisbon' }
  await make(ada, { name: 'Markermembers', visibility: 'members', starts_at })
  const open = await make(ada, {
    name: 'Online',
    kind: 'online',
    meeting_url: 'https://meet.example/markerurl',
    starts_at,
  })
  const draft = await ada.write('POST', '/events', { name: 'Markerdraft', duration_minutes: 10, starts_at })
  assert.equal(draft.status, 201)
  const { text, headers } = await visit('/calendar.ics')
  assert.doesNotMatch(text, /Markermembers|Markerdraft|markerurl/)
  const [date] = await readDates(ada, open)
  assert.ok(date && read(text).has(formatUid(date)))
  const again = await visit('/calendar.ics', { 'if-none-match': headers.etag ?? '' })
  assert.equal(again.status, 304)
})

test('the feed of a host has meetings and no-store, and the address is void once revoked', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const carla = await app.actor('carla', { scopes: [...SCOPES, 'account:read', 'account:write'] })
  const hosted = await carla.write('POST', '/events', {
    name: 'Hosted online',
    duration_minutes: 60,
    starts_at: { local: '2094-02-06T19:00', time_zone: 'Europe/Lisbon' },
    meeting_url: 'https://meet.example/hostedurl',
    visibility: 'members',
  })
  await ada.write('PUT', `/events/${hosted.json.id}/publication`)
  const readPath = async (): Promise<string> => new URL((await carla.get('/account/calendar')).json.url).pathname
  const path = await readPath()
  assert.equal(await readPath(), path)
  const feed = await visit(path)
  assert.equal(feed.status, 200)
  assert.match(feed.headers['cache-control'] ?? '', /no-store/)
  assert.match(feed.text.replaceAll('\r\n ', ''), /hostedurl/)
  assert.equal((await carla.write('DELETE', '/account/calendar')).status, 204)
  assert.equal((await visit(path)).status, 404)
  const next = await readPath()
  assert.notEqual(next, path)
  assert.equal((await visit(next)).status, 200)
})

test('addresses that we did not give out are 404 with the same words', async () => {
  const carla = await app.actor('carla', { scopes: ['account:read'] })
  const { pathname } = new URL((await carla.get('/account/calendar')).json.url)
  const changed = pathname.replace(/(.)\.ics$/, (_, last: string) => `${last === 'A' ? 'B' : 'A'}.ics`)
  const answers = await Promise.all(
    [changed, '/calendar/x.ics', `/calendar/${'A'.repeat(44)}.ics`, pathname.replace('.ics', '')].map(one =>
      visit(one),
    ),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    [404, 404, 404, 404],
  )
  assert.equal((await app.send({ path: pathname }, app.b)).status, 404)
})
