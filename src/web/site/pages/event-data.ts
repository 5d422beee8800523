import { decimalAmount } from '#src/kit/money.ts'
import type { EventView, OccurrenceView, TicketView } from '../reads.ts'
import type { PageRequest } from '../respond.ts'
import { shared } from './picture.ts'

const MODES = {
  online: 'OnlineEventAttendanceMode',
  in_person: 'OfflineEventAttendanceMode',
  hybrid: 'MixedEventAttendanceMode',
} as const

// An event of both kinds has both.
const buildPlaces = ({ location, url, kind }: EventView): object => {
  const places = [
    location !== null && { '@type': 'Place', name: location.name, address: location.address },
    kind !== 'in_person' && { '@type': 'VirtualLocation', url },
  ].filter(place => place !== false)
  return places.length === 0 ? {} : { location: places.length === 1 ? places[0] : places }
}

const MINUTE = 60_000

// The local time with its distance from UTC, as search engines ask for.
const formatLocal = ({ local, utc }: OccurrenceView['starts_at']): string => {
  const minutes = Math.round((Date.parse(`${local}Z`) - Date.parse(utc)) / MINUTE)
  const two = (part: number): string => String(Math.floor(part)).padStart(2, '0')
  return `${local}${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`
}

type Dated = { readonly event: EventView; readonly date: OccurrenceView; readonly tickets: readonly TicketView[] }

const buildOffers = ({ event, date, tickets }: Dated): unknown[] =>
  tickets.map(({ name, amount, least_amount: least, currency }) => ({
    '@type': 'Offer',
    name,
    price: decimalAmount(least ?? amount, currency),
    priceCurrency: currency,
    availability: `https://schema.org/${date.seats_left === 0 ? 'SoldOut' : 'InStock'}`,
    url: event.url,
  }))

/** A date of an event for search engines (https://schema.org/Event). */
export const eventData = ({ event, date, tickets }: Dated, { school }: PageRequest): unknown => ({
  '@context': 'https://schema.org',
  '@type': 'Event',
  name: event.name,
  url: event.url,
  ...(event.description === '' ? {} : { description: event.description }),
  startDate: formatLocal(date.starts_at),
  endDate: formatLocal(date.ends_at),
  offers: buildOffers({ event, date, tickets }),
  eventStatus: `https://schema.org/${date.status === 'cancelled' ? 'EventCancelled' : 'EventScheduled'}`,
  eventAttendanceMode: `https://schema.org/${MODES[event.kind]}`,
  ...buildPlaces(event),
  ...(event.image === null ? {} : { image: shared(event.image) }),
  organizer: { '@type': 'EducationalOrganization', name: school.name, url: school.siteOrigin },
})
