// One thing: calendars as text (RFC 5545), with the time zones that their dates need.
import { Temporal } from 'temporal-polyfill'
import { cleanText } from './text.ts'

/** A date of a calendar. */
export type CalendarEvent = {
  /** The same for ever, and unique in the world. */
  readonly uid: string
  readonly sequence: number
  readonly startsAt: Date
  readonly endsAt: Date
  readonly timeZone: string
  readonly summary: string
  readonly description?: string
  readonly location?: string
  readonly position?: { readonly latitude: number; readonly longitude: number }
  readonly url?: string
  readonly isCancelled: boolean
  /** When it was last changed. */
  readonly changedAt: Date
  /** In a message (RFC 5546): who invites, and who is invited. */
  readonly organizer?: CalendarPerson
  readonly attendee?: CalendarPerson
}

/** A person in a message. */
type CalendarPerson = { readonly name: string; readonly email: string }

/** A calendar, or with a method a message about one date. */
type Calendar = {
  readonly name: string
  readonly method?: 'PUBLISH' | 'REQUEST' | 'CANCEL'
  readonly events: readonly CalendarEvent[]
}

const MAX_OCTETS = 75

// RFC 5545 §3.1: lines of at most 75 octets, and no character is divided.
const folded = (line: string): string => {
  const parts: string[] = []
  let part = ''
  for (const character of line) {
    if (Buffer.byteLength(part + character) > MAX_OCTETS) {
      parts.push(part)
      part = ' '
    }
    part += character
  }
  return [...parts, part].join('\r\n')
}

// RFC 5545 §3.3.11.
const text = (value: string): string =>
  cleanText(value)
    .replace(/\r\n?/g, '\n')
    .replace(/[\\;,]/g, found => `\\${found}`)
    .replaceAll('\n', '\\n')

// RFC 5545 §3.2: the value of a parameter has no quotes and no line breaks.
const parameter = (value: string): string => `"${text(value).replace(/["\\]/g, '')}"`

const digits = (value: string): string => value.slice(0, 19).replace(/[-:]/g, '')

const utc = (at: Date): string => `${digits(at.toISOString())}Z`

const zonedAt = (at: Date, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone)

const isUtc = (zone: string): boolean => zone === 'UTC' || zone === 'Etc/UTC'

const formatDate = (name: string, at: Date, zone: string): string =>
  isUtc(zone)
    ? `${name}:${utc(at)}`
    : `${name};TZID=${zone}:${digits(zonedAt(at, zone).toPlainDateTime().toString({ smallestUnit: 'second' }))}`

const isRepeated = (at: Date, zone: string): boolean => {
  const local = zonedAt(at, zone).toPlainDateTime()
  const [earlier, later] = (['earlier', 'later'] as const).map(disambiguation =>
    local.toZonedDateTime(zone, { disambiguation }),
  )
  return earlier?.epochMilliseconds !== later?.epochMilliseconds
}

// RFC 5545 §3.3.5 has a local time that the clocks show twice be the first one; programs read it as either, so it is in UTC.
const writtenZone = ({ startsAt, endsAt, timeZone }: CalendarEvent): string =>
  isRepeated(startsAt, timeZone) || isRepeated(endsAt, timeZone) ? 'UTC' : timeZone

const offsetText = (offset: string): string => offset.replaceAll(':', '')

/** A period with one offset: since when, what the clocks showed then by the offset before, and both offsets. */
type Observance = { readonly local: string; readonly from: string; readonly to: string; readonly isSummer: boolean }

const observanceAt = (transition: Temporal.ZonedDateTime): Observance => {
  const before = transition.subtract({ milliseconds: 1 })
  const local = transition.toInstant().toZonedDateTimeISO(before.offset).toPlainDateTime()
  return {
    local: digits(local.toString({ smallestUnit: 'second' })),
    from: offsetText(before.offset),
    to: offsetText(transition.offset),
    isSummer: transition.offsetNanoseconds > before.offsetNanoseconds,
  }
}

