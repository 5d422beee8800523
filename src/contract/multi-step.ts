import type { Static, TObject, TSchema } from 'typebox'
import type { Caller } from './caller.ts'
import type { Database, Db } from './db.ts'
import type { Fact } from './fact.ts'
import type { School } from './school.ts'
import type { Files } from './store.ts'

/** A change for the audit log: ids on the wire and names of fields, never values. */
export type ResourceChange = {
  readonly ids: readonly string[]
  readonly fields: readonly string[]
  readonly revision?: number
  /** The UUID of the member concerned. */
  readonly memberId?: string
}

/** The body of a request that is a file. */
export type Content = {
  /** The Content-Length. */
  readonly length: number | undefined
  /** The Content-Range. */
  readonly range: string | undefined
  /** Reads the bytes as they arrive; refuses when there are more than `maxBytes` or they arrive too slowly. */
  read(maxBytes: number): AsyncIterable<Uint8Array>
}

/** One transaction of a multi-step operation. */
type StepWrite = {
  readonly db: Db
  readonly now: Date
  record(fact: Fact): void
  changed(change: ResourceChange): void
}

/** The context of an operation that does something between its transactions. */
type MultiStepContext<Who, Params, Query, Body> = {
  readonly operationId: string
  readonly school: School
  readonly caller: Who
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly content: Content
  readonly files: Files
  keyFor(purpose: string): Buffer
  /** For what is called between the transactions and has some of its own. */
  readonly database: Database
  read<T>(run: (db: Db) => Promise<T>): Promise<T>
  /** Runs one transaction; refused when the caller may no longer call the operation. */
  write<T>(run: (write: StepWrite) => Promise<T>): Promise<T>
}

/** The context of any multi-step operation, as the pipeline creates it. */
export type AnyMultiStepContext = MultiStepContext<
  Caller,
  Readonly<Record<string, unknown>>,
  Readonly<Record<string, unknown>>,
  unknown
>

/** The context of a multi-step operation with these schemas. */
export type MultiStepContextOf<Who, Params extends TObject, Query extends TObject, Body> = MultiStepContext<
  Who,
  Static<Params>,
  Static<Query>,
  Body extends TSchema ? Static<Body> : undefined
>
