import type { Database } from './db.ts'
import type { Endpoint } from './endpoint.ts'
import type { FactHandler } from './fact.ts'
import type { Implementation } from './hook.ts'
import type { JobHandler } from './job.ts'
import type { Operation } from './operation.ts'
import type { Printer } from './print.ts'
import { nameConstraint, type Problem } from './problem.ts'
import type { ScopeName } from './scopes.ts'
import type { Files, Store } from './store.ts'
import type { Sweep } from './sweep.ts'

/** What endpoints beside the API work with. */
export type EndpointParts = {
  readonly files: Files
  readonly printer: Printer
  keyFor(purpose: string): Buffer
}

/** What jobs work with. */
export type JobParts = { readonly database: Database; readonly store: Store }

/** A family of resources: its operations, and what it does beside them. */
export type Area = {
  readonly name: string
  /** In the order of the documentation. */
  readonly operations: readonly Operation[]
  /** Addresses beside the API, such as the page of a certificate. */
  readonly endpoints?: (parts: EndpointParts) => readonly Endpoint[]
  /** Implementations of hooks that earlier areas declare; at most one of each. */
  readonly hooks?: readonly Implementation[]
  /** What it does after facts, by their types. */
  readonly subscribers?: Readonly<Record<string, FactHandler>>
  /** What the worker runs for it, by the kinds of jobs. */
  readonly jobs?: Readonly<Record<string, (parts: JobParts) => JobHandler>>
  /** What it deletes once nobody needs it. */
  readonly sweeps?: readonly Sweep[]
  /** The refusals that stand for constraints and unique indexes of its tables. */
  readonly constraints?: Readonly<Record<string, Problem>>
}

/** Declares an area; the types refuse an operation whose scope does not exist. */
export const area = (
  declared: Omit<Area, 'operations'> & { readonly operations: readonly Operation<ScopeName>[] },
): Area => {
  for (const [name, problem] of Object.entries(declared.constraints ?? {})) nameConstraint(name, problem)
  return declared
}
