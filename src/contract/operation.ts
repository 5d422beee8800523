import type { Static, TObject, TSchema } from 'typebox'
import type { Caller, SignedIn } from './caller.ts'
import type { Db } from './db.ts'
import type { Example } from './example.ts'
import type { Fact } from './fact.ts'
import type { Problem } from './problem.ts'
import type { School } from './school.ts'

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
type Answered<Returns> = Returns extends TSchema ? Static<Returns> : undefined

/** What a handler gets. */
export type Context<W extends Who, Params extends TObject, Query extends TObject, Body> = {
  readonly school: School
  readonly caller: CallerOf<W>
  readonly params: Static<Params>
  readonly query: Static<Query>
  readonly body: Body extends TSchema ? Static<Body> : undefined
  readonly db: Db
  /** The instant of the transaction, from the database's clock; a read asks `stoa.now()` in its statement instead. */
  readonly now: Date
  /** Refuses with 412 unless If-Match allows this revision; `current` is the resource as this caller would read it. */
  requireMatch(revision: number, current: unknown): void
  /** Those of these operations that this caller's role and scopes allow, for `allowed_actions`. */
  allowedActions(ids: readonly string[]): string[]
  /** Records a fact in the transaction of the write. */
  record(fact: Fact): void
  /** Says for the audit log which resources changed, in which fields, and their revision after. */
  changed(change: { ids: readonly string[]; fields: readonly string[]; revision?: number }): void
  /** Says that this call of a confirmed operation needs no confirmation: nothing changes, or only what is the app's own. */
  waiveConfirmation(): void
}

/** One endpoint of the API, declared once. */
export type Declared<
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
  readonly who: W
  readonly mode: Mode
  readonly params?: Params & Exactly<Params, Path>
  readonly query?: Query
  readonly body?: Body
  readonly returns: Returns
  readonly status?: 200 | 201 | 202 | 204
  /**
   * `person`: the write happens only when the person behind the token approves it in a browser, unless the handler
   * waives that. Each fact it records says its effects in words.
   */
  readonly confirm?: 'person'
  /** `required`: the write answers 428 without If-Match. */
  readonly ifMatch?: 'required' | 'honoured'
  /** The refusals beyond those that every operation of its kind has. */
  readonly fails?: readonly Problem[]
  /** A request that works in the named world, for the documentation and the tests. */
  readonly example?: {
    readonly params?: Example<Static<Params>>
    readonly query?: Example<Static<Query>>
    readonly body?: unknown
  }
  handle(context: Context<W, Params, Query, Body>): Promise<Answered<Returns>>
}

type AnyContext = {
  readonly school: School
  readonly caller: Caller
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly db: Db
  readonly now: Date
  requireMatch(revision: number, current: unknown): void
  allowedActions(ids: readonly string[]): string[]
  record(fact: Fact): void
  changed(change: { ids: readonly string[]; fields: readonly string[]; revision?: number }): void
  /** Says that this call of a confirmed operation needs no confirmation: nothing changes, or only what is the app's own. */
  waiveConfirmation(): void
}

/** An operation as the server performs it, its types checked where it was declared. */
export type Operation<Scope extends string = string> = {
  readonly id: string
  readonly method: Method
  /** The path below `/api/v1`, with `:name` for parameters. */
  readonly path: string
  readonly summary: string
  readonly description: string | undefined
  readonly scope: Scope | 'none'
  readonly who: Who
  readonly mode: Mode
  readonly params: TObject | undefined
  readonly query: TObject | undefined
  readonly body: TSchema | undefined
  readonly returns: TSchema | undefined
  readonly status: number
  readonly confirm: 'person' | undefined
  readonly ifMatch: 'required' | 'honoured' | undefined
  readonly fails: readonly Problem[]
  readonly example: { readonly params?: unknown; readonly query?: unknown; readonly body?: unknown }
  handle(context: AnyContext): Promise<unknown>
}

/** Declares an endpoint; the types refuse parameters that are not in the route and answers of another shape. */
export const operation = <
  const Scope extends string,
  const W extends Who,
  const Path extends string,
  Params extends TObject = TObject<Record<never, never>>,
  Query extends TObject = TObject<Record<never, never>>,
  Body extends TSchema | undefined = undefined,
  Returns extends TSchema | undefined = undefined,
>(
  declared: Declared<W, Path, Params, Query, Body, Returns> & { readonly scope: Scope },
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
    who: declared.who,
    mode: declared.mode,
    params: declared.params,
    query: declared.query,
    body: declared.body,
    returns: declared.returns,
    status: declared.status ?? 200,
    confirm: declared.confirm,
    ifMatch: declared.ifMatch,
    fails: declared.fails ?? [],
    example: declared.example ?? {},
    // The pipeline validates params, query and body by the schemas that gave the handler its types.
    handle: context => declared.handle(context as unknown as Context<W, Params, Query, Body>),
  }
}
