import type { Static, TObject, TSchema } from 'typebox'
import type { Caller, SignedIn } from './caller.ts'
import type { Db, Statement } from './db.ts'
import type { Example } from './example.ts'
import type { Fact } from './fact.ts'
import type { AnyMultiStepContext, ResourceChange } from './multi-step.ts'
import type { Problem } from './problem.ts'
import type { School } from './school.ts'
import type { SectionName } from './scopes.ts'
import type { Files } from './store.ts'

/** Who may call an operation; with `anyone`, anonymous callers get the public view. */
export type Who = 'anyone' | 'self' | 'holder' | 'lecturer_of' | 'staff' | 'owner'

/** How an operation uses the database: without a transaction, in one, or in several around a stream or a call elsewhere. */
type Mode = 'read' | 'write' | 'stream' | 'outside'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never
type Exactly<Params extends TObject, Path extends string> = [keyof Static<Params>] extends [NamesIn<Path>]
  ? [NamesIn<Path>] extends [keyof Static<Params>]
    ? unknown
    : { error: 'a parameter of the route is not declared' }
  : { error: 'a declared parameter is not in the route' }
type CallerOf<W extends Who> = W extends 'anyone' ? Caller : SignedIn
/** The result of a handler; that of a 204 is ignored. */
export type HandlerResult<Returns> = Returns extends TSchema ? Static<Returns> : unknown

/** A relation that `expand` can embed, and the scope and role that a caller needs to see it. */
type Relation = { readonly scope: string; readonly who: Who; readonly summary: string }

/** One cell of a CSV answer; null is an empty one. */
export type Cell = string | number | boolean | Date | null

/** The cells of a row of a CSV answer, by the names of their columns; ids and instants are encoded by the schema of the item. */
export type Cells<Row> = Readonly<Record<string, (row: Row, school: Pick<School, 'baseUrl'>) => Cell>>

/** A list as CSV: its columns, and the statement that reads all rows. */
type Csv<Context, Row> = {
  readonly cells: Cells<Row>
  statement(context: Context): Statement<Row> | Promise<Statement<Row>>
}

/** A caller in a school, with a connection or a transaction. */
export type AsCaller<C extends Caller = SignedIn> = { readonly db: Db; readonly school: School; readonly caller: C }

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
  /** Whether the caller requested that a relation be embedded, and may see it. */
  expands(relation: string): boolean
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
}

/** The context of a handler: a read has no clock and records nothing. */
type Context<M extends Mode, W extends Who, Params extends TObject, Query extends TObject, Body> = (M extends 'read'
  ? ReadContext<CallerOf<W>>
  : WriteContext<CallerOf<W>>) & {
  readonly params: Static<Params>
  readonly query: Static<Query>
  readonly body: Body extends TSchema ? Static<Body> : undefined
}

export type { ResourceChange } from './multi-step.ts'

/** One endpoint of the API, declared once. */
export type OperationDeclaration<
  M extends Mode,
  W extends Who,
  Path extends string,
  Params extends TObject,
  Query extends TObject,
  Body extends TSchema | undefined,
  Returns extends TSchema | undefined,
  Row,
> = {
  readonly id: string
  readonly route: `${Method} ${Path}`
  readonly summary: string
  readonly description?: string
  readonly scope: string
  /** The section of the documentation, where it is not that of the scope. */
  readonly section?: SectionName
  readonly who: W
  readonly mode: M
  readonly params?: Params & Exactly<Params, Path>
  readonly query?: Query
  readonly body?: Body
  readonly returns: Returns
  readonly status?: 200 | 201 | 202 | 204
  /** The path for the Location header, without the id, when it is not the path of this operation. */
  readonly locationPath?: `/${string}`
  /**
   * `person`: the write is performed only when the person behind the token approves it in a browser, unless the handler
   * waives the confirmation. Each fact that it records describes its effects in words.
   */
  readonly confirm?: 'person'
  /**
   * `veiled`: a dry run returns only whether the write would succeed, since its result is what the caller has to find out.
   * `veiled_unless_staff`: the same, except for admins and owners, who may know the result.
   */
  readonly dryRun?: Veil
  /** `required`: the write answers 428 without If-Match. */
  readonly ifMatch?: 'required' | 'honoured'
  /** The relations that `expand` can embed. */
  readonly expand?: Readonly<Record<string, Relation>>
  /** The list as CSV, for staff. */
  readonly csv?: Csv<Context<M, W, Params, Query, Body>, Row>
  /** The refusals beyond those that every operation of its kind has. */
  readonly fails?: readonly Problem[]
  /** A request that succeeds with the demo data, for the documentation and the tests. */
  readonly example?: {
    readonly params?: Example<Static<Params>>
    readonly query?: Example<Static<Query>>
    readonly body?: unknown
    /** The body of a request that is a file. */
    readonly content?: string
  }
  handle(context: Context<M, W, Params, Query, Body>): Promise<HandlerResult<Returns>>
}

