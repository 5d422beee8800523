import type { Area } from '#src/contract/area.ts'
import type { Database } from '#src/contract/db.ts'
import type { Endpoint, Fallback } from '#src/contract/endpoint.ts'
import type { Files } from '#src/contract/store.ts'
import type { Invalidation } from '#src/db/invalidation.ts'
import type { Authenticate } from './bearer.ts'
import type { Rate, rates } from './limits.ts'

/** Whether requests can be served, or the reason why not, and warnings for the operator: public codes of one word. */
export type Readiness = { readonly ready: boolean; readonly reason?: string; readonly warnings?: readonly string[] }

/** The parts of a server. */
export type ServerParts = {
  readonly database: Database
  readonly areas: readonly Area[]
  readonly endpoints: readonly Endpoint[]
  /** Answers GET at paths that nothing else has, outside the API, the OAuth endpoints and the webhooks. */
  readonly fallback?: Fallback | undefined
  /** Answers GET at every path of the hosts for uploaded pages. */
  readonly staticPages: Endpoint['handle']
  readonly authenticate: Authenticate
  /** The changes that this process receives, which wake the requests that wait for them. */
  readonly changes: Pick<Invalidation, 'heardUntil' | 'onNotice'>
  readonly files: Files
  /** A key for one purpose, derived from the installation's secret. */
  keyFor(purpose: string): Buffer
  readonly isProxy: (address: string) => boolean
  readonly log: { readonly level: string; readonly stream?: { write(line: string): void } | undefined }
  readonly rates?: Readonly<Record<keyof typeof rates, Rate>> | undefined
  /** How long responses without a token are used after they were read, in milliseconds; unset: `limits.publicAge`. */
  readonly publicAge?: number | undefined
  /** Whether responses are compressed by what requests accept; unset: they are. */
  readonly compresses?: boolean | undefined
  /** Makes an operation for lecturers or holders fail when its handler ran no guard; used in tests. */
  readonly checksGuards?: boolean | undefined
  /** Checks whether the database is available and migrated, for `/readyz`. */
  ready(): Promise<Readiness>
  /** The base URLs of schools that the page for an unknown host may show. */
  publicBaseUrls(): Promise<readonly string[]>
}
