import { profileRequired } from '#src/areas/courses/index.ts'
import { declareFor } from '#src/contract/operation.ts'
import { slugTaken } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { checkTime, computeTime } from '../occurrences/rules.ts'
import { addOccurrences } from '../occurrences/writes.ts'
import { checkMayCreateEvent, getEvent, lockOwnEvent } from './access.ts'
import { eventExamples } from './operations.ts'
import { buildValues } from './rules.ts'
import { Event, EventCopy, EventRef } from './schema.ts'
import { eventView } from './views.ts'
import { addEvent } from './writes.ts'

const copyEvent = declareFor('lecturer_of', 'events', {
  id: 'copyEvent',
  route: 'POST /events/:event_id/copies',
  summary: 'Copy an event as a draft',
  description:
    'Creates a draft with the settings of an event and one date, at the time of the request. Dates, tickets, registrations and `external_id` are not copied. The copy gets a slug of its own; a lecturer who copies an event hosts the copy.',
  params: EventRef,
  body: EventCopy,
  returns: Event,
  status: 201,
  fails: [slugTaken, profileRequired],
  example: {
    params: eventExamples.soldOut,
    body: { starts_at: { local: '2027-06-12T20:00', time_zone: 'Europe/Lisbon' } },
  },
  async handle(context) {
    const { caller, params, body, changed, record } = context
    const row = await lockOwnEvent(context, params.event_id)
    const profile = await checkMayCreateEvent(context)
    const start = checkTime(body.starts_at)
    const { slug: _slug, external_id: _id, seo_title, seo_description, lecturer_ids, ...values } = buildValues(row)
    const input = {
      ...values,
      group_ids: [...values.group_ids],
      plan_ids: [...values.plan_ids],
      questions: values.questions.map(question => ({ ...question })),
      lecturer_ids: profile === undefined ? [...lecturer_ids] : [profile],
      seo: { title: seo_title, description: seo_description },
      name: body.name ?? row.name,
      ...(body.slug === undefined ? {} : { slug: body.slug }),
    }
    const dates = {
      starts_local: start.local,
      time_zone: start.time_zone,
      duration_minutes: row.duration_minutes,
      recurrence: null,
    }
    // The image is in use already, so whoever may copy the event may use it again.
    const added = await addEvent({ ...context, caller: undefined }, { input, dates, authorId: caller.member.id })
    const first = computeTime({ ...start, duration_minutes: row.duration_minutes })
    await addOccurrences(context, added, [{ ...first, rule_local: start.local }])
    const stored = await getEvent(context, added.id)
    const ids = { event_id: toId('evt', added.id), copied_from_id: toId('evt', row.id) }
    changed({ ids: [ids.event_id], fields: Object.keys(input), revision: stored.revision })
    record({ type: 'event.created', payload: ids })
    return eventView(context, stored)
  },
})

/** Copies of events. */
export const copyOperations = [copyEvent]
