import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'

const app = testApp()
const SCOPES = ['events:read', 'events:write']
const LISBON = 'Europe/Lisbon'

const staff = (): Promise<Actor> => app.actor('ada', { scopes: SCOPES })
const _host = (): Promise<Actor> => app.actor('carla', { scopes: SCOPES })
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

test('weekly at 19:00 in Lisbon: the local time stays the same when clocks change in March and October', async () => {
  const ada = await staff()
  const made = await make(ada, { name: 'Weekly', starts_at: at('2091-03-13T19:00') })
  const set = await ada.write('PUT', `/events/${made.id}/recurrence`, {
    rule: 'FREQ=WEEKLY;BYDAY=TU',
    until: '2091-11-30',
  })
  assert.equal(set.status, 200, set.text)
  assert.equal(set.json.added.length, 37)
  assert.deepEqual(set.json.moved, [])
  const dates = await readDates(ada, made)
  assert.ok(dates.every(({ starts_at }) => starts_at.local.endsWith('T19:00')))
  assert.deepEqual([...new Set(dates.map(({ starts_at }) => starts_at.utc.slice(11, 16)))].toSorted(), [
    '18:00',
    '19:00',
  ])
  const { json } = await ada.get(`/events/${made.id}`)
  assert.equal(json.occurrence_count, dates.length)
  assert.equal(json.next_occurrence.id, dates[0]?.id)
})

test('a time that the clocks skip is moved and reported, and so is a day that a month does not have', async () => {
  const ada = await staff()
  // The clocks of Lisbon go from 1:00 to 2:00 on 28 March 2027.
  const daily = await make(ada, { starts_at: at('2027-03-27T01:30') })
  const skipped = await ada.write('PUT', `/events/${daily.id}/recurrence`, { rule: 'FREQ=DAILY', count: 3 })
  assert.equal(skipped.status, 200, skipped.text)
  assert.deepEqual(
    skipped.json.moved.map(({ starts_at, reason }: { starts_at: { local: string }; reason: string }) => [
      starts_at.local,
      reason,
    ]),
    [['2027-03-28T02:30', 'clock']],
  )
  const monthly = await make(ada, { starts_at: at('2091-01-31T19:00') })
  const short = await ada.write('PUT', `/events/${monthly.id}/recurrence`, { rule: 'FREQ=MONTHLY', count: 6 })
  assert.equal(short.status, 200, short.text)
  assert.deepEqual(
    (await readDates(ada, monthly)).map(({ starts_at }) => starts_at.local.slice(5, 10)),
    ['01-31', '02-28', '03-31', '04-30', '05-31', '06-30'],
  )
  assert.deepEqual(
    short.json.moved.map(({ reason }: { reason: string }) => reason),
    ['month', 'month', 'month'],
  )
})

