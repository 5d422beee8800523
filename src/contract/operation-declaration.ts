import type { Static, TObject, TSchema } from 'typebox'
import type { CountTries, LimitDeclaration } from './call-limit.ts'
import type { Caller, Operator, Proof, SignedIn } from './caller.ts'
import type { ReadContext, WriteContext } from './context.ts'
import type { Csv, Decimal, TwoForms } from './csv.ts'
import type { Example } from './example.ts'
import type { Problem } from './problem.ts'
import type { Exactly, Method } from './route.ts'
import type { School } from './school.ts'
import type { SectionName } from './scopes.ts'

/** Who may call an operation; with `anyone`, anonymous callers get the public view. */
export type Who = 'anyone' | 'self' | 'holder' | 'lecturer_of' | 'staff' | 'owner'

/** How an operation uses the database: without a transaction, in one, or in several around a stream or a call elsewhere. */
export type Mode = 'read' | 'write' | 'stream' | 'outside'

type CallerOf<W extends Who> = W extends 'anyone' ? Caller : SignedIn
// The operator has no account, so an operation for a person's own things is not for the operator.
type UnroutedCallerOf<W extends Who> = W extends 'self' | 'holder' ? SignedIn : CallerOf<W> | Operator
/** The result of a handler; that of a 204 is ignored. */
export type HandlerResult<Returns> = Returns extends TSchema ? Static<Returns> : unknown

/** A relation that `expand` can embed, and the scope and role that a caller needs to see it. */
export type Relation = { readonly scope: string; readonly who: Who; readonly summary: string }

/** One cell of a CSV answer; null is an empty one. */
export type Cell = string | number | boolean | Date | Decimal | TwoForms | null

/** The cells of a row of a CSV answer, by the names of their columns; ids and instants are encoded by the schema of the item. */
export type Cells<Row> = Readonly<Record<string, (row: Row, school: Pick<School, 'baseUrl'>) => Cell>>

/** How many seconds a read waits for facts, and the position (`after`) that it goes on from. */
export type WaitFor = { readonly seconds: number; readonly after: string }

/** The context of a handler: a read has no clock and records nothing. */
type Context<M extends Mode, C extends Caller, Params extends TObject, Query extends TObject, Body> = (M extends 'read'
  ? ReadContext<C>
  : WriteContext<C>) & {
  readonly params: Static<Params>
  readonly query: Static<Query>
  readonly body: Body extends TSchema ? Static<Body> : undefined
}

/** What the dry run of an operation hides. */
export type Veil = 'veiled' | 'veiled_unless_staff'

/** What every operation declares, beside who may call it and its mode. */
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
  /** The proof that the person needs on a page; for an app they give it where they confirm. */
  readonly proof?: Proof
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

/** One endpoint of the API, declared once, without who may call it, its scope and its mode. */
export type RoutedDeclaration<
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
  /** `sealed`: the response has a secret, so what an Idempotency-Key stores of it is encrypted. */
  readonly storedReply?: M extends 'write' ? 'sealed' : never
  /** The relations that `expand` can embed. */
  readonly expand?: Readonly<Record<string, Relation>>
  /** For a read that can wait for facts: how long and after which position, where this answer is not complete yet. */
  readonly waits?: M extends 'read'
    ? (query: Static<Query>, answer: HandlerResult<Returns>) => WaitFor | undefined
    : never
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
> = RoutedDeclaration<M, W, Path, Params, Query, Body, Returns, Row> & {
  readonly who: W
  readonly scope: string
  readonly mode: M
}

/**
 * An operation without a route and a scope, declared once: no app can call it. Pages perform it for the person who is
 * signed in, and commands for the operator.
 */
export type UnroutedDeclaration<
  M extends 'read' | 'write',
  W extends Who,
  Params extends TObject,
  Query extends TObject,
  Body extends TSchema | undefined,
  Returns extends TSchema | undefined,
> = CommonDeclaration<M, W, UnroutedCallerOf<W>, Params, Query, Body, Returns> & {
  readonly who: W
  readonly mode: M
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