type AnyContext = WriteContext<Caller> & {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
}

type Veil = 'veiled' | 'veiled_unless_staff'

/** An operation as the server performs it; its types were checked where it was declared. */
export type Operation<Scope extends string = string> = {
  readonly id: string
  readonly method: Method
  /** The path below `/api/v1`, with `:name` for parameters. */
  readonly path: string
  readonly summary: string
  readonly description: string | undefined
  readonly scope: Scope | 'none'
  readonly section?: SectionName
  readonly who: Who
  readonly mode: Mode
  readonly params: TObject | undefined
  readonly query: TObject | undefined
  readonly body: TSchema | undefined
  readonly returns: TSchema | undefined
  readonly status: number
  readonly locationPath: string | undefined
  readonly confirm: 'person' | undefined
  readonly dryRun: Veil | undefined
  readonly ifMatch: 'required' | 'honoured' | undefined
  readonly expand: Readonly<Record<string, Relation>>
  readonly csv: Csv<AnyContext, unknown> | undefined
  readonly fails: readonly Problem[]
  readonly example: {
    readonly params?: unknown
    readonly query?: unknown
    readonly body?: unknown
    readonly content?: string
  }
  handle(context: AnyContext): Promise<unknown>
  /** Instead of `handle`, for an operation of the mode `stream` or `outside`. */
  readonly runSteps?: (context: AnyMultiStepContext) => Promise<unknown>
}

/** Declares an endpoint; the types refuse parameters that are not in the route and answers of another shape. */
export const operation = <
  const Scope extends string,
  const M extends Mode,
  const W extends Who,
  const Path extends string,
  Params extends TObject = TObject<Record<never, never>>,
  Query extends TObject = TObject<Record<never, never>>,
  Body extends TSchema | undefined = undefined,
  Returns extends TSchema | undefined = undefined,
  Row = unknown,
>(
  declared: OperationDeclaration<M, W, Path, Params, Query, Body, Returns, Row> & { readonly scope: Scope },
): Operation<Exclude<Scope, 'none'>> => {
  const [method, path] = declared.route.split(' ') as [Method, string]
  if (declared.confirm === 'person' && (declared.mode !== 'write' || declared.who === 'anyone'))
    throw new Error(`${declared.id} is confirmed by a person, so it must have the mode write and not be for anyone`)
  return {
    id: declared.id,
    method,
    path,
    summary: declared.summary,
    description: declared.description,
    scope: declared.scope as Exclude<Scope, 'none'> | 'none',
    ...(declared.section === undefined ? {} : { section: declared.section }),
    who: declared.who,
    mode: declared.mode,
    params: declared.params,
    query: declared.query,
    body: declared.body,
    returns: declared.returns,
    status: declared.status ?? 200,
    locationPath: declared.locationPath,
    confirm: declared.confirm,
    dryRun: declared.dryRun,
    ifMatch: declared.ifMatch,
    expand: declared.expand ?? {},
    // The declaration has matched the cells with the rows, and the pipeline validates the context.
    csv: declared.csv as unknown as Operation['csv'],
    fails: declared.fails ?? [],
    example: declared.example ?? {},
    // The pipeline validates params, query and body by the schemas that gave the handler its types.
    handle: context => declared.handle(context as unknown as Context<M, W, Params, Query, Body>),
  }
}

type ObjectSchema = { readonly type?: string; readonly required?: readonly string[]; readonly minProperties?: number }

/** Whether the body of a POST or PUT may be left out: it is an object, and none of its fields is required. */
export const hasOptionalBody = ({ method, body }: Pick<Operation, 'method' | 'body'>): boolean => {
  const { type, required = [], minProperties = 0 } = (body ?? {}) as ObjectSchema
  return (method === 'POST' || method === 'PUT') && type === 'object' && required.length + minProperties === 0
}
