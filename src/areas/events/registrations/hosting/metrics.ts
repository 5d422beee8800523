import { type Dimension, type Metric, namesById } from '#src/contract/metric.ts'
import { texts } from '#src/texts/index.ts'
import { cancelledRows, checkedInRows, eventNames, madeRows, missedRows, occurrenceNames } from './metrics.queries.ts'

const words = texts.events.eventHosting.metrics

const event: Dimension = {
  name: 'event',
  title: texts.words.event,
  prefixes: ['evt'],
  names: namesById(eventNames),
}

const occurrence: Dimension = {
  name: 'occurrence',
  title: texts.words.date,
  prefixes: ['occ'],
  names: namesById(occurrenceNames),
}

const cancelledBy: Dimension = {
  name: 'cancelled_by',
  title: words.cancelledBy.title,
  labels: words.cancelledBy.labels,
}

const counted = { unit: 'count', kind: 'count', who: 'staff', breakdowns: [event, occurrence] } as const

const CHECKED_IN = ['registration.checked_in', 'registration.check_in_undone']
const MOVED = ['registration.moved']

/** The metrics of registrations for events. */
export const registrationMetrics: readonly Metric[] = [
  {
    ...counted,
    name: 'registrations',
    title: words.registrationMetrics.title,
    about: words.registrationMetrics.about,
    sources: ['registrations.created_at'],
    changes: ['registration.made', 'registration.confirmed', ...MOVED],
    rows: madeRows,
  },
  {
    ...counted,
    name: 'check_ins',
    title: words.registrationMetrics.checkIns,
    about: words.registrationMetrics.peopleWhoWereCheckedIn,
    sources: ['registrations.checked_in_at'],
    changes: [...CHECKED_IN, ...MOVED],
    rows: checkedInRows,
  },
  {
    ...counted,
    name: 'no_shows',
    title: words.registrationMetrics.noShows,
    about: words.registrationMetrics.peopleWithASeatWho,
    sources: ['occurrences.ended_at'],
    changes: [
      ...['occurrence.ended', 'occurrence.rescheduled', 'occurrence.cancelled', 'event.cancelled'],
      ...['registration.made', 'registration.confirmed', 'registration.cancelled', ...CHECKED_IN, ...MOVED],
    ],
    rows: missedRows,
  },
  {
    ...counted,
    name: 'cancelled_registrations',
    title: words.registrationMetrics.cancelledRegistrations,
    about: words.registrationMetrics.registrationsForEventsThatWere,
    breakdowns: [event, occurrence, cancelledBy],
    sources: ['registrations.cancelled_at'],
    changes: ['registration.cancelled', ...MOVED],
    rows: cancelledRows,
  },
]
