import { LecturerPage } from '#src/areas/courses/index.ts'
import { Event, OccurrencePage, TicketTypePage } from '#src/areas/events/index.ts'
import { readOffering } from '#src/areas/school/index.ts'
import { redirect } from '#src/web/page/index.ts'
import { eventMain } from '#src/web/site/index.ts'
import { commentsOn } from './comments.ts'
import { framed } from './frame.ts'
import { type Answer, read } from './visit.ts'

/** GET /account/events/:slug/details: an event as the person who is signed in finds it, such as one for members; it is never stored. */
export const showEvent: Answer = async (visit, parts) => {
  const slug = visit.request.params.slug ?? ''
  const event = await read(visit, parts, {
    operation: 'getEvent',
    params: { event_id: `slug:${slug}` },
    returns: Event,
  })
  if (event.slug !== slug) return redirect(`/account/events/${event.slug}/details`)
  const params = { event_id: event.id }
  const coming = [
    ['ended', 'false'],
    ['limit', '50'],
  ] as const
  const all = [['limit', '100']] as const
  const [dates, tickets, lecturers, comments, { canSell }] = await Promise.all([
    read(visit, parts, { operation: 'listOccurrences', params, query: coming, returns: OccurrencePage }),
    read(visit, parts, { operation: 'listTicketTypes', params, query: all, returns: TicketTypePage }),
    read(visit, parts, { operation: 'listLecturers', query: all, returns: LecturerPage }),
    commentsOn(visit, parts, event.id),
    readOffering(visit.request),
  ])
  const hosts = lecturers.data.filter(({ id }) => event.lecturer_ids.some(one => one === id))
  const shown = { dates: dates.data, hasMore: dates.has_more, tickets: tickets.data, canSell }
  return framed(visit, { title: event.name, main: eventMain({ page: visit, event, ...shown, hosts, comments }) })
}
