import { SubscriptionPage, WaitingCredits } from '#src/areas/memberships/index.ts'
import { MemberPage } from '#src/areas/people/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { page, zoneOf } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { exportList } from '../../csv.ts'
import type { StaffSection } from '../../section.ts'
import { filtersOf, queryOf } from './filters.ts'
import { listPage } from './list-page.ts'
import { subscriptionsText as text } from './text.ts'

const PATH = '/staff/subscriptions'
const FOUND = '8'

const findPeople = async (context: StaffContext, q: string) => {
  if (q === '') return undefined
  const call = { operation: 'listMembers', returns: MemberPage } as const
  const page = await context.call({
    ...call,
    query: [
      ['q', q],
      ['limit', FOUND],
    ],
  })
  return page.data
}

const show = async (context: StaffContext): Promise<Reply> => {
  const filters = filtersOf(context.query)
  const q = (context.query.get('q') ?? '').trim()
  const [page, people, waiting] = await Promise.all([
    context.call({
      operation: 'listSubscriptions',
      query: queryOf(filters, zoneOf(context.viewer)),
      returns: SubscriptionPage,
    }),
    findPeople(context, q),
    context.call({ operation: 'listWaitingCredits', returns: WaitingCredits }),
  ])
  return listPage({ context, filters, q, people, subscriptions: page.data, waiting, next: page.next_cursor })
}

const exportCsv = (context: StaffContext): Promise<Reply> => {
  const query = queryOf({ ...filtersOf(context.query), cursor: '' }, zoneOf(context.viewer))
  return exportList(context, { operation: 'listSubscriptions', query })
}

/** GET /staff/subscriptions, and the same list as CSV. */
export const subscriptionList: StaffSection = {
  entries: [{ path: PATH, name: text.title, about: text.about }],
  pages: [page(`GET ${PATH}`, staff, show), page(`GET ${PATH}/csv`, staff, exportCsv)],
}
