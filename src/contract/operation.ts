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

/** Who may call an operation; `anyone` means that anonymous gets the public view. */
export type Who = 'anyone' | 'self' | 'holder' | 'lecturer_of' | 'staff' | 'owner'

/** How an operation uses the database: no transaction, one, its own stream, or two around a call elsewhere. */
export type Mode = 'read' | 'write' | 'stream' | 'outside'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Named<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Named<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never
type Exactly<Params extends TObject, Path extends string> = [keyof Static<Params>] extends [Named<Path>]
  ? [Named<Path>] extends [keyof Static<Params>]
    ? unknown
    : { error: 'a parameter of the route is not declared' }
  : { error: 'a declared parameter is not in the route' }
type CallerOf<W extends Who> = W extends 'anyone' ? Caller : SignedIn
/** What a handler gives of a declared answer; of a 204 it is not looked at. */
export type HandlerResult<Returns> = Returns extends TSchema ? Static<Returns> : unknown

/** A relation that `expand` can embed, and what a caller needs to be shown it. */
export type Relation = { readonly scope: string; readonly who: Who; readonly summary: string }

/** One cell of a CSV answer; null is an empty one. */
export type Cell = string | number | boolean | null

/** The rows of a list as one statement, and how a row is written; both of the same row. */
export type CsvRows = { readonly statement: Statement; cellsOf(row: unknown): readonly Cell[] }

/** A list as CSV: its columns, and where the rows come from. */
export type Csv<Context> = { readonly columns: readonly string[]; rows(context: Context): CsvRows | Promise<CsvRows> }

/** Joins a statement with what writes its rows. */
export const csvRows = <Row>(statement: Statement<Row>, cellsOf: (row: Row) => readonly Cell[]): CsvRows => ({
  statement,
  cellsOf: row => cellsOf(row as Row),
})

/** Where a caller acts: in a school, on a connection or in a transaction. */
export type AsCaller<C extends Caller = SignedIn> = { readonly db: Db; readonly school: School; readonly caller: C }

/** What every handler has. */
export type ReadContext<C extends Caller = SignedIn> = {
  /** The id of the operation being performed. */
  readonly operationId: string
  readonly school: School
  readonly caller: C
  readonly db: Db
  /** A key for one purpose, derived from the installation's secret. */
  keyFor(purpose: string): Buffer
  /** The bytes of files; a handler in a transaction signs addresses and no more. */
  readonly files: Files
  /** Whether the caller asked for a relation to be embedded, and may see it. */
  expands(relation: string): boolean
  /** Those of these operations that this caller's role and scopes allow, for `allowed_actions`. */
  allowedActions(ids: readonly string[]): string[]
}

/** What the handler of a write has as well. */
export type WriteContext<C extends Caller = SignedIn> = ReadContext<C> & {
  /** The instant of the transaction, from the database's clock; a read asks `stoa.now()` in its statement instead. */
  readonly now: Date
  /**
   * Refuses with 412 unless If-Match allows this revision; `current` gives the resource as this caller would read it, and
   * is called for the ETag of a refusal alone.
   */
  requireMatch(revision: number, current: () => unknown): Promise<void>
  /** Records a fact in the transaction of the write. */
  record(fact: Fact): void
  /** Says for the audit log which resources changed, in which fields, and their revision after. */
  changed(change: ResourceChange): void
  /** Says that this call of a confirmed operation needs no confirmation: nothing changes, or only what is the app's own. */
  waiveConfirmation(): void
}

/** What a handler gets: a read has no clock and records nothing. */
export type Context<
  M extends Mode,
  W extends Who,
  Params extends TObject,
  Query extends TObject,
  Body,
> = (M extends 'read' ? ReadContext<CallerOf<W>> : WriteContext<CallerOf<W>>) & {
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
> = {
  readonly id: string
  readonly route: `${Method} ${Path}`
  readonly summary: string
  readonly description?: string
  readonly scope: string
  /** The section of the documentation, where the scope does not say it. */
  readonly section?: SectionName
  readonly who: W
  readonly mode: M
  readonly params?: Params & Exactly<Params, Path>
  readonly query?: Query
  readonly body?: Body
  readonly returns: Returns
  readonly status?: 200 | 201 | 202 | 204
  /** Where what was made is read, without its id, when that is not below the address that made it. */
  readonly madeAt?: `/${string}`
  /**
   * `person`: the write happens only when the person behind the token approves it in a browser, unless the handler
   * waives that. Each fact it records says its effects in words.
   */
  readonly confirm?: 'person'
  /**
   * `veiled`: a dry run tells only whether the write would be done, since its answer is what the caller is to find out.
   * `veiled_unless_staff`: the same, but for admins and owners, who may know it anyway.
   */
  readonly dryRun?: Veil
  /** `required`: the write answers 428 without If-Match. */
  readonly ifMatch?: 'required' | 'honoured'
  /** The relations that `expand` can embed. */
  readonly expand?: Readonly<Record<string, Relation>>
  /** How the list is written as CSV, for staff. */
  readonly csv?: Csv<Context<M, W, Params, Query, Body>>
  /** The refusals beyond those that every operation of its kind has. */
  readonly fails?: readonly Problem[]
  /** A request that works in the named world, for the documentation and the tests. */
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

/** From whom a dry run keeps what the write would answer. */
type Veil = 'veiled' | 'veiled_unless_staff'

/** An operation as the server performs it, its types checked where it was declared. */
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
  readonly madeAt: string | undefined
  readonly confirm: 'person' | undefined
  readonly dryRun: Veil | undefined
  readonly ifMatch: 'required' | 'honoured' | undefined
  readonly expand: Readonly<Record<string, Relation>>
  readonly csv: Csv<AnyContext> | undefined
  readonly fails: readonly Problem[]
  readonly example: {
    readonly params?: unknown
    readonly query?: unknown
    readonly body?: unknown
    readonly content?: string
  }
  handle(context: AnyContext): Promise<unknown>
  /** Instead of `handle`, of an operation of the mode `stream` or `outside`. */
  readonly flow?: (flow: AnyMultiStepContext) => Promise<unknown>
}

// The pipeline validates what a context holds by the schemas that gave it its type.
const csvOf = <Own>(csv: Csv<Own> | undefined): Csv<AnyContext> | undefined =>
  csv && { columns: csv.columns, rows: context => csv.rows(context as unknown as Own) }

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
>(
  declared: OperationDeclaration<M, W, Path, Params, Query, Body, Returns> & { readonly scope: Scope },
): Operation<Exclude<Scope, 'none'>> => {
  const [method, path] = declared.route.split(' ') as [Method, string]
  if (declared.confirm === 'person' && (declared.mode !== 'write' || declared.who === 'anyone'))
    throw new Error(`${declared.id} is confirmed by a person, so it is a write of somebody in one transaction`)
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
    madeAt: declared.madeAt,
    confirm: declared.confirm,
    dryRun: declared.dryRun,
    ifMatch: declared.ifMatch,
    expand: declared.expand ?? {},
    csv: csvOf(declared.csv),
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
