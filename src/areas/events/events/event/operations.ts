import { profileRequired } from '#src/areas/courses/index.ts'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import { changeRow } from '#src/contract/change.ts'
import { inUseOf } from '#src/contract/items.ts'
import { declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { slugTaken } from '#src/contract/problems.ts'
import { readList } from '#src/db/list.ts'
import { moveSlug } from '#src/db/slugs.ts'
import { toId } from '#src/kit/ids.ts'
import { occurrenceRegistrations, seatsAdded } from '../hooks.ts'
import { deleteJobs } from '../occurrences/jobs.queries.ts'
import { listEventOccurrences, lockOccurrenceRows, storeCapacity } from '../occurrences/queries.ts'
import { checkTime, computeTime } from '../occurrences/rules.ts'
import { addOccurrences } from '../occurrences/writes.ts'
import {
  buildViewer,
  canChangeEvent,
  canManageEvent,
  checkMayCreateEvent,
  getEvent,
  lockChangeableEvent,
  lockOwnEvent,
} from './access.ts'
import { eventSlugs } from './conditions.ts'
import { type EventFilter, type EventRow, type EventValues, eventList } from './queries.ts'
import { buildValues, eventExternalIdTaken, eventInUse, joinWords, mergedEvent } from './rules.ts'
import { Event, EventChanges, EventPage, EventRef, EventsQuery, type ListEventsParams, NewEvent } from './schema.ts'
import { markDeleted, storeEvent, storeHosts } from './stored.queries.ts'
import { eventLines, eventView } from './views.ts'
import { addEvent, checkValues } from './writes.ts'

/** Events of the demo data, for examples: one that repeats, one that is sold out, and a draft. */
export const eventExamples = {
  weekly: { event_id: 'slug:open-kitchen' },
  soldOut: { event_id: 'slug:night-of-ovens' },
  draft: { event_id: 'slug:summer-picnic' },
}

const readFilter = (caller: Caller, query: ListEventsParams): EventFilter => ({
  viewer: buildViewer(caller),
  q: query.q,
  kind: query.kind,
  courseId: query.course_id,
  lecturerId: query.lecturer_id,
  status: query.status,
  visibility: query.visibility,
  isManaged: query.managed,
  isEnded: query.ended,
  ids: query['id[in]'],
  startsFrom: query['starts_at[gte]'],
  startsBefore: query['starts_at[lt]'],
})

const listEvents = declareFor('anyone', 'events', {
  id: 'listEvents',
  route: 'GET /events',
  summary: 'List events',
  description:
    'Lists events with their next date, those that come next first. Everybody sees published and cancelled events that are meant for them; hosts also their drafts, staff all events. `starts_at[gte]` and `starts_at[lt]` find events of which one date starts in that period.',
  query: EventsQuery,
  returns: EventPage,
  handle(context) {
    const { school, caller, query } = context
    return readList(context, eventList(school.id, readFilter(caller, query)), rows => eventLines(context, rows))
  },
})

// The actions that status and role allow; dry_run reports what other rows forbid.
const listActions = (caller: Caller, row: EventRow): string[] => {
  const reads = ['getEvent', 'listOccurrences']
  if (!canManageEvent(caller, row)) return reads
  const { status } = row
  return [
    ...reads,
    'copyEvent',
    'deleteEvent',
    ...(canChangeEvent(caller, row) ? ['updateEvent'] : []),
    ...(status === 'cancelled' ? [] : ['setEventRecurrence']),
    ...(status === 'published' ? ['cancelEvent'] : []),
    ...(isStaff(caller) && status === 'draft' ? ['publishEvent'] : []),
    ...(isStaff(caller) && status === 'published' ? ['unpublishEvent'] : []),
  ]
}

const getOneEvent = declareFor('anyone', 'events', {
  id: 'getEvent',
  route: 'GET /events/:event_id',
  summary: 'Get an event',
  description:
    'Returns one event with its next date. Drafts are for their hosts and for staff, who also get `meeting_url`; those who are registered find it at the date. An earlier slug still works; the response has the current one.',
  params: EventRef,
  returns: Event,
  example: { params: eventExamples.weekly },
  async handle(context) {
    const { caller, params, allowedActions } = context
    const row = await getEvent(context, params.event_id)
    const view = await eventView(context, row)
    return caller.member === undefined ? view : { ...view, allowed_actions: allowedActions(listActions(caller, row)) }
  },
})

const createEvent = declareFor('lecturer_of', 'events', {
  id: 'createEvent',
  route: 'POST /events',
  summary: 'Create an event',
  description:
    'Creates an event with one date as a draft; set a rule with PUT /events/{event_id}/recurrence. A lecturer who creates an event hosts it. Without a slug it gets one from its name.',
  body: NewEvent,
  returns: Event,
  status: 201,
  fails: [slugTaken, eventExternalIdTaken, profileRequired],
  example: {
    body: {
      name: 'Bread and soup',
      starts_at: { local: '2027-02-04T18:30', time_zone: 'Europe/Lisbon' },
      duration_minutes: 120,
      capacity: 12,
    },
  },
  async handle(context) {
    const { caller, body, changed, record } = context
    const profile = await checkMayCreateEvent(context)
    const { starts_at: start, duration_minutes, ...settings } = body
    const first = computeTime({ ...checkTime(start), duration_minutes })
    const dates = { starts_local: start.local, time_zone: start.time_zone, duration_minutes, recurrence: null }
    // Staff alone decide who hosts an event.
    const input = profile === undefined ? settings : { ...settings, lecturer_ids: [profile] }
    const added = await addEvent(context, { input, dates, authorId: caller.member.id })
    const occurrences = await addOccurrences(context, added, [{ ...first, rule_local: start.local }])
    const row = await getEvent(context, added.id)
    const event = toId('evt', row.id)
    changed({ ids: [event], fields: Object.keys(body), revision: row.revision })
    record({ type: 'event.created', payload: { event_id: event } })
    for (const { id } of occurrences)
      record({ type: 'occurrence.scheduled', payload: { occurrence_id: toId('occ', id), event_id: event } })
    return eventView(context, row)
  },
})

const updateEvent = declareFor('lecturer_of', 'events', {
  id: 'updateEvent',
  route: 'PATCH /events/:event_id',
  summary: 'Update an event',
  description:
    'Changes the fields of an event that the request names. Its hosts may change a draft, staff every event; staff alone change the hosts. A new capacity holds for all dates that are not over; where people wait, new seats are offered to them. An earlier slug keeps leading to the event.',
  ifMatch: 'honoured',
  params: EventRef,
  body: EventChanges,
  returns: Event,
  fails: [slugTaken, eventExternalIdTaken],
  example: { params: eventExamples.draft, body: { capacity: 60 } },
  async handle(context) {
    const { db, school, now, params, body, record } = context
    const row = await lockChangeableEvent(context, params.event_id)
    // Requests that take no seat any more leave theirs to those who wait.
    const addSeats = async ({ capacity, approval_holds_seat: isHolding }: EventValues): Promise<void> => {
      const dates = (await listEventOccurrences(db, school.id, row.id)).filter(({ is_ended: isOver }) => !isOver)
      const open = await lockOccurrenceRows(
        db,
        school.id,
        dates.map(({ id }) => id),
      )
      const larger = await storeCapacity(db, school.id, row.id, capacity)
      const occurrenceIds = row.approval_holds_seat && !isHolding ? open : larger
      if (occurrenceIds.length === 0) return
      for (const fact of (await seatsAdded.call({ occurrenceIds, now }, { db, school })).flat()) record(fact)
    }
    return changeRow(context, row, {
      id: toId('evt', row.id),
      fact: 'event.updated',
      values: (): EventValues => mergedEvent(buildValues(row), body),
      check: values => checkValues(context, values, row),
      store: async (values, fields) => {
        await storeEvent(db, school.id, row.id, { ...values, words: joinWords(values) })
        if (fields.includes('lecturer_ids')) await storeHosts(db, school.id, row.id, values.lecturer_ids)
        if (fields.includes('slug'))
          await moveSlug(db, school.id, eventSlugs, row.id, { from: row.slug, to: values.slug })
        if (fields.includes('capacity') || fields.includes('approval_holds_seat')) await addSeats(values)
        return getEvent(context, row.id)
      },
      view: stored => eventView(context, stored),
    })
  },
})

const deleteEvent = declareFor('lecturer_of', 'events', {
  id: 'deleteEvent',
  route: 'DELETE /events/:event_id',
  summary: 'Delete an event',
  description:
    'Deletes an event for which nobody ever registered and which no group or plan opens. Cancel an event for which people are registered.',
  ifMatch: 'honoured',
  params: EventRef,
  returns: undefined,
  fails: [eventInUse],
  example: { params: eventExamples.draft },
  async handle(context) {
    const { db, school, params, requireMatch, changed, record } = context
    const row = await lockOwnEvent(context, params.event_id)
    await requireMatch(row.revision, () => eventView(context, row))
    const dates = (await listEventOccurrences(db, school.id, row.id)).map(({ id }) => id)
    await lockOccurrenceRows(db, school.id, dates)
    const all = await occurrenceRegistrations.call({ occurrenceIds: dates }, { db, school })
    if (all.some(one => [...one.values()].some(({ ever }) => ever > 0)))
      throw new Refusal(eventInUse, 'Somebody is or was registered for the event.')
    const uses = (await inUseOf.call({ type: 'event', id: row.id }, { db, school })).flat()
    if (uses.length > 0) throw new Refusal(eventInUse, 'A group or plan opens the event.')
    await markDeleted(db, school.id, row.id)
    await deleteJobs(db, school.id, dates)
    const event = toId('evt', row.id)
    changed({ ids: [event], fields: [] })
    record({ type: 'event.deleted', payload: { event_id: event } })
  },
})

/** The operations of events, in the order of the documentation. */
export const eventOperations = [listEvents, getOneEvent, createEvent, updateEvent]

/** The deletion of an event, which the documentation has last. */
export const eventDeletion = [deleteEvent]