const fixedAt = ({ offset }: Temporal.ZonedDateTime): Observance => ({
  local: '19700101T000000',
  from: offsetText(offset),
  to: offsetText(offset),
  isSummer: false,
})

// Every change of the offset from the last one before the first date to the last date: from the same data as the API.
const listObservances = (zone: string, from: Date, until: Date): Observance[] => {
  const start = zonedAt(from, zone)
  const first = start.getTimeZoneTransition('previous')
  const found = [first === null ? fixedAt(start) : observanceAt(first)]
  let next = start.getTimeZoneTransition('next')
  while (next !== null && next.epochMilliseconds <= until.getTime()) {
    found.push(observanceAt(next))
    next = next.getTimeZoneTransition('next')
  }
  return found
}

const zoneLines = (zone: string, events: readonly CalendarEvent[]): string[] => {
  const instants = events.flatMap(({ startsAt, endsAt }) => [startsAt.getTime(), endsAt.getTime()])
  const [from, until] = [new Date(Math.min(...instants)), new Date(Math.max(...instants))]
  const observances = listObservances(zone, from, until).flatMap(({ local, from: before, to, isSummer }) => {
    const name = isSummer ? 'DAYLIGHT' : 'STANDARD'
    return [`BEGIN:${name}`, `DTSTART:${local}`, `TZOFFSETFROM:${before}`, `TZOFFSETTO:${to}`, `END:${name}`]
  })
  return ['BEGIN:VTIMEZONE', `TZID:${zone}`, ...observances, 'END:VTIMEZONE']
}

const given = <Value>(value: Value | undefined, formatLine: (value: Value) => string): string[] =>
  value === undefined || value === '' ? [] : [formatLine(value)]

const eventLines = (event: CalendarEvent): string[] => [
  'BEGIN:VEVENT',
  `UID:${text(event.uid)}`,
  `SEQUENCE:${event.sequence}`,
  `DTSTAMP:${utc(event.changedAt)}`,
  `LAST-MODIFIED:${utc(event.changedAt)}`,
  formatDate('DTSTART', event.startsAt, writtenZone(event)),
  formatDate('DTEND', event.endsAt, writtenZone(event)),
  `SUMMARY:${text(event.summary)}`,
  ...given(event.description, value => `DESCRIPTION:${text(value)}`),
  ...given(event.location, value => `LOCATION:${text(value)}`),
  ...given(event.position, ({ latitude, longitude }) => `GEO:${latitude};${longitude}`),
  ...given(event.url, value => `URL:${value}`),
  // The address on a line of its own, which stays short when that of the sender is filled in.
  ...(event.organizer === undefined
    ? []
    : [`ORGANIZER;CN=${parameter(event.organizer.name)}:`, ` mailto:${event.organizer.email}`]),
  ...given(
    event.attendee,
    ({ name, email }) => `ATTENDEE;CN=${parameter(name)};ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED:mailto:${email}`,
  ),
  `STATUS:${event.isCancelled ? 'CANCELLED' : 'CONFIRMED'}`,
  'END:VEVENT',
]

/** A calendar as text: one VEVENT for each date, and each time zone that they name. */
export const calendarText = ({ name, method = 'PUBLISH', events }: Calendar): string => {
  const zones = [...new Set(events.map(({ timeZone }) => timeZone))].filter(zone => !isUtc(zone)).toSorted()
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Stoa//Events//EN',
    'CALSCALE:GREGORIAN',
    `METHOD:${method}`,
    `X-WR-CALNAME:${text(name)}`,
    ...zones.flatMap(zone =>
      zoneLines(
        zone,
        events.filter(({ timeZone }) => timeZone === zone),
      ),
    ),
    ...events.flatMap(eventLines),
    'END:VCALENDAR',
  ]
  return `${lines.map(folded).join('\r\n')}\r\n`
}
