import { analyticsAreas, declaredMetrics } from '#src/areas/analytics/index.ts'
import { appsAreas, readPaths } from '#src/areas/apps/index.ts'
import { consoleAreas } from '#src/areas/console/index.ts'
import { coursesAreas } from '#src/areas/courses/index.ts'
import { eventsAreas } from '#src/areas/events/index.ts'
import { filesAreas } from '#src/areas/files/index.ts'
import { learningAreas } from '#src/areas/learning/index.ts'
import { membershipsAreas } from '#src/areas/memberships/index.ts'
import { movingAreas } from '#src/areas/moving/index.ts'
import { peopleAreas } from '#src/areas/people/index.ts'
import { publishingAreas } from '#src/areas/publishing/index.ts'
import { clientRegistry, declaredMailKinds, schoolAreas } from '#src/areas/school/index.ts'
import { shopAreas } from '#src/areas/shop/index.ts'
import { type Area, routedOperations } from '#src/contract/area.ts'
import type { FindPath } from '#src/contract/fact-envelope.ts'
import { implement, registerHooks } from '#src/contract/hook.ts'
import type { MailKind } from '#src/contract/mail.ts'
import { identityMails } from '#src/identity/index.ts'
import { clientRegistryOfOAuth, oauthMails } from '#src/oauth/index.ts'

/** The areas of the domains in their order; each may import the ones before it. */
export const areas: readonly Area[] = [
  ...schoolAreas,
  ...filesAreas,
  ...peopleAreas,
  ...coursesAreas,
  ...learningAreas,
  ...publishingAreas,
  ...shopAreas,
  ...membershipsAreas,
  ...eventsAreas,
  ...appsAreas,
  ...movingAreas,
  ...analyticsAreas,
  ...consoleAreas,
]

for (const { name, hooks = [] } of areas) registerHooks(name, hooks)

/** The kinds of mail of identity, the authorization server and areas. */
export const listMailKinds = (all: readonly Area[]): readonly MailKind[] => [
  ...Object.values(identityMails),
  ...Object.values(oauthMails),
  ...all.flatMap(({ mails = [] }) => mails),
]

const paths = new Map(
  routedOperations(areas).flatMap(({ id, method, path }) => (method === 'GET' ? [[id, path] as const] : [])),
)

const findReadPath: FindPath = id => paths.get(id)

// What the areas know of mails, metrics and clients, which are above or beside them.
registerHooks('application', [
  implement(declaredMailKinds, async () => listMailKinds(areas)),
  implement(declaredMetrics, async () => areas.flatMap(({ metrics = [] }) => metrics)),
  implement(readPaths, async () => findReadPath),
  implement(clientRegistry, async () => clientRegistryOfOAuth),
])
