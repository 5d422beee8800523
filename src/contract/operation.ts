import type { Static, TObject, TSchema } from 'typebox'
import type { CallLimit, CountTries, LimitDeclaration } from './call-limit.ts'
import type { Caller, Operator, SignedIn } from './caller.ts'
import type { ReadContext, WriteContext } from './context.ts'
import type { Csv, Decimal, TwoForms } from './csv.ts'
import { refuseDeclaration } from './declaration.ts'
import type { Example } from './example.ts'
import type { AnyMultiStepContext } from './multi-step.ts'
import type { Problem } from './problem.ts'
import type { Exactly, Method } from './route.ts'
import type { School } from './school.ts'
import type { SectionName } from './scopes.ts'

/** Who may call an operation; with `anyone`, anonymous callers get the public view. */
export type Who = 'anyone' | 'self' | 'holder' | 'lecturer_of' | 'staff' | 'owner'

/** How an operation uses the database: without a transaction, in one, or in several around a stream or a call elsewhere. */
type Mode = 'read' | 'write' | 'stream' | 'outside'

type CallerOf<W extends Who> = W extends 'anyone' ? Caller : SignedIn
// The operator has no account, so an operation for a person's own things is not for the operator.
type UnroutedCallerOf<W extends Who> = W extends 'self' | 'holder' ? SignedIn : CallerOf<W> | Operator
/** The result of a handler; that of a 204 is ignored. */
export type HandlerResult<Returns> = Returns extends TSchema ? Static<Returns> : unknown

/** A relation that `expand` can embed, and the scope and role that a caller needs to see it. */
type Relation = { readonly scope: string; readonly who: Who; readonly summary: string }

/** One cell of a CSV answer; null is an empty one. */
export type Cell = string | number | boolean | Date | Decimal | TwoForms | null

/** The cells of a row of a CSV answer, by the names of their columns; ids and instants are encoded by the schema of the item. */
export type Cells<Row> = Readonly<Record<string, (row: Row, school: Pick<School, 'baseUrl'>) => Cell>>

/** The context of a handler: a read has no clock and records nothing. */
type Context<M extends Mode, C extends Caller, Params extends TObject, Query extends TObject, Body> = (M extends 'read'
  ? ReadContext<C>
  : WriteContext<C>) & {
  readonly params: Static<Params>
  readonly query: Static<Query>
  readonly body: Body extends TSchema ? Static<Body> : undefined
}

export type { AsCaller, ReadContext, WriteContext } from './context.ts'
export type { ResourceChange } from './multi-step.ts'

/** What every operation declares. */
type CommonDeclaration<
  M extends Mode,
  W extends Who,
  C extends Caller,
  Params extends TObject,
  Query extends TObject,
  Body extends TSchema | undefined,
  Returns extends TSchema | undefined,
