import type { Static } from 'typebox'
import {
  Cancellation,
  cancelOccurrences,
  deleteJobs,
  Event,
  EventRef,
  type EventRow,
  eventExamples,
  eventInUse,
  eventStatus,
  eventView,
  eventWarnings,
  getEvent,
  getOccurrence,
  listEventOccurrences,
  lockEvent,
  lockOccurrenceRows,
  lockOwnEvent,
  lockOwnOccurrence,
  Occurrence,
  OccurrenceRef,
  occurrenceExample,
  occurrenceRegistrations,
  occurrencesCancelled,
  occurrenceView,
  type Registered,
} from '#src/areas/events/events/index.ts'
import { isStaff } from '#src/contract/caller.ts'
import type { Effects } from '#src/contract/fact.ts'
import { fillEach } from '#src/contract/language.ts'
import { declareFor, type WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, roleRequired } from '#src/contract/problems.ts'
import { publishable } from '#src/contract/publishable.ts'
import { toId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'

const registeredFor = async (
  { db, school }: Pick<WriteContext, 'db' | 'school'>,
  occurrenceIds: readonly string[],
): Promise<Registered> => {
  const all = await occurrenceRegistrations.call({ occurrenceIds }, { db, school })
  return all
    .flatMap(one => [...one.values()])
    .reduce(
      (sum, one) => ({
        active: sum.active + one.active,
        people: sum.people + one.people,
        ever: sum.ever + one.ever,
        isPaid: sum.isPaid || one.isPaid,
      }),
      { active: 0, people: 0, ever: 0, isPaid: false },
    )
}

// Dates that can still be cancelled, locked in the order of their ids.
const lockOpen = async ({ db, school }: Pick<WriteContext, 'db' | 'school'>, row: EventRow): Promise<string[]> => {
  const dates = await listEventOccurrences(db, school.id, row.id)
  const open = dates.filter(({ status, is_ended: isOver }) => status === 'scheduled' && !isOver)
  return lockOccurrenceRows(
    db,
    school.id,
    open.map(({ id }) => id),
  )
}

const publication = publishable(eventStatus, {
  scope: 'events:write',
  path: '/events/:event_id',
  params: EventRef,
  returns: Event,
  called: ['an event', 'event'],
  lock: lockEvent,
  get: getEvent,
  view: eventView,
  publish: {
    description:
      'Publishes a draft: those for whom it is meant find it and can register. `warnings` says so where a ticket costs something and the school cannot be paid (`cannot_be_paid`).',
    example: eventExamples.draft,
    effect: texts.events.eventDates.status.operations.published,
    warnings: async ({ db, school }, _event, { id }) =>
      (await eventWarnings.call({ eventId: id }, { db, school })).flat(),
  },
  unpublish: {
    description:
      'Turns a published event back into a draft, which its hosts and staff alone find. An event for which people are registered is cancelled instead.',
    example: eventExamples.draft,
    fails: [invalidState, eventInUse],
    async check(context, row) {
      if (row.status === 'cancelled') throw new Refusal(invalidState, 'The event is cancelled and cannot become draft.')
      const { active } = await registeredFor(context, await lockOpen(context, row))
      if (active > 0) throw new Refusal(eventInUse, 'People are registered for the event.')
    },
  },
})

type Terms = Static<typeof Cancellation>

// Staff alone decide on money that was taken.
const checkMayCancel = ({ caller, requireProof }: WriteContext, { refund }: Terms, { isPaid }: Registered): void => {
  if (!isPaid) return
  if (!isStaff(caller)) throw new Refusal(roleRequired, 'People have paid, so only staff may cancel this.')
  if (refund === 'all') requireProof('recent')
}

const cancelledEffects = ({ people }: Registered): Effects => ({
  mail: fillEach(texts.events.eventDates.status.operations.mail, { n: people }),
})

// Cancels dates that are locked, and returns what this does to those who are registered.
const cancelDates = async (context: WriteContext, ids: readonly string[], terms: Terms): Promise<void> => {
  const { db, school, now, record } = context
  const occurrenceIds = await cancelOccurrences(db, school.id, ids, terms.reason)
  await deleteJobs(db, school.id, occurrenceIds)
  if (occurrenceIds.length === 0) return
  const asked = { ...terms, message: terms.message ?? '', occurrenceIds, now }
  for (const fact of (await occurrencesCancelled.call(asked, { db, school })).flat()) record(fact)
}

const cancelOccurrence = declareFor('lecturer_of', 'events', {
  id: 'cancelOccurrence',
  route: 'PUT /occurrences/:occurrence_id/cancellation',
  summary: 'Cancel a date',
  description:
    'Cancels one date of an event for good, and tells those who are registered by mail; `refund` says whether those who paid get their money back. Where people are registered, a person has to confirm it. `dry_run` returns the sums. Where money was taken, only staff may do this.',
  confirm: 'person',
  ifMatch: 'honoured',
  params: OccurrenceRef,
  body: Cancellation,
  returns: Occurrence,
  fails: [invalidState],
  example: { params: occurrenceExample, body: { reason: 'The oven is being repaired', refund: 'all' } },
  async handle(context) {
    const { params, body, requireMatch, changed, record, waiveConfirmation } = context
    const dated = await lockOwnOccurrence(context, params.occurrence_id)
    const { occurrence: row } = dated
    await requireMatch(row.revision, () => occurrenceView(context, dated))
    const registered = await registeredFor(context, [row.id])
    checkMayCancel(context, body, registered)
    if (registered.active === 0 || row.status === 'cancelled') waiveConfirmation()
    if (row.status === 'cancelled') return occurrenceView(context, dated)
    if (row.is_ended) throw new Refusal(invalidState, 'The date is over.')
    await cancelDates(context, [row.id], body)
    const stored = await getOccurrence(context, row.id)
    const { sequence, revision } = stored.occurrence
    const ids = { occurrence_id: toId('occ', row.id), event_id: toId('evt', row.event_id) }
    changed({ ids: [ids.occurrence_id], fields: ['status'], revision })
    record({
      type: 'occurrence.cancelled',
      payload: { ...ids, sequence, refund: body.refund },
      effects: cancelledEffects(registered),
    })
    return occurrenceView(context, stored)
  },
})

const cancelEvent = declareFor('lecturer_of', 'events', {
  id: 'cancelEvent',
  route: 'PUT /events/:event_id/cancellation',
  summary: 'Cancel an event',
  description:
    'Cancels a published event for good with all of its dates that are not over, and tells those who are registered by mail; `refund` says whether those who paid get their money back. Where people are registered, a person has to confirm it. `dry_run` returns the sums. Where money was taken, only staff may do this.',
  confirm: 'person',
  ifMatch: 'honoured',
  params: EventRef,
  body: Cancellation,
  returns: Event,
  fails: [invalidState],
  example: { params: eventExamples.weekly, body: { reason: 'We have moved', refund: 'all' } },
  async handle(context) {
    const { params, body, requireMatch, record, waiveConfirmation } = context
    const row = await lockOwnEvent(context, params.event_id)
    await requireMatch(row.revision, () => eventView(context, row))
    const open = await lockOpen(context, row)
    const registered = await registeredFor(context, open)
    checkMayCancel(context, body, registered)
    if (registered.active === 0 || row.status === 'cancelled') waiveConfirmation()
    if (row.status === 'cancelled') return eventView(context, row)
    if (row.status !== 'published') throw new Refusal(invalidState, 'The event is draft and cannot become cancelled.')
    await cancelDates(context, open, body)
    const event = toId('evt', row.id)
    for (const id of open)
      record({
        type: 'occurrence.cancelled',
        payload: { occurrence_id: toId('occ', id), event_id: event, refund: body.refund },
        effects: { access: texts.events.eventDates.status.operations.dateCancelled },
      })
    return publication.move(context, row, { to: 'cancelled', verb: 'cancelled', effects: cancelledEffects(registered) })
  },
})

/** The operations that change the status of an event or of a date, in the order of the documentation. */
export const statusOperations = [...publication.operations, cancelOccurrence, cancelEvent]
