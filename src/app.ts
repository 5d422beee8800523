import { areas } from '#src/areas.ts'
import type { Files } from '#src/contract/store.ts'
import type { OpenDatabase } from '#src/db/database.ts'
import { type InvalidationUrls, listenForInvalidation, noInvalidation } from '#src/db/invalidation.ts'
import { listSchools } from '#src/db/schools.ts'
import {
  createCallAsPerson,
  createConfirmations,
  createServer,
  type ServerParts,
  siteEndpoints,
} from '#src/http/index.ts'
import { purposeKey, systemRandom } from '#src/kit/crypto.ts'
import { networks } from '#src/kit/net.ts'
import { createOAuth, type Outside, scopesOf } from '#src/oauth/index.ts'
import { createPrinter } from '#src/print/index.ts'
import { createAccountPages } from '#src/web/account/index.ts'
import { createStaffPages } from '#src/web/staff/index.ts'

/** What an application is made of. */
export type AppParts = {
  readonly database: OpenDatabase
  /** Where changes to what a token decision depends on are heard; unset: nowhere, and each token is looked up each time. */
  readonly changes?: InvalidationUrls | undefined
  readonly secret: string
  readonly trustProxy: string
  readonly log: ServerParts['log']
  /** Whether a person who asked for an unknown host may be told which addresses are served: on loopback only. */
  readonly tellsHosts: boolean
  readonly rates?: ServerParts['rates']
  /** How the addresses of others are reached; unset: the Internet. */
  readonly outside?: Outside | undefined
  readonly ready: ServerParts['ready']
  /** Where uploaded files lie. */
  readonly files: Files
  /** Whether requests fail whose guard did not run; for tests. */
  readonly checksGuards?: boolean | undefined
}

const MAX_SERVED = 20

// On a loopback listener a person who typed `localhost` is led to the schools.
const servedHere = async (database: OpenDatabase, tellsHosts: boolean): Promise<readonly string[]> =>
  tellsHosts ? (await listSchools(database.shared)).slice(0, MAX_SERVED).map(({ baseUrl }) => baseUrl) : []

// Derived once for each purpose: deriving is not free, and links to files are signed by the dozen.
const keysOf = (secret: string): ((purpose: string) => Buffer) => {
  const known = new Map<string, Buffer>()
  return purpose => {
    const key = known.get(purpose) ?? purposeKey(secret, purpose)
    known.set(purpose, key)
    return key
  }
}

/** Puts the application together: the areas, the authorization server and the HTTP server over one database. */
export const createApp = (parts: AppParts) => {
  const { database, secret, outside, files } = parts
  const keyFor = keysOf(secret)
  const changes = parts.changes === undefined ? noInvalidation : listenForInvalidation(parts.changes)
  const { endpoints, authenticate, holdCaller } = createOAuth({
    database,
    changes,
    areas,
    secret,
    random: systemRandom,
    outside,
  })
  const operations = areas.flatMap(area => area.operations)
  const confirmations = createConfirmations({ database, operations, holdGrant: holdCaller, files, keyFor })
  const printer = createPrinter()
  const performAs = createCallAsPerson({ database, operations, files, keyFor })
  const pageParts = { secret, confirmations, performAs }
  const portal = createAccountPages({ ...pageParts, random: systemRandom, scopes: scopesOf(areas) })
  const staff = createStaffPages(pageParts)
  const server = createServer({
    database,
    areas,
    endpoints: [
      ...endpoints,
      ...portal,
      ...staff,
      ...areas.flatMap(area => area.endpoints?.({ files, printer, keyFor }) ?? []),
      ...siteEndpoints(areas),
    ],
    authenticate,
    files,
    keyFor,
    isProxy: networks(parts.trustProxy),
    log: parts.log,
    rates: parts.rates,
    ready: parts.ready,
    checksGuards: parts.checksGuards,
    servedHere: () => servedHere(database, parts.tellsHosts),
  })
  server.addHook('onClose', () => Promise.all([changes.stop(), printer.stop()]).then(() => undefined))
  return server
}
