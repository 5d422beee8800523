import type { EventView, OccurrenceView } from '../reads.ts'
import type { PageRequest } from '../respond.ts'
import { shared } from './picture.ts'

const MODES = {
  online: 'OnlineEventAttendanceMode',
  in_person: 'OfflineEventAttendanceMode',
  hybrid: 'MixedEventAttendanceMode',
} as const

const placeOf = ({ location, url, kind }: EventView): unknown => {
  if (location === null) return kind === 'in_person' ? {} : { location: { '@type': 'VirtualLocation', url } }
  return { location: { '@type': 'Place', name: location.name, address: location.address } }
}

/** A date of an event for search engines (https://schema.org/Event). */
export const eventData = (event: EventView, date: OccurrenceView, { school }: PageRequest): unknown => ({
  '@context': 'https://schema.org',
  '@type': 'Event',
  name: event.name,
  url: event.url,
  startDate: date.starts_at.utc,
  endDate: date.ends_at.utc,
  eventStatus: `https://schema.org/${date.status === 'cancelled' ? 'EventCancelled' : 'EventScheduled'}`,
  eventAttendanceMode: `https://schema.org/${MODES[event.kind]}`,
  ...(placeOf(event) as object),
  ...(event.image === null ? {} : { image: shared(event.image) }),
  organizer: { '@type': 'EducationalOrganization', name: school.name, url: school.baseUrl },
})
