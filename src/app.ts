import { createStaticPages } from '#src/areas/publishing/index.ts'
import { listMailKinds, areas as productAreas } from '#src/areas.ts'
import type { Area, EndpointParts } from '#src/contract/area.ts'
import type { Endpoint, Fallback } from '#src/contract/endpoint.ts'
import type { Outside } from '#src/contract/outside.ts'
import type { CallAsPerson } from '#src/contract/page-call.ts'
import type { Files } from '#src/contract/store.ts'
import type { OpenDatabase } from '#src/db/database.ts'
import { type InvalidationUrls, listenForInvalidation, noInvalidation } from '#src/db/invalidation.ts'
import { listSchools } from '#src/db/schools.ts'
import {
  createCallAsPerson,
  createConfirmations,
  createExportAsPerson,
  createServer,
  type ServerParts,
  siteEndpoints,
} from '#src/http/index.ts'
import { purposeKey, systemRandom } from '#src/kit/crypto.ts'
import { networks } from '#src/kit/net.ts'
import { buildScopes, createOAuth } from '#src/oauth/index.ts'
import { createPrinter } from '#src/print/index.ts'
import { createAccountPages } from '#src/web/account/index.ts'
import { createCheckoutPages } from '#src/web/checkout/index.ts'
import { createFormPages } from '#src/web/forms/index.ts'
import { createLearnPages } from '#src/web/learn/index.ts'
import { schemeFallback, viewingFallback, withScheme, withViewing } from '#src/web/page/index.ts'
import { createSitePages } from '#src/web/site/index.ts'
import { createStaffPages, type StaffPagesParts } from '#src/web/staff/index.ts'

/** The parts of an application. */
type AppParts = {
  readonly database: OpenDatabase
  /**
   * How changes that invalidate token decisions are received; unset: not at all, and each token is looked up each time.
   */
  readonly changes?: InvalidationUrls | undefined
  readonly secret: string
  readonly trustProxy: string
  readonly log: ServerParts['log']
  /** Whether the response for an unknown host lists the served addresses: on loopback only. */
  readonly tellsHosts: boolean
  readonly rates?: ServerParts['rates']
  readonly publicAge?: ServerParts['publicAge']
  readonly compresses?: ServerParts['compresses']
  /** How external addresses are fetched; unset: from the Internet. */
  readonly outside?: Outside | undefined
  readonly ready: ServerParts['ready']
  /** Where uploaded files are stored. */
  readonly files: Files
  /** Where mails are sent; unset: they are written to files. */
  readonly mailServer?: StaffPagesParts['mailServer']
  /** Whether a request fails if its guard did not run; for tests. */
  readonly checksGuards?: boolean | undefined
  /** Areas beside those of the product; for tests. */
  readonly moreAreas?: readonly Area[] | undefined
  /** Answers GET at paths that nothing else has, instead of the site; for tests. */
  readonly fallback?: Fallback | undefined
  /** Pages beside those of the product; for tests. */
  readonly morePages?: ((parts: { readonly performAs: CallAsPerson }) => readonly Endpoint[]) | undefined
}

const MAX_SERVED = 20

// On a loopback listener a request for `localhost` gets links to the schools.
const publicBaseUrls = async (database: OpenDatabase, tellsHosts: boolean): Promise<readonly string[]> =>
  tellsHosts ? (await listSchools(database.shared)).slice(0, MAX_SERVED).map(({ baseUrl }) => baseUrl) : []

// Derived once for each purpose, since many links to files are signed at once.
const createKeys = (secret: string): ((purpose: string) => Buffer) => {
  const keys = new Map<string, Buffer>()
  return purpose => {
    const key = keys.get(purpose) ?? purposeKey(secret, purpose)
    keys.set(purpose, key)
    return key
  }
}

/** What the pages of the product need. */
type PagesParts = Omit<StaffPagesParts, 'summaries'>

/** The pages of the product: their endpoints, and what answers GET at paths that nothing else has. */
export const createPages = (areas: readonly Area[], parts: PagesParts) => {
  const random = systemRandom
  const site = createSitePages(parts)
  const summaries = new Map(
    areas.flatMap(({ operations }) => operations.map(({ id, summary }) => [id, summary] as const)),
  )
  const accountParts = {
    ...parts,
    random,
    scopes: buildScopes(areas),
    mailKinds: listMailKinds(areas),
    summaries,
  }
  const own = [createAccountPages(accountParts), createStaffPages({ ...parts, summaries }), createLearnPages(parts)]
  // Providers lead back to the page of an order, which is one of the account; the steps before it lead nowhere else.
  const checkout = createCheckoutPages(accountParts).map(one =>
    one.route === 'GET /checkout/:checkout_id' ? site.withHeader(one) : one,
  )
  const others = [checkout, createFormPages({ ...parts, random })]
  const endpoints = [...own.flat().map(site.withHeader), ...others.flat(), ...site.endpoints]
  return {
    endpoints: endpoints.map(one => withScheme(withViewing(one))),
    fallback: schemeFallback(viewingFallback(site.fallback)),
  }
}

/** The endpoints of the areas beside their operations, and those that describe the API. */
export const listEndpoints = (areas: readonly Area[], parts: EndpointParts): Endpoint[] => [
  ...areas.flatMap(area => area.endpoints?.(parts) ?? []),
  ...siteEndpoints(areas),
]

/** Puts the application together: the areas, the authorization server and the HTTP server over one database. */
export const createApp = (parts: AppParts) => {
  const { database, secret, outside, files, moreAreas = [] } = parts
  const areas = [...productAreas, ...moreAreas]
  const keyFor = createKeys(secret)
  // New connections are checked, or led to the database that can be written.
  const changes =
    parts.changes === undefined ? noInvalidation : listenForInvalidation(parts.changes, () => database.renew())
  const { endpoints, authenticate, lockCaller } = createOAuth({
    database,
    changes,
    areas,
    secret,
    random: systemRandom,
    outside,
  })
  const operations = areas.flatMap(area => area.operations)
  const confirmations = createConfirmations({ database, operations, lockCaller, files, keyFor })
  const printer = createPrinter()
  const callParts = { database, operations, files, keyFor, checksGuards: parts.checksGuards }
  const performAs = createCallAsPerson(callParts)
  const pageParts = { secret, confirmations, performAs, mailServer: parts.mailServer }
  const exportAs = createExportAsPerson(callParts)
  const pages = createPages(areas, { ...pageParts, keyFor, files, printer, exportAs })
  const server = createServer({
    database,
    areas,
    endpoints: [
      ...endpoints,
      ...pages.endpoints,
      ...listEndpoints(areas, { files, printer, keyFor }),
      ...(parts.morePages?.(pageParts) ?? []),
    ],
    fallback: parts.fallback ?? pages.fallback,
    staticPages: createStaticPages({ files, keyFor }),
    authenticate,
    changes,
    files,
    keyFor,
    isProxy: networks(parts.trustProxy),
    log: parts.log,
    rates: parts.rates,
    publicAge: parts.publicAge,
    compresses: parts.compresses,
    ready: parts.ready,
    checksGuards: parts.checksGuards,
    publicBaseUrls: () => publicBaseUrls(database, parts.tellsHosts),
  })
  server.addHook('onClose', () => Promise.all([changes.stop(), printer.stop()]).then(() => undefined))
  return server
}