> = {
  readonly id: string
  readonly summary: string
  readonly description?: string
  readonly who: W
  readonly mode: M
  readonly query?: Query
  readonly body?: Body
  readonly returns: Returns
  /**
   * `veiled`: a dry run returns only whether the write would succeed, since its result is what the caller has to find out.
   * `veiled_unless_staff`: the same, except for admins and owners, who may know the result.
   */
  readonly dryRun?: Veil
  /** Counts what a call tries, such as codes, outside its transaction. */
  readonly countTries?: CountTries
  /** The refusals beyond those that every operation of its kind has. */
  readonly fails?: readonly Problem[]
  handle(context: Context<M, C, Params, Query, Body>): Promise<HandlerResult<Returns>>
} & LimitDeclaration<M, W>

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
> = CommonDeclaration<M, W, CallerOf<W>, Params, Query, Body, Returns> & {
  readonly route: `${Method} ${Path}`
  readonly scope: string
  /** The section of the documentation, where it is not that of the scope. */
  readonly section?: SectionName
  readonly params?: Params & Exactly<Params, Path>
  readonly status?: 200 | 201 | 202 | 204
  /** The path for the Location header, without the id, when it is not the path of this operation. */
  readonly locationPath?: `/${string}`
  /**
   * `person`: the write is performed only when the person behind the token approves it in a browser, unless the handler
   * waives the confirmation. Each fact that it records describes its effects in words.
   */
  readonly confirm?: 'person'
  /** Whether an approved write that would not record the facts that were shown is refused with 409 (decision 217). */
  readonly confirmsAsShown?: true
  /** `required`: the write answers 400 without Idempotency-Key. A key belongs to a member and a client. */
  readonly idempotency?: M extends 'write' ? (W extends 'anyone' ? never : 'required') : never
  /** `required`: the write answers 428 without If-Match. */
  readonly ifMatch?: 'required' | 'honoured'
  /** The relations that `expand` can embed. */
  readonly expand?: Readonly<Record<string, Relation>>
  /** The list as CSV, for staff. */
  readonly csv?: Csv<Context<M, CallerOf<W>, Params, Query, Body>, Row, Cells<Row>>
  /** A request that succeeds with the demo data, for the documentation and the tests. */
  readonly example?: {
    readonly params?: Example<Static<Params>>
    readonly query?: Example<Static<Query>>
    readonly body?: unknown
    /** The body of a request that is a file. */
    readonly content?: string
  }
}

/**
 * An operation without a route and a scope, declared once: no app can call it. Pages perform it for the person who is
 * signed in, and commands for the operator.
 */
type UnroutedDeclaration<
  M extends 'read' | 'write',
  W extends Who,
  Params extends TObject,
  Query extends TObject,
  Body extends TSchema | undefined,
  Returns extends TSchema | undefined,
> = CommonDeclaration<M, W, UnroutedCallerOf<W>, Params, Query, Body, Returns> & {
  readonly route?: undefined
  readonly scope?: undefined
  readonly params?: Params
  /** A call that succeeds with the demo data, for the tests. */
  readonly example?: {
    readonly params?: Example<Static<Params>>
    readonly query?: Example<Static<Query>>
    readonly body?: unknown
  }
}

/** The context of a handler whose types were checked where its operation was declared. */
export type AnyContext = WriteContext<Caller> & {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
}

type Veil = 'veiled' | 'veiled_unless_staff'

type CommonOperation = {
  readonly id: string
  readonly summary: string
  readonly description: string | undefined
  readonly who: Who
  readonly params: TObject | undefined
  readonly query: TObject | undefined
  readonly body: TSchema | undefined
  readonly returns: TSchema | undefined
  readonly dryRun: Veil | undefined
  readonly rateLimit: CallLimit | undefined
  readonly countTries?: CountTries | undefined
  readonly fails: readonly Problem[]
  handle(context: AnyContext): Promise<unknown>
}

/** An operation of the API as the server performs it; its types were checked where it was declared. */
export type Operation<Scope extends string = string> = CommonOperation & {
  readonly method: Method
  /** The path below `/api/v1`, with `:name` for parameters. */
  readonly path: string
  readonly scope: Scope | 'none'
  readonly section?: SectionName
  readonly mode: Mode
  readonly status: number
  readonly locationPath: string | undefined
  readonly confirm: 'person' | undefined
  readonly confirmsAsShown?: true
  readonly idempotency: 'required' | undefined
  readonly ifMatch: 'required' | 'honoured' | undefined
  readonly expand: Readonly<Record<string, Relation>>
  readonly csv: Csv<AnyContext, unknown, Cells<unknown>> | undefined
  readonly example: {
    readonly params?: unknown
    readonly query?: unknown
    readonly body?: unknown
    readonly content?: string
  }
  /** Instead of `handle`, for an operation of the mode `stream` or `outside`. */
  readonly runSteps?: (context: AnyMultiStepContext) => Promise<unknown>
}

