import type { Area } from '#src/contract/area.ts'
import type { Database } from '#src/contract/db.ts'
import type { Endpoint } from '#src/contract/endpoint.ts'
import type { Files } from '#src/contract/store.ts'
import type { Authenticate } from './bearer.ts'
import type { Rate, rates } from './limits.ts'

/** Whether requests can be served, or why not, and what else an operator should know: each in one word that may be public. */
export type Readiness = { readonly ready: boolean; readonly why?: string; readonly warnings?: readonly string[] }

/** What a server is made of. */
export type ServerParts = {
  readonly database: Database
  readonly areas: readonly Area[]
  readonly endpoints: readonly Endpoint[]
  readonly authenticate: Authenticate
  readonly files: Files
  /** A key for one purpose, derived from the installation's secret. */
  keyFor(purpose: string): Buffer
  readonly isProxy: (address: string) => boolean
  readonly log: { readonly level: string; readonly stream?: { write(line: string): void } | undefined }
  readonly rates?: Readonly<Record<keyof typeof rates, Rate>> | undefined
  /** Whether an operation for lecturers or holders whose handler ran no guard fails, as in tests. */
  readonly checksGuards?: boolean | undefined
  /** Says whether the database is there and migrated, for `/readyz`. */
  ready(): Promise<Readiness>
  /** The base URLs that a person who asked for a host of no school may be told. */
  servedHere(): Promise<readonly string[]>
}
