import { type Dimension, type Metric, namesById } from '#src/contract/metric.ts'
import { cancelledRows, checkedInRows, eventNames, madeRows, missedRows, occurrenceNames } from './metrics.queries.ts'

const event: Dimension = {
  name: 'event',
  title: { en: 'Event', pt: 'Evento' },
  prefixes: ['evt'],
  names: namesById(eventNames),
}

const occurrence: Dimension = {
  name: 'occurrence',
  title: { en: 'Date', pt: 'Data' },
  prefixes: ['occ'],
  names: namesById(occurrenceNames),
}

const cancelledBy: Dimension = {
  name: 'cancelled_by',
  title: { en: 'Cancelled by', pt: 'Cancelada por' },
  labels: {
    person: { en: 'the person', pt: 'a pessoa' },
    host: { en: 'a host or staff', pt: 'um anfitrião ou a equipa' },
    event: { en: 'the cancellation of the event', pt: 'o cancelamento do evento' },
    refund: { en: 'a refund', pt: 'um reembolso' },
    erasure: { en: 'the erasure of the person', pt: 'a eliminação dos dados da pessoa' },
    payment: { en: 'a payment that failed', pt: 'um pagamento falhado' },
  },
}

const counted = { unit: 'count', kind: 'count', who: 'staff', breakdowns: [event, occurrence] } as const

const CHECKED_IN = ['registration.checked_in', 'registration.check_in_undone']
const MOVED = ['registration.moved']

/** The metrics of registrations for events. */
export const registrationMetrics: readonly Metric[] = [
  {
    ...counted,
    name: 'registrations',
    title: { en: 'Registrations', pt: 'Inscrições em eventos' },
    about: {
      en: 'Seats of events that people registered for or waited for, whatever became of them',
      pt: 'Lugares em eventos pedidos ou em lista de espera, seja qual for o seu estado',
    },
    sources: ['registrations.created_at'],
    changes: ['registration.made', 'registration.confirmed', ...MOVED],
    rows: madeRows,
  },
  {
    ...counted,
    name: 'check_ins',
    title: { en: 'Check-ins', pt: 'Entradas' },
    about: { en: 'People who were checked in at events', pt: 'Pessoas cuja entrada em eventos foi registada' },
    sources: ['registrations.checked_in_at'],
    changes: [...CHECKED_IN, ...MOVED],
    rows: checkedInRows,
  },
  {
    ...counted,
    name: 'no_shows',
    title: { en: 'No-shows', pt: 'Faltas' },
    about: {
      en: 'People with a seat who were not checked in, when the date of the event ended',
      pt: 'Pessoas com lugar cuja entrada não foi registada, no fim da data do evento',
    },
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
    title: { en: 'Cancelled registrations', pt: 'Inscrições canceladas' },
    about: {
      en: 'Registrations for events that were cancelled, by when they were cancelled',
      pt: 'Inscrições em eventos que foram canceladas, pela data do cancelamento',
    },
    breakdowns: [event, occurrence, cancelledBy],
    sources: ['registrations.cancelled_at'],
    changes: ['registration.cancelled', ...MOVED],
    rows: cancelledRows,
  },
]
