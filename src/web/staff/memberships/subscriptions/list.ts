import { SubscriptionPage, WaitingCredits } from '#src/areas/memberships/index.ts'
import { MemberPage } from '#src/areas/people/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { zoneOf } from '#src/web/page/index.ts'
import { exportList } from '../../csv.ts'
import type { StaffSection } from '../../section.ts'
import { perform, staffPage, type Visit } from '../../visit.ts'
import { filtersOf, queryOf } from './filters.ts'
import { listPage } from './list-page.ts'
import { subscriptionsText as text } from './text.ts'

const PATH = '/staff/subscriptions'
const FOUND = '8'

const findPeople = async (visit: Visit, q: string) => {
  if (q === '') return undefined
  const call = { operation: 'listMembers', returns: MemberPage } as const
  const page = await perform(visit, {
    ...call,
    query: [
      ['q', q],
      ['limit', FOUND],
    ],
  })
  return page.data
}

const show = async (visit: Visit): Promise<Reply> => {
  const filters = filtersOf(visit.query)
  const q = (visit.query.get('q') ?? '').trim()
  const [page, people, waiting] = await Promise.all([
    perform(visit, {
      operation: 'listSubscriptions',
      query: queryOf(filters, zoneOf(visit.viewer)),
      returns: SubscriptionPage,
    }),
    findPeople(visit, q),
    perform(visit, { operation: 'listWaitingCredits', returns: WaitingCredits }),
  ])
  return listPage({ visit, filters, q, people, subscriptions: page.data, waiting, next: page.next_cursor })
}

const exportCsv = (visit: Visit): Promise<Reply> => {
  const query = queryOf({ ...filtersOf(visit.query), cursor: '' }, zoneOf(visit.viewer))
  return exportList(visit, { operation: 'listSubscriptions', query })
}

/** GET /staff/subscriptions, and the same list as CSV. */
export const subscriptionList: StaffSection = {
  entries: [{ path: PATH, name: text.title, about: text.about }],
  endpoints: parts => [staffPage(`GET ${PATH}`, parts, show), staffPage(`GET ${PATH}/csv`, parts, exportCsv)],
}
