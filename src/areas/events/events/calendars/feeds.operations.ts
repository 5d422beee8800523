import { clockNow } from '#src/areas/learning/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { cacheable } from '#src/kit/cacheable.ts'
import { calendarText } from '#src/kit/icalendar.ts'
import { fromId } from '#src/kit/ids.ts'
import { calendarDates } from '../hooks.ts'
import { type CalendarRow, findCounter, findPublicDate, listDatesById, listHosted, listPublicDates } from './queries.ts'
import { CALENDARS, calendarEvent, isToken, memberOfToken } from './rules.ts'

const TYPE = 'text/calendar; charset=utf-8'
const MAX_DATES = 500
const SECONDS = 300
const PAST_DAYS = 31

const past = (now: Date): Date => new Date(now.getTime() - PAST_DAYS * 24 * 3600 * 1000)

/** GET /calendar.ics: the dates of public events, from a month ago on. */
const schoolFeed = endpoint({
  route: 'GET /calendar.ics',
  handle: async ({ school, database, header }) => {
    const rows = await database.statements(school.id, async db =>
      listPublicDates(db, school.id, { endsAfter: past(await clockNow(db)), rows: MAX_DATES }),
    )
    const events = rows.map(row => calendarEvent(row, { school, isForMember: false }))
    return cacheable(header('if-none-match'), TYPE, calendarText({ name: school.name, events }), SECONDS)
  },
})

// What they host comes with what they are registered for; a date that they cancelled stays as cancelled.
const datesFor = async ({ db, school }: SchoolContext, memberId: string): Promise<CalendarRow[]> => {
  const endsAfter = past(await clockNow(db))
  const registered = (await calendarDates.call({ memberId, endsAfter }, { db, school })).flat()
  const cancelled = new Set(registered.flatMap(one => (one.isCancelled ? [one.occurrenceId] : [])))
  const ids = registered.map(({ occurrenceId }) => occurrenceId)
  const [own, hosted] = await Promise.all([
    listDatesById(db, school.id, ids),
    listHosted(db, school.id, memberId, { endsAfter, rows: MAX_DATES }),
  ])
  const others = own.filter(({ id }) => !hosted.some(one => one.id === id))
  return [...hosted, ...others.map(row => (cancelled.has(row.id) ? { ...row, is_cancelled: true } : row))]
}

// One date of a public event, for whoever adds it to a calendar.
const dateFile = async (request: EndpointRequest, occurrenceId: string): Promise<Reply> => {
  const { school, database, header } = request
  const rows = await database.statements(school.id, db => findPublicDate(db, school.id, occurrenceId))
  if (rows.length === 0) throw noCalendar()
  const events = rows.map(row => calendarEvent(row, { school, isForMember: false }))
  return cacheable(header('if-none-match'), TYPE, calendarText({ name: school.name, events }), SECONDS)
}

const noCalendar = (): Refusal => new Refusal(notFound, 'There is no such calendar.')

/** GET /calendar/{token}.ics: the dates of one member; with the id of a date, that date. */
const memberFeed = (keyFor: (purpose: string) => Buffer): Endpoint =>
  endpoint({
    route: 'GET /calendar/:file',
    handle: async request => {
      const { school, database, params } = request
      const token = /^(.+)\.ics$/.exec(params.file ?? '')?.[1] ?? ''
      const occurrenceId = fromId('occ', token)
      if (occurrenceId !== undefined) return dateFile(request, occurrenceId)
      const memberId = memberOfToken(token)
      if (memberId === undefined) throw noCalendar()
      const rows = await database.statements(school.id, async db => {
        const counter = await findCounter(db, school.id, memberId)
        const feed = { schoolId: school.id, memberId, counter: counter ?? 0 }
        if (counter === undefined || !isToken(keyFor(CALENDARS), feed, token)) throw noCalendar()
        return datesFor({ db, school }, memberId)
      })
      const events = rows.map(row => calendarEvent(row, { school, isForMember: true }))
      const headers = { 'content-type': TYPE, 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' }
      return { status: 200, headers, body: calendarText({ name: school.name, events }) }
    },
  })

/** The calendars that other programs read. */
export const feedEndpoints = (keyFor: (purpose: string) => Buffer): Endpoint[] => [schoolFeed, memberFeed(keyFor)]