test('rules that repeat within a day, give nothing or too much are refused, and nothing has changed', async () => {
  const ada = await staff()
  const made = await make(ada, { starts_at: at('2092-01-01T10:00') })
  const before = await readDates(ada, made)
  const refused: [object, string][] = [
    [{ rule: 'FREQ=SECONDLY', count: 2 }, '/rule'],
    [{ rule: 'FREQ=MINUTELY', count: 2 }, '/rule'],
    [{ rule: 'FREQ=HOURLY', count: 2 }, '/rule'],
    [{ rule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;BYSETPOS=5', count: 2 }, '/count'],
    [{ rule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=1;BYSETPOS=5', until: '2093-01-01' }, '/rule'],
    [{ rule: 'FREQ=DAILY', until: '2093-12-01' }, '/rule'],
    [{ rule: 'FREQ=WEEKLY', until: '2099-01-01' }, '/until'],
    [{ rule: 'FREQ=WEEKLY', until: '2091-01-01' }, '/until'],
    [{ rule: 'FREQ=WEEKLY', until: '2092-02-31' }, '/until'],
    [{ rule: 'FREQ=WEEKLY', count: 200 }, '/count'],
    [{ rule: 'FREQ=WEEKLY' }, '/until'],
    [{ rule: 'FREQ=WEEKLY', count: 2, until: '2092-05-01' }, '/until'],
    [{ rule: 'FREQ=WEEKLY;COUNT=5', count: 2 }, '/rule'],
    [{ rule: 'FREQ=WEEKLY;FREQ=DAILY', count: 2 }, '/rule'],
    [{ rule: 'INTERVAL=2', count: 2 }, '/rule'],
    [{ rule: 'FREQ=DAILY;BYDAY=99XX', count: 2 }, '/rule'],
    [{ rule: 'FREQ=DAILY', count: 1, except: ['2092-01-01'] }, '/rule'],
    [{ rule: null, count: 3 }, '/rule'],
    [{ rule: null, starts_at: at('2092-02-30T10:00') }, '/starts_at'],
    [{ rule: null, starts_at: at('2092-02-10T10:00', 'Europe/Nowhere') }, '/starts_at'],
  ]
  for (const [body, pointer] of refused) {
    const { status, json, text } = await ada.write('PUT', `/events/${made.id}/recurrence`, body)
    assert.equal(status, 422, `${JSON.stringify(body)} ${text}`)
    assert.ok(
      json.errors.some((one: { pointer: string }) => one.pointer.startsWith(pointer)),
      `${JSON.stringify(body)} ${text}`,
    )
  }
  assert.deepEqual(await readDates(ada, made), before)
})

test('a dry run of other dates tells which come and go, and changes nothing', async () => {
  const ada = await staff()
  const made = await make(ada, { starts_at: at('2092-03-03T10:00') })
  await ada.write('PUT', `/events/${made.id}/recurrence`, { rule: 'FREQ=WEEKLY', count: 4 })
  const before = await readDates(ada, made)
  const body = { rule: 'FREQ=WEEKLY', count: 3, except: ['2092-03-10'], duration_minutes: 90 }
  const dry = await ada.write('PUT', `/events/${made.id}/recurrence?dry_run=true`, body)
  assert.equal(dry.status, 200, dry.text)
  const { result } = dry.json
  assert.deepEqual([result.added.length, result.changed.length, result.removed.length], [0, 2, 2])
  assert.deepEqual(await readDates(ada, made), before)
  await ada.write('PUT', `/events/${made.id}/recurrence`, body)
  const after = await readDates(ada, made)
  assert.deepEqual(
    after.map(({ id }) => id),
    [before[0]?.id, before[2]?.id],
  )
})

test('what is cancelled stays cancelled, and nothing that the table of states lacks is done', async () => {
  const ada = await staff()
  const made = await make(ada, { starts_at: at('2092-05-01T10:00') })
  const terms = { reason: 'No flour', refund: 'all' }
  const draft = await ada.write('PUT', `/events/${made.id}/cancellation`, terms)
  assert.deepEqual([draft.status, draft.json.code], [409, 'invalid_state'])
  await publish(ada, made)
  await ada.write('PUT', `/events/${made.id}/recurrence`, { rule: 'FREQ=DAILY', count: 3 })
  const [first, second] = await readDates(ada, made)
  const one = await ada.write('PUT', `/occurrences/${first?.id}/cancellation`, terms)
  assert.deepEqual([one.status, one.json.status, one.json.sequence], [200, 'cancelled', 1], one.text)
  const again = await ada.write('PUT', `/occurrences/${first?.id}/cancellation`, terms)
  assert.deepEqual([again.status, again.json.sequence], [200, 1])
  const moved = await ada.write('PUT', `/occurrences/${first?.id}/schedule`, { starts_at: at('2092-06-01T10:00') })
  assert.deepEqual([moved.status, moved.json.code], [409, 'invalid_state'])
  const all = await ada.write('PUT', `/events/${made.id}/cancellation`, terms)
  assert.deepEqual([all.status, all.json.status, all.json.occurrence_count], [200, 'cancelled', 0], all.text)
  assert.equal((await ada.get(`/occurrences/${second?.id}`)).json.status, 'cancelled')
  for (const [method, path, body] of [
    ['PUT', 'publication', undefined],
    ['DELETE', 'publication', undefined],
    ['PUT', 'recurrence', { rule: null }],
  ] as const) {
    const { status, json } = await ada.write(method, `/events/${made.id}/${path}`, body)
    assert.deepEqual([status, json.code], [409, 'invalid_state'], path)
  }
  assert.equal((await anonymous(`/events/${made.id}`)).json.status, 'cancelled')
})
