import type { Area } from '#src/contract/area.ts'
import type { OpenDatabase } from '#src/db/database.ts'
import { listSchools } from '#src/db/schools.ts'
import { createServer, type ServerParts, siteEndpoints } from '#src/http/index.ts'
import { systemRandom } from '#src/kit/crypto.ts'
import { networks } from '#src/kit/net.ts'
import { createOAuth } from '#src/oauth/index.ts'
import { account } from './areas/account/index.ts'
import { analytics } from './areas/analytics/index.ts'
import { appearance } from './areas/appearance/index.ts'
import { comments } from './areas/comments/index.ts'
import { coupons } from './areas/coupons/index.ts'
import { courses } from './areas/courses/index.ts'
import { curriculum } from './areas/curriculum/index.ts'
import { digitalProducts } from './areas/digital_products/index.ts'
import { events } from './areas/events/index.ts'
import { forms } from './areas/forms/index.ts'
import { lecturers } from './areas/lecturers/index.ts'
import { members } from './areas/members/index.ts'
import { membershipPlans } from './areas/membership_plans/index.ts'
import { orders } from './areas/orders/index.ts'
import { pages } from './areas/pages/index.ts'
import { posts } from './areas/posts/index.ts'
import { school } from './areas/school/index.ts'
import { storage } from './areas/storage/index.ts'
import { students } from './areas/students/index.ts'
import { subscriptions } from './areas/subscriptions/index.ts'

/** The twenty areas, in the order in which they may build on each other. */
export const areas: readonly Area[] = [
  school,
  members,
  storage,
  appearance,
  lecturers,
  courses,
  curriculum,
  students,
  digitalProducts,
  membershipPlans,
  coupons,
  events,
  orders,
  subscriptions,
  posts,
  pages,
  forms,
  comments,
  analytics,
  account,
]

/** What an application is made of. */
export type AppParts = {
  readonly database: OpenDatabase
  readonly secret: string
  readonly trustProxy: string
  readonly log: ServerParts['log']
  /** Whether a person who asked for an unknown host may be told which addresses are served: on loopback only. */
  readonly tellsHosts: boolean
  readonly rates?: ServerParts['rates']
  readonly ready: ServerParts['ready']
}

const unknownHost = async (database: OpenDatabase, tellsHosts: boolean): Promise<string> => {
  if (!tellsHosts) return 'No school is served under this host.'
  const schools = await listSchools(database.shared)
  return `No school is served under this host. Served here: ${schools.map(({ baseUrl }) => baseUrl).join(', ')}`
}

/** Puts the application together: the areas, the authorization server and the HTTP server over one database. */
export const createApp = (parts: AppParts) => {
  const { database, secret } = parts
  const { endpoints, authenticate } = createOAuth({ database, areas, secret, random: systemRandom })
  return createServer({
    database,
    areas,
    endpoints: [...endpoints, ...siteEndpoints(areas)],
    authenticate,
    isProxy: networks(parts.trustProxy),
    log: parts.log,
    rates: parts.rates,
    ready: parts.ready,
    unknownHost: () => unknownHost(database, parts.tellsHosts),
  })
}
