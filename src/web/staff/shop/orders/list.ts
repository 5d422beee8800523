import { OrderPage } from '#src/areas/shop/index.ts'
import { type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { atPage, isReply, languageAt, zoneOf } from '#src/web/page/index.ts'
import { exportList } from '../../csv.ts'
import { staffOf } from '../../page-request.ts'
import type { StaffPagesParts } from '../../parts.ts'
import type { StaffSection } from '../../section.ts'
import { filtersOf, isFiltered, queryOf } from './filters.ts'
import { listPage } from './list-page.ts'
import { ordersText as text } from './text.ts'
import { waitingFor } from './waiting.ts'

const show = async (request: EndpointRequest, { performAs }: StaffPagesParts): Promise<Reply> => {
  const session = await staffOf(request)
  if (isReply(session)) return session
  const filters = filtersOf(request)
  const person = atPage(request, session)
  const query = queryOf(filters, zoneOf(session.member))
  const [page, waiting] = await Promise.all([
    performAs(person, { operation: 'listOrders', query, returns: OrderPage }),
    isFiltered(filters) ? undefined : waitingFor(performAs, person),
  ])
  return listPage({
    school: request.school,
    language: languageAt(request, session),
    viewer: session.member,
    filters,
    orders: page.data,
    next: page.next_cursor,
    waiting,
  })
}

const exportCsv = async (request: EndpointRequest, parts: StaffPagesParts): Promise<Reply> => {
  const session = await staffOf(request)
  if (isReply(session)) return session
  const query = queryOf({ ...filtersOf(request), cursor: '' }, zoneOf(session.member))
  return exportList({ request, session, parts }, { operation: 'listOrders', query })
}

/** GET /staff/orders, and the same list as CSV. */
export const orderList: StaffSection = {
  entries: [{ path: '/staff/orders', name: text.title, about: text.about }],
  pages: [
    parts => endpoint({ route: 'GET /staff/orders', handle: request => show(request, parts) }),
    parts => endpoint({ route: 'GET /staff/orders/csv', handle: request => exportCsv(request, parts) }),
  ],
}
