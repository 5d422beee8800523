import { fill } from '#src/contract/language.ts'
import { cleanLine } from '#src/kit/text.ts'
import { commentsBelow } from './comments.ts'
import { eventText as text } from './event-text.ts'
import type { SiteView } from './frame.ts'
import { eventMain } from './pages/event.ts'
import { eventData } from './pages/event-data.ts'
import { eventsMain } from './pages/events.ts'
import { crumbsData, listData } from './pages/item-data.ts'
import type { OwnSeats } from './pages/own.ts'
import { shared } from './pages/picture.ts'
import { moved, type PageRequest, type ShowPage } from './respond.ts'

const PAGE = '24'
const DATES = '50'
const MAX_CURSOR = 500

/** GET /events: the events that come next, or with `past` those that are over, in pages. */
export const showEvents: ShowPage = async (page): Promise<SiteView> => {
  const { reads, request, school, language } = page
  const query = new URLSearchParams(request.query)
  const cursor = cleanLine(query.get('cursor') ?? '', MAX_CURSOR)
  const isPast = query.has('past')
  const { data, next_cursor: next } = await reads.events([
    ['limit', PAGE],
    ['ended', String(isPast)],
    ...(isPast ? ([['sort', '-starts_at']] as const) : ([['status', 'published']] as const)),
    ...(cursor === '' ? [] : [['cursor', cursor] as const]),
  ])
  return {
    title: fill(isPast ? text.pastTitle : text.title, language),
    description: fill(text.intro, language, { school: school.name }),
    // The other pages change with every new event.
    path: cursor === '' && !isPast ? '/events' : undefined,
    returnTo: '/events',
    jsonLd: listData(
      page,
      data.map(({ name, slug }) => ({ name, path: `/events/${slug}` })),
    ),
    main: eventsMain({ page, events: data, next, isFirst: cursor === '', isPast }),
  }
}

const readSeats = async ({ own }: PageRequest, eventId: string): Promise<OwnSeats> => {
  const registrations = (await own?.registrations(eventId)) ?? []
  const isUnpaid = registrations.some(({ status }) => status === 'awaiting_payment')
  return { registrations, waiting: isUnpaid && own !== undefined ? await own.waiting() : [] }
}

/** GET /events/:slug: an event with its dates; an earlier slug leads to the current one. */
export const showEvent: ShowPage = async page => {
  const { reads, request } = page
  const slug = request.params.slug ?? ''
  const event = await reads.event(slug)
  const path = `/events/${event.slug}`
  if (event.slug !== slug) return moved(path)
  const [{ data: dates, has_more: hasMore }, { data: tickets }, lecturers, course, comments, offering, seats] =
    await Promise.all([
      reads.occurrences(event.id, [
        ['ended', 'false'],
        ['limit', DATES],
      ]),
      reads.tickets(event.id),
      reads.lecturers([['limit', '100']]),
      event.course_id === null ? undefined : reads.courseWithId(event.course_id),
      commentsBelow(page, event.id),
      reads.offering(page.person?.member),
      readSeats(page, event.id),
    ])
  const { canSell, missing } = offering
  const hosts = lecturers.data.filter(({ id }) => event.lecturer_ids.some(one => one === id))
  const view: SiteView = {
    title: event.seo.title ?? event.name,
    description: event.seo.description ?? event.description,
    // Nobody looks for an event that does not take place.
    path: event.status === 'cancelled' ? undefined : path,
    returnTo: path,
    image: shared(event.image),
    jsonLd: [
      ...dates.slice(0, 10).map(date => eventData({ event, date, tickets }, page)),
      crumbsData(page, [
        { name: fill(text.title, page.language), path: '/events' },
        { name: event.name, path },
      ]),
    ],
    main: eventMain({ page, event, dates, hasMore, tickets, canSell, missing, hosts, course, comments, seats }),
  }
  return view
}
