import assert from 'node:assert/strict'
import { test } from 'node:test'
import ICAL from 'ical.js'
import { calendarText } from './icalendar.ts'
import { toInstant } from './local-time.ts'

const dateIn = (local: string, timeZone: string) => {
  const startsAt = toInstant({ local, time_zone: timeZone })
  return {
    uid: `${local}-${timeZone}@school.example`,
    sequence: 0,
    startsAt,
    endsAt: new Date(startsAt.getTime() + 5_400_000),
    timeZone,
    summary: 'Supper',
    isCancelled: false,
    changedAt: new Date('2026-11-24T09:30:00Z'),
  }
}

/** The dates of a calendar as another implementation reads them. */
const read = (calendar: string): ICAL.Event[] => {
  const root = new ICAL.Component(ICAL.parse(calendar))
  ICAL.TimezoneService.reset()
  for (const zone of root.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone)
  return root.getAllSubcomponents('vevent').map(one => new ICAL.Event(one))
}

test('dates have the same instants for another implementation, over clock changes and changes of the rules', () => {
  const zones = [
    'Europe/Lisbon',
    'America/Sao_Paulo',
    'Africa/Casablanca',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
    'UTC',
  ]
  const days = [
    '2018-11-01',
    '2019-02-20',
    '2026-10-20',
    '2026-10-27',
    '2027-03-16',
    '2027-03-30',
    '2027-10-26',
    '2027-11-02',
  ]
  const dates = zones.flatMap(zone => days.map(day => dateIn(`${day}T19:00`, zone)))
  const shown = read(calendarText({ name: 'All', events: dates }))
  assert.equal(shown.length, dates.length)
  for (const [index, event] of shown.entries()) {
    const date = dates[index]
    assert.equal(event.startDate.toJSDate().toISOString(), date?.startsAt.toISOString(), date?.uid)
    assert.equal(event.endDate.toJSDate().toISOString(), date?.endsAt.toISOString(), date?.uid)
    if (date?.timeZone !== 'UTC') assert.equal(event.startDate.hour, 19)
  }
})

test('a date that begins or ends in the hour that the clocks repeat has the same instants for another implementation', () => {
  for (const [local, zone] of [
    ['2027-10-31T01:30', 'Europe/Lisbon'],
    ['2027-10-31T00:30', 'Europe/Lisbon'],
    ['2027-11-07T01:15', 'America/New_York'],
  ] as const) {
    const date = dateIn(local, zone)
    const [event] = read(calendarText({ name: 'One', events: [date] }))
    assert.equal(event?.startDate.toJSDate().toISOString(), date.startsAt.toISOString(), local)
    assert.equal(event?.endDate.toJSDate().toISOString(), date.endsAt.toISOString(), local)
  }
})

test('texts are escaped, lines have at most 75 octets and end with CRLF', () => {
  const summary = `Bread; soup, "né" \\ and\nmore ${'çãõ '.repeat(60)}\r\nEND:VCALENDAR`
  const calendar = calendarText({
    name: 'A\nBEGIN:VEVENT',
    method: 'REQUEST',
    events: [
      {
        ...dateIn('2027-01-05T19:00', 'Europe/Lisbon'),
        summary,
        isCancelled: true,
        organizer: { name: 'Crumb "and"; Crust', email: 'school@example.org' },
        attendee: { name: 'Eli', email: 'eli@example.org' },
        position: { latitude: 38.7, longitude: -9.1 },
      },
    ],
  })
  assert.ok(calendar.endsWith('END:VCALENDAR\r\n'))
  for (const line of calendar.split('\r\n')) {
    assert.ok(Buffer.byteLength(line) <= 75, line)
    assert.doesNotMatch(line, /[\n\r]/)
  }
  const [event] = read(calendar)
  assert.equal(event?.summary, summary.replace('\r\n', '\n'))
  assert.equal(event?.component.getFirstPropertyValue('status'), 'CANCELLED')
  assert.equal(event?.organizer, 'mailto:school@example.org')
  assert.equal(read(calendar).length, 1)
})
