import type { Static } from 'typebox'
import { exampleFrom } from '#src/contract/example.ts'
import { fillEach } from '#src/contract/language.ts'
import { declareFor, type WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, refuseInvalid } from '#src/contract/problems.ts'
import { readList } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { zonesEdition } from '#src/kit/local-time.ts'
import { texts } from '#src/texts/index.ts'
import { canManageEvent, getEvent } from '../event/access.ts'
import { cleanAddress } from '../event/rules.ts'
import { EventRef } from '../event/schema.ts'
import { storeDates } from '../event/stored.queries.ts'
import { occurrenceRegistrations } from '../hooks.ts'
import { type Dated, getOccurrence, lockOwnOccurrence } from './access.ts'
import { type OccurrenceRow, occurrenceList, storeRecording, storeRuleLocal, storeTime } from './queries.ts'
import { checkTime, computeTime, isSameTime } from './rules.ts'
import { Occurrence, OccurrencePage, OccurrenceRef, OccurrencesQuery, Recording, Schedule } from './schema.ts'
import { occurrenceLines, occurrenceView } from './views.ts'
import { scheduleEnd } from './writes.ts'

/** A date of an event of the demo data, for examples. */
export const occurrenceExample = {
  occurrence_id: exampleFrom('occ', 'listEvents', { having: { slug: 'open-kitchen' }, at: 'next_occurrence.id' }),
}

const listOccurrences = declareFor('anyone', 'events', {
  id: 'listOccurrences',
  route: 'GET /events/:event_id/occurrences',
  summary: 'List the dates of an event',
  description: 'Lists the dates of an event, the earliest first, cancelled ones too.',
  params: EventRef,
  query: OccurrencesQuery,
  returns: OccurrencePage,
  example: { params: { event_id: 'slug:open-kitchen' } },
  async handle(context) {
    const { school, params, query } = context
    const event = await getEvent(context, params.event_id)
    const filter = {
      eventId: event.id,
      status: query.status,
      isEnded: query.ended,
      startsFrom: query['starts_at[gte]'],
      startsBefore: query['starts_at[lt]'],
    }
    return readList(context, occurrenceList(school.id, filter), rows => occurrenceLines(context, rows))
  },
})

// The actions that status and role allow; dry_run reports what other rows forbid.
const listActions = ({ occurrence, event }: Dated, manages: boolean): string[] => {
  if (!manages) return ['getOccurrence']
  const isOn = occurrence.status === 'scheduled' && event.status !== 'cancelled'
  return [
    ...['getOccurrence', 'setOccurrenceRecording', 'mailRegistrations'],
    ...(isOn ? ['checkInByCode'] : []),
    ...(isOn && !occurrence.is_ended
      ? ['createRegistration', 'offerSeats', 'rescheduleOccurrence', 'cancelOccurrence']
      : []),
  ]
}

const getOneOccurrence = declareFor('anyone', 'events', {
  id: 'getOccurrence',
  route: 'GET /occurrences/:occurrence_id',
  summary: 'Get a date of an event',
  description:
    'Returns one date of an event. Those with a confirmed seat, hosts and staff also get `meeting_url` and `recording_url`.',
  params: OccurrenceRef,
  returns: Occurrence,
  example: { params: occurrenceExample },
  async handle(context) {
    const { caller, params, allowedActions } = context
    const dated = await getOccurrence(context, params.occurrence_id)
    const view = await occurrenceView(context, dated)
    if (caller.member === undefined) return view
    return { ...view, allowed_actions: allowedActions(listActions(dated, canManageEvent(caller, dated.event))) }
  },
})

const checkOpen = ({ occurrence, event }: Dated): void => {
  if (event.status === 'cancelled' || occurrence.status === 'cancelled')
    throw new Refusal(invalidState, 'The date is cancelled.')
  if (occurrence.is_ended) throw new Refusal(invalidState, 'The date is over.')
}

const registeredFor = async ({ db, school }: WriteContext, row: OccurrenceRow) => {
  const all = await occurrenceRegistrations.call({ occurrenceIds: [row.id] }, { db, school })
  return all.map(one => one.get(row.id)).find(one => one !== undefined) ?? { active: 0, people: 0 }
}

