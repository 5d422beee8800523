import type { Caller, Proof, SignedIn } from './caller.ts'
import type { Db } from './db.ts'
import type { Fact } from './fact.ts'
import type { ResourceChange } from './multi-step.ts'
import type { School } from './school.ts'
import type { Files } from './store.ts'
import type { Viewed } from './view-count.ts'

/** A school, with a connection or a transaction. */
export type SchoolContext = { readonly school: School; readonly db: Db }

/** A school and a transaction, with its instant from the database's clock. */
export type TransactionContext = SchoolContext & { readonly now: Date }

/** A caller in a school, with a connection or a transaction. */
export type AsCaller<C extends Caller = SignedIn> = SchoolContext & { readonly caller: C }

/** The context of every handler. */
export type ReadContext<C extends Caller = SignedIn> = {
  /** The id of the operation. */
  readonly operationId: string
  readonly school: School
  readonly caller: C
  readonly db: Db
  /** A key for one purpose, derived from the installation's secret. */
  keyFor(purpose: string): Buffer
  /** The storage of files; a handler in a transaction only signs addresses. */
  readonly files: Files
  /** Refuses an app whose token lacks a scope that only some calls need; `what` begins the sentence: `The type course.published`. */
  requireScope(scope: string, what: string): void
  /** Whether the caller requested that a relation be embedded, and may see it. */
  expands(relation: string): boolean
  /** Counts a view of a resource once the request is answered; a page counts its own. It is stored later and may be lost. */
  countView(viewed: Viewed): void
  /** Those of these operations that this caller's role and scopes allow, for `allowed_actions`. */
  allowedActions(ids: readonly string[]): string[]
}

/** The context of the handler of a write. */
export type WriteContext<C extends Caller = SignedIn> = ReadContext<C> & {
  /** The instant of the transaction, from the database's clock; a read uses `stoa.now()` in its statement instead. */
  readonly now: Date
  /**
   * Refuses with 412 unless If-Match allows this revision; `current` returns the resource as this caller would read it,
   * and is called only for the ETag of a refusal.
   */
  requireMatch(revision: number, current: () => unknown): Promise<void>
  /** Records a fact in the transaction of the write. */
  record(fact: Fact): void
  /** Records for the audit log which resources changed, in which fields, and their new revision. */
  changed(change: ResourceChange): void
  /** Performs this call of a confirmed operation without a confirmation: it changes nothing, or only what belongs to the app. */
  waiveConfirmation(): void
  /** Refuses a person on a page who did not prove who they are in this way, where only some calls need it. */
  requireProof(level: Proof): void
}
