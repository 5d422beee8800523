// One thing: events and their dates through the API, without registrations.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'

const app = testApp()
const SCOPES = ['events:read', 'events:write']
const LISBON = 'Europe/Lisbon'

const staff = (): Promise<Actor> => app.actor('ada', { scopes: SCOPES })
const host = (): Promise<Actor> => app.actor('carla', { scopes: SCOPES })
const anonymous = (path: string) => app.send({ path: `/api/v1${path}` })

type Made = { readonly id: string; readonly slug: string; readonly revision: number }

const at = (local: string, time_zone = LISBON) => ({ local, time_zone })

const make = async (writer: Actor, body: object): Promise<Made> => {
  const { status, json, text } = await writer.write('POST', '/events', {
    name: 'Supper',
    starts_at: at('2090-01-10T19:00'),
    duration_minutes: 60,
    ...body,
  })
  assert.equal(status, 201, text)
  return json
}

const publish = async (ada: Actor, { id }: Made): Promise<void> => {
  const { status, text } = await ada.write('PUT', `/events/${id}/publication`)
  assert.equal(status, 200, text)
}

type Shown = { readonly id: string; readonly starts_at: { readonly local: string; readonly utc: string } }

const readDates = async (reader: Actor, { id }: Made): Promise<Shown[]> =>
  (await reader.get(`/events/${id}/occurrences?limit=100`)).json.data

test('a draft is for its hosts and staff: 404 for others, and its host may not publish it', async () => {
  const carla = await host()
  const draft = await make(carla, { name: 'Hidden supper' })
  for (const path of [`/events/${draft.id}`, `/events/slug:${draft.slug}`, `/events/${draft.id}/occurrences`]) {
    assert.equal((await anonymous(path)).status, 404, path)
    assert.equal((await (await app.actor('dev', { scopes: ['events:read'] })).get(path)).status, 404, path)
    assert.equal((await carla.get(path)).status, 200, path)
  }
  assert.equal((await carla.write('PUT', `/events/${draft.id}/publication`)).status, 403)
  const ada = await staff()
  await publish(ada, draft)
  assert.equal((await anonymous(`/events/${draft.id}`)).status, 200)
  assert.equal((await carla.write('PATCH', `/events/${draft.id}`, { name: 'Mine' })).status, 403)
  assert.equal((await ada.get(`/events/${draft.id}`)).json.name, 'Hidden supper')
})

test('a student creates no events, and a host does not choose hosts', async () => {
  const dev = await app.actor('dev', { scopes: ['events:read'] })
  assert.equal((await dev.write('POST', '/events', {})).status, 403)
  const carla = await host()
  const draft = await make(carla, {})
  const refused = await carla.write('PATCH', `/events/${draft.id}`, { lecturer_ids: [] })
  assert.equal(refused.status, 403)
  assert.equal((await carla.get(`/events/${draft.id}`)).json.lecturer_ids.length, 1)
})

test('an earlier slug leads to the event, and a slug is taken once', async () => {
  const ada = await staff()
  const made = await make(ada, { name: 'Slug supper' })
  const again = await make(ada, { name: 'Slug supper' })
  assert.equal(again.slug, `${made.slug}-2`)
  assert.equal((await ada.write('PATCH', `/events/${again.id}`, { slug: made.slug })).json.code, 'slug_taken')
  assert.equal((await ada.write('PATCH', `/events/${made.id}`, { slug: 'slug-dinner' })).status, 200)
  assert.equal((await ada.get(`/events/slug:${made.slug}`)).json.slug, 'slug-dinner')
})

test('a date is moved without a confirmation while nobody is registered, and an event without a rule follows it', async () => {
  const ada = await staff()
  const made = await make(ada, { starts_at: at('2092-04-01T10:00') })
  const [date] = await readDates(ada, made)
  const moved = await ada.write('PUT', `/occurrences/${date?.id}/schedule`, {
    starts_at: at('2092-04-02T11:00', 'America/Sao_Paulo'),
    duration_minutes: 30,
  })
  assert.equal(moved.status, 200, moved.text)
  assert.equal(moved.json.sequence, 1)
  assert.equal(moved.json.starts_at.utc, '2092-04-02T14:00:00.000Z')
  assert.equal(moved.json.ends_at.local, '2092-04-02T11:30')
  const same = await ada.write('PUT', `/occurrences/${date?.id}/schedule`, {
    starts_at: at('2092-04-02T11:00', 'America/Sao_Paulo'),
  })
  assert.equal(same.json.sequence, 1)
  const { json } = await ada.get(`/events/${made.id}`)
  assert.equal(json.starts_at.local, '2092-04-02T11:00')
  const past = await ada.write('PUT', `/occurrences/${date?.id}/schedule`, { starts_at: at('2001-04-02T11:00') })
  assert.equal(past.status, 422)
})

