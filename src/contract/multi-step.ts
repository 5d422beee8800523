import type { Static, TObject, TSchema } from 'typebox'
import type { Caller } from './caller.ts'
import type { Db } from './db.ts'
import type { Fact } from './fact.ts'
import type { School } from './school.ts'
import type { Files } from './store.ts'

/** What a write changed, for the audit log: ids on the wire, names of fields, never values. */
export type ResourceChange = {
  readonly ids: readonly string[]
  readonly fields: readonly string[]
  readonly revision?: number
  /** The member whom it happened to, as a row's id. */
  readonly memberId?: string
}

/** The body of a request that is a file. */
export type Content = {
  /** How many bytes were announced. */
  readonly length: number | undefined
  /** Content-Range, which of the bytes of the whole they are. */
  readonly range: string | undefined
  /** The bytes as they come; refuses when there are more than `most` or they come too slowly. */
  read(most: number): AsyncIterable<Uint8Array>
}

/** One transaction of a flow. */
export type StepWrite = {
  readonly db: Db
  readonly now: Date
  record(fact: Fact): void
  changed(change: ResourceChange): void
}

/** What the handler of an operation gets that does something between its transactions. */
export type MultiStepContext<Who, Params, Query, Body> = {
  readonly operationId: string
  readonly school: School
  readonly caller: Who
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly content: Content
  readonly files: Files
  keyFor(purpose: string): Buffer
  read<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** One transaction; refused when the caller may no longer do what the flow began with. */
  write<T>(work: (write: StepWrite) => Promise<T>): Promise<T>
}

/** A flow as the pipeline hands it over. */
export type AnyMultiStepContext = MultiStepContext<
  Caller,
  Readonly<Record<string, unknown>>,
  Readonly<Record<string, unknown>>,
  unknown
>

/** A flow of a person who is signed in. */
export type MultiStepContextOf<Who, Params extends TObject, Query extends TObject, Body> = MultiStepContext<
  Who,
  Static<Params>,
  Static<Query>,
  Body extends TSchema ? Static<Body> : undefined
>
