import type { Count } from './counter.ts'
import type { Database } from './db.ts'
import type { Endpoint } from './endpoint.ts'
import type { AreaSubscribers } from './fact.ts'
import type { Implementation } from './hook.ts'
import type { JobDeclaration } from './job.ts'
import type { MailKind } from './mail.ts'
import type { Metric } from './metric.ts'
import { type AnyOperation, isRouted, isUnrouted, type Operation, type UnroutedOperation } from './operation.ts'
import type { Outside } from './outside.ts'
import type { CallAsMember } from './page-call.ts'
import { declareProvider } from './payment-providers.ts'
import type { ProviderDeclaration } from './payments.ts'
import type { Printer } from './print.ts'
import { nameConstraint, type Problem } from './problem.ts'
import type { ScopeName } from './scopes.ts'
import type { Files, Media, Store } from './store.ts'
import type { Sweep } from './sweep.ts'

/** What the server gives to endpoints outside the API. */
export type EndpointParts = {
  readonly files: Files
  readonly printer: Printer
  keyFor(purpose: string): Buffer
}

/** What the worker gives to jobs. */
export type JobParts = {
  readonly database: Database
  readonly store: Store
  readonly media: Media
  readonly printer: Printer
  /** How webhooks are sent. */
  readonly outside: Outside
  /** Counts for the operator. */
  readonly count: Count
  /** The real clock, with which receivers of webhooks compare theirs. */
  readClock(): Date
  /** Performs operations for members with the rights that they have at that moment. */
  readonly callAs: CallAsMember
  /** A key for one purpose, derived from the installation's secret. */
  keyFor(purpose: string): Buffer
}

/** A family of resources: its operations, hooks, subscribers, jobs and sweeps. */
export type Area = {
  readonly name: string
  /** Those of the API, in the order of the documentation, and those without a route. */
  readonly operations: readonly AnyOperation[]
  /** Endpoints outside the API, such as the page of a certificate. */
  readonly endpoints?: (parts: EndpointParts) => readonly Endpoint[]
  /** Implementations of hooks that earlier areas declare; at most one of each. */
  readonly hooks?: readonly Implementation[]
  /** The handlers of facts, by type. */
  readonly subscribers?: AreaSubscribers
  /** The jobs that the worker runs, by kind. */
  readonly jobs?: Readonly<Record<string, JobDeclaration<JobParts>>>
  /** The kinds of mail that it sends. */
  readonly mails?: readonly MailKind[]
  /** What is counted and summed of its rows over time. */
  readonly metrics?: readonly Metric[]
  /** The provider of payments for which it implements `paymentProvider` and `chargeable`. */
  readonly provider?: ProviderDeclaration
  /** The statements that delete rows that are no longer needed. */
  readonly sweeps?: readonly Sweep[]
  /** The refusals for violated constraints and unique indexes of its tables. */
  readonly constraints?: Readonly<Record<string, Problem>>
}

/** Declares an area; the types refuse an operation whose scope does not exist. */
export const area = (
  declared: Omit<Area, 'operations'> & { readonly operations: readonly AnyOperation<ScopeName>[] },
): Area => {
  for (const [name, problem] of Object.entries(declared.constraints ?? {})) nameConstraint(name, problem)
  if (declared.provider !== undefined) declareProvider(declared.provider)
  return declared
}

/** The operations of areas that have a route: those of the API. */
export const routedOperations = (areas: readonly Area[]): Operation[] =>
  areas.flatMap(({ operations }) => operations).filter(operation => isRouted(operation))

/** The operations of areas that have no route: those that only pages and commands perform. */
export const unroutedOperations = (areas: readonly Area[]): UnroutedOperation[] =>
  areas.flatMap(({ operations }) => operations.filter(operation => isUnrouted(operation)))