/** An operation without a route and a scope, as pages and commands perform it. */
export type UnroutedOperation = CommonOperation & {
  readonly mode: 'read' | 'write'
  readonly example: { readonly params?: unknown; readonly query?: unknown; readonly body?: unknown }
}

/** An operation of an area, with or without a route. */
export type AnyOperation<Scope extends string = string> = Operation<Scope> | UnroutedOperation

/** Whether an operation has a route, so that apps can call it. */
export const isRouted = (operation: AnyOperation): operation is Operation => 'path' in operation

/** Whether an operation has no route, so that only pages and commands perform it. */
export const isUnrouted = (operation: AnyOperation): operation is UnroutedOperation => !isRouted(operation)

/** A declaration after its types were checked: the pipeline validates what the handler gets by the schemas of the declaration. */
type AnyDeclaration = Partial<Omit<Operation, 'csv' | 'scope'>> &
  Pick<Operation, 'id' | 'summary' | 'who' | 'mode' | 'handle'> & {
    readonly route?: string | undefined
    readonly scope?: string | undefined
    readonly csv?: unknown
  }

const commonOf = (declared: AnyDeclaration): CommonOperation => ({
  id: declared.id,
  summary: declared.summary,
  description: declared.description,
  who: declared.who,
  params: declared.params,
  query: declared.query,
  body: declared.body,
  returns: declared.returns,
  dryRun: declared.dryRun,
  rateLimit: declared.rateLimit,
  countTries: declared.countTries,
  fails: declared.fails ?? [],
  handle: context => declared.handle(context),
})

/** An operation with a route whose types were checked where a trait declared it. */
export const routedOf = <Scope extends string>(
  declared: AnyDeclaration & { readonly route: string; readonly scope: Scope },
): Operation<Scope> => {
  const [method, path] = declared.route.split(' ') as [Method, string]
  return {
    ...commonOf(declared),
    method,
    path,
    scope: declared.scope,
    ...(declared.section === undefined ? {} : { section: declared.section }),
    mode: declared.mode,
    status: declared.status ?? 200,
    locationPath: declared.locationPath,
    confirm: declared.confirm,
    ...(declared.confirmsAsShown === undefined ? {} : { confirmsAsShown: declared.confirmsAsShown }),
    idempotency: declared.idempotency,
    ifMatch: declared.ifMatch,
    expand: declared.expand ?? {},
    // The declaration has matched the cells with the rows.
    csv: declared.csv as Operation['csv'],
    example: declared.example ?? {},
  }
}

function declare<
  const M extends 'read' | 'write',
  const W extends Who,
  Params extends TObject = TObject<Record<never, never>>,
  Query extends TObject = TObject<Record<never, never>>,
  Body extends TSchema | undefined = undefined,
  Returns extends TSchema | undefined = undefined,
>(declared: UnroutedDeclaration<M, W, Params, Query, Body, Returns>): UnroutedOperation
function declare<
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
): Operation<Exclude<Scope, 'none'>>
function declare(declared: AnyDeclaration): AnyOperation {
  refuseDeclaration(declared)
  const { route, scope = 'none', mode, example = {} } = declared
  if (route !== undefined) return routedOf({ ...declared, route, scope })
  return { ...commonOf(declared), mode: mode === 'read' ? 'read' : 'write', example }
}

/**
 * Declares an operation; the types refuse parameters that are not in the route and answers of another shape. With `route`
 * and `scope` it is an endpoint of the API. Without both no app can call it: only pages and commands perform it.
 */
export const operation = declare

type ObjectSchema = { readonly type?: string; readonly required?: readonly string[]; readonly minProperties?: number }

/** Whether the body of a POST or PUT may be left out: it is an object, and none of its fields is required. */
export const hasOptionalBody = ({ method, body }: Pick<Operation, 'method' | 'body'>): boolean => {
  const { type, required = [], minProperties = 0 } = (body ?? {}) as ObjectSchema
  return (method === 'POST' || method === 'PUT') && type === 'object' && required.length + minProperties === 0
}