// An event without a rule has the time of its one date.
const followDate = async (context: WriteContext, { event }: Dated, time: Static<typeof Schedule>, id: string) => {
  if (event.recurrence !== null) return
  const { db, school } = context
  await storeRuleLocal(db, school.id, id, time.starts_at.local)
  await storeDates(db, school.id, event.id, {
    starts_local: time.starts_at.local,
    time_zone: time.starts_at.time_zone,
    duration_minutes: time.duration_minutes ?? event.duration_minutes,
    recurrence: null,
  })
}

const rescheduleOccurrence = declareFor('lecturer_of', 'events', {
  id: 'rescheduleOccurrence',
  route: 'PUT /occurrences/:occurrence_id/schedule',
  summary: 'Reschedule a date',
  description:
    'Moves one date of an event to another local time, and raises its `sequence`. Where people are registered, a person has to confirm it, and they get a mail. `dry_run` counts the mails. A date that is over or cancelled is not moved.',
  confirm: 'person',
  ifMatch: 'honoured',
  params: OccurrenceRef,
  body: Schedule,
  returns: Occurrence,
  fails: [invalidState],
  example: {
    params: occurrenceExample,
    body: { starts_at: { local: '2027-03-02T20:00', time_zone: 'Europe/Lisbon' } },
  },
  async handle(context) {
    const { db, school, now, params, body, requireMatch, changed, record, waiveConfirmation } = context
    const dated = await lockOwnOccurrence(context, params.occurrence_id)
    const { occurrence: row } = dated
    await requireMatch(row.revision, () => occurrenceView(context, dated))
    checkOpen(dated)
    const minutes = body.duration_minutes ?? row.duration_minutes
    const time = computeTime({ ...checkTime(body.starts_at), duration_minutes: minutes })
    const { active, people } = await registeredFor(context, row)
    if (active === 0 || isSameTime(row, time)) waiveConfirmation()
    if (isSameTime(row, time)) return occurrenceView(context, dated)
    if (time.starts_at <= now) refuseInvalid([{ pointer: '/starts_at', code: 'past', message: 'is over already' }])
    await storeTime(db, school.id, row.id, time, zonesEdition())
    await followDate(context, dated, { ...body, duration_minutes: minutes }, row.id)
    await scheduleEnd(db, school.id, row.id, time.ends_at)
    const stored = await getOccurrence(context, row.id)
    const ids = { occurrence_id: toId('occ', row.id), event_id: toId('evt', row.event_id) }
    const { sequence, revision } = stored.occurrence
    changed({ ids: [ids.occurrence_id], fields: ['starts_at'], revision })
    record({
      type: 'occurrence.rescheduled',
      payload: { ...ids, sequence },
      effects: {
        mail: fillEach(texts.events.events.occurrences.operations.moved, { n: people }),
      },
    })
    return occurrenceView(context, stored)
  },
})

const setOccurrenceRecording = declareFor('lecturer_of', 'events', {
  id: 'setOccurrenceRecording',
  route: 'PUT /occurrences/:occurrence_id/recording',
  summary: 'Set the recording',
  description:
    'Sets or removes the address of the recording of a date, which those with a confirmed seat, hosts and staff get.',
  ifMatch: 'honoured',
  params: OccurrenceRef,
  body: Recording,
  returns: Occurrence,
  example: { params: occurrenceExample, body: { url: 'https://videos.example/open-kitchen' } },
  async handle(context) {
    const { db, school, params, body, requireMatch, changed, record } = context
    const dated = await lockOwnOccurrence(context, params.occurrence_id)
    const { occurrence: row } = dated
    await requireMatch(row.revision, () => occurrenceView(context, dated))
    const url = cleanAddress(body.url)
    if (url === '')
      refuseInvalid([
        { pointer: '/url', code: 'url', message: 'is not an https address without user name and password' },
      ])
    if (url === row.recording_url) return occurrenceView(context, dated)
    await storeRecording(db, school.id, row.id, url)
    const stored = await getOccurrence(context, row.id)
    const ids = { occurrence_id: toId('occ', row.id), event_id: toId('evt', row.event_id) }
    changed({ ids: [ids.occurrence_id], fields: ['recording_url'], revision: stored.occurrence.revision })
    record({ type: 'occurrence.updated', payload: { ...ids, fields: ['recording_url'] } })
    return occurrenceView(context, stored)
  },
})

/** The operations of occurrences, in the order of the documentation. */
export const occurrenceOperations = [listOccurrences, getOneOccurrence, rescheduleOccurrence, setOccurrenceRecording]
