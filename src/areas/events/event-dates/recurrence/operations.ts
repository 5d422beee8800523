import type { Static } from 'typebox'
import {
  checkTime,
  computeTime,
  type EventDates,
  EventRef,
  type EventRow,
  eventView,
  getEvent,
  lockOwnEvent,
  type OccurrenceTime,
  storeDates,
} from '#src/areas/events/events/index.ts'
import { fillEach } from '#src/contract/language.ts'
import { declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, refuseInvalid } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { RecurrenceChange, RecurrenceInput } from './schema.ts'
import { changeDates, wantedDates } from './writes.ts'

const datesAfter = (row: EventRow, input: Static<typeof RecurrenceInput>): EventDates => {
  const { rule, until = null, count = null, except = [] } = input
  const start = checkTime(input.starts_at ?? { local: row.starts_local, time_zone: row.time_zone })
  if (rule === null && (until !== null || count !== null || except.length > 0))
    refuseInvalid([{ pointer: '/rule', code: 'missing', message: 'goes with until, count and except' }])
  return {
    starts_local: start.local,
    time_zone: start.time_zone,
    duration_minutes: input.duration_minutes ?? row.duration_minutes,
    recurrence: rule === null ? null : { rule, until, count, except: [...new Set(except)].toSorted() },
  }
}

const zoned = ({ starts_local: local, time_zone, starts_at: utc }: OccurrenceTime) => ({ local, time_zone, utc })

const setEventRecurrence = declareFor('lecturer_of', 'events', {
  id: 'setEventRecurrence',
  route: 'PUT /events/:event_id/recurrence',
  summary: 'Set the dates of an event',
  description:
    'Replaces the rule by which an event repeats, and with it its dates: at most 200 within two years. The local time stays the same when clocks change; where they skip it, and in a month without the day of the rule, the date is moved and reported. Dates that are over or cancelled stay, and so do those for which somebody ever registered. `dry_run` returns which dates come and go.',
  ifMatch: 'honoured',
  params: EventRef,
  body: RecurrenceInput,
  returns: RecurrenceChange,
  fails: [invalidState],
  example: {
    params: { event_id: 'slug:open-kitchen' },
    body: { rule: 'FREQ=WEEKLY;BYDAY=TU', count: 10 },
  },
  async handle(context) {
    const { db, school, now, params, body, requireMatch, changed, record } = context
    const row = await lockOwnEvent(context, params.event_id)
    if (row.status === 'cancelled') throw new Refusal(invalidState, 'The event is cancelled.')
    const dates = datesAfter(row, body)
    const wanted = wantedDates(dates)
    const first = computeTime({ local: dates.starts_local, ...dates })
    const renderView = (
      change: Partial<Awaited<ReturnType<typeof changeDates>>> = {},
    ): Static<typeof RecurrenceChange> => ({
      event_id: row.id,
      recurrence: dates.recurrence && { ...dates.recurrence, except: [...dates.recurrence.except] },
      starts_at: zoned(first),
      duration_minutes: dates.duration_minutes,
      added: (change.added ?? []).map(zoned),
      changed: (change.changed ?? []).map(zoned),
      removed: (change.removed ?? []).map(zoned),
      kept: (change.kept ?? []).map(one => ({ id: one.id, starts_at: zoned(one) })),
      moved: (change.moved ?? []).map(one => ({ starts_at: zoned(one), reason: one.isMoved ? 'month' : 'clock' })),
    })
    await requireMatch(row.revision, () => eventView(context, row))
    const change = await changeDates({ db, school, now }, row, wanted)
    await storeDates(db, school.id, row.id, dates)
    const stored = await getEvent(context, row.id)
    const event = toId('evt', row.id)
    changed({ ids: [event], fields: ['recurrence'], revision: stored.revision })
    record({
      type: 'event.updated',
      payload: { event_id: event, fields: ['recurrence'] },
      effects: {
        access: fillEach(texts.events.eventDates.recurrence.operations.access, {
          added: change.added.length,
          removed: change.removed.length,
          kept: change.kept.length,
        }),
      },
    })
    for (const { id } of change.added)
      record({ type: 'occurrence.scheduled', payload: { occurrence_id: toId('occ', id), event_id: event } })
    return renderView(change)
  },
})

/** The operations on the dates of an event as a whole. */
export const recurrenceOperations = [setEventRecurrence]