test('the address of a meeting is for hosts and staff alone while nobody is registered', async () => {
  const ada = await staff()
  const carla = await host()
  const url = 'https://meet.example/markersupper'
  const made = await make(carla, { name: 'Online supper', kind: 'online', meeting_url: url })
  await publish(ada, made)
  const [date] = await readDates(ada, made)
  const recording = 'https://videos.example/markersupper'
  assert.equal((await carla.write('PUT', `/occurrences/${date?.id}/recording`, { url: recording })).status, 200)
  const dev = await app.actor('dev', { scopes: ['events:read'] })
  for (const path of [
    '/events?limit=100',
    `/events/${made.id}`,
    `/events/${made.id}/occurrences`,
    `/occurrences/${date?.id}`,
    '/events?q=markersupper',
  ]) {
    for (const one of [await anonymous(path), await dev.get(path)]) {
      assert.equal(one.status, 200, path)
      assert.doesNotMatch(one.text, /markersupper/, path)
    }
  }
  assert.doesNotMatch((await ada.get('/events?limit=100')).text, /meet\.example\/markersupper/)
  for (const one of [ada, carla]) {
    assert.equal((await one.get(`/events/${made.id}`)).json.meeting_url, url)
    const { json } = await one.get(`/occurrences/${date?.id}`)
    assert.deepEqual([json.meeting_url, json.recording_url], [url, recording])
  }
  const facts = await app.database.query(`select payload::text from facts where payload::text like '%markersupper%'`)
  assert.deepEqual(facts, [])
})

test('a private event is found by those in its groups alone, and one for members by members', async () => {
  const ada = await app.actor('ada', {
    scopes: [...SCOPES, 'students:read', 'students:write', 'members:read', 'members:write'],
  })
  const dev = await app.actor('dev', { scopes: ['events:read'] })
  const group = await ada.write('POST', '/groups', { name: 'Supper club' })
  assert.equal(group.status, 201, group.text)
  const unknown = await ada.write('POST', '/events', {
    name: 'No such group',
    starts_at: at('2090-01-10T19:00'),
    duration_minutes: 60,
    visibility: 'private',
    group_ids: [group.json.id.replace(/.$/, (c: string) => (c === '0' ? '1' : '0'))],
  })
  assert.equal(unknown.status, 422)
  const made = await make(ada, { name: 'Private supper', visibility: 'private', group_ids: [group.json.id] })
  const open = await make(ada, { name: 'Supper of members', visibility: 'members' })
  await publish(ada, made)
  await publish(ada, open)
  assert.equal((await dev.get(`/events/${made.id}`)).status, 404)
  assert.equal((await anonymous(`/events/${open.id}`)).status, 404)
  assert.equal((await dev.get(`/events/${open.id}`)).status, 200)
  const { json } = await ada.get('/members?q=dev')
  const joined = await ada.write('PUT', `/groups/${group.json.id}/members/${json.data[0].id}`)
  assert.ok(joined.status < 300, joined.text)
  const seen = await dev.get(`/events/${made.id}`)
  assert.equal(seen.status, 200)
  assert.equal(seen.json.group_ids, undefined)
})

test('events are found by what they are about, when they are and who hosts them', async () => {
  const ada = await staff()
  const made = await make(ada, { name: 'Quinoa evening', kind: 'online', starts_at: at('2095-05-05T19:00') })
  await publish(ada, made)
  const ids = async (query: string): Promise<string[]> =>
    (await anonymous(`/events?${query}`)).json.data.map(({ id }: Made) => id)
  assert.deepEqual(await ids('q=quinoa'), [made.id])
  assert.deepEqual(await ids('q=quinoa&kind=in_person'), [])
  const period = 'starts_at[gte]=2095-05-05T00:00:00.000Z&starts_at[lt]=2095-05-06T00:00:00.000Z'
  assert.deepEqual(await ids(period), [made.id])
  assert.deepEqual(await ids('starts_at[gte]=2095-05-06T00:00:00.000Z&starts_at[lt]=2095-05-07T00:00:00.000Z'), [])
  const weekly = await anonymous('/events/slug:open-kitchen')
  assert.ok((await ids(`lecturer_id=${weekly.json.lecturer_ids[0]}`)).includes(weekly.json.id))
  assert.ok((await ids(`course_id=${weekly.json.course_id}`)).includes(weekly.json.id))
})

test('an event is copied as a draft at another time, and one that nobody registered for is deleted', async () => {
  const ada = await staff()
  const made = await make(ada, { name: 'Copied supper', capacity: 8, description: 'All of it.' })
  const copy = await ada.write('POST', `/events/${made.id}/copies`, { starts_at: at('2093-05-05T19:00') })
  assert.equal(copy.status, 201, copy.text)
  assert.deepEqual(
    [copy.json.status, copy.json.capacity, copy.json.starts_at.local, copy.json.occurrence_count],
    ['draft', 8, '2093-05-05T19:00', 1],
  )
  assert.equal((await ada.write('DELETE', `/events/${made.id}`)).status, 204)
  assert.equal((await ada.get(`/events/${made.id}`)).status, 404)
})

test('a new capacity holds for all dates that are to come', async () => {
  const ada = await staff()
  const made = await make(ada, { capacity: 5 })
  await ada.write('PUT', `/events/${made.id}/recurrence`, { rule: 'FREQ=DAILY', count: 3 })
  assert.equal((await ada.write('PATCH', `/events/${made.id}`, { capacity: 9 })).status, 200)
  const { json } = await ada.get(`/events/${made.id}/occurrences`)
  assert.deepEqual(
    json.data.map(({ seats_left }: { seats_left: number }) => seats_left),
    [9, 9, 9],
  )
})
