import type { TObject, TSchema } from 'typebox'
import type { CallLimit, CountTries } from './call-limit.ts'
import type { Caller, Proof } from './caller.ts'
import type { WriteContext } from './context.ts'
import type { Csv } from './csv.ts'
import { refuseDeclaration } from './declaration.ts'
import type { AnyMultiStepContext } from './multi-step.ts'
import type {
  Cells,
  Mode,
  OperationDeclaration,
  Relation,
  RoutedDeclaration,
  UnroutedDeclaration,
  Veil,
  WaitFor,
  Who,
} from './operation-declaration.ts'
import type { Problem } from './problem.ts'
import type { Method } from './route.ts'
import type { SectionName } from './scopes.ts'

export type { AsCaller, ReadContext, WriteContext } from './context.ts'
export type { ResourceChange } from './multi-step.ts'
export type { Cell, Cells, HandlerResult, OperationDeclaration, Who } from './operation-declaration.ts'

/** The context of a handler whose types were checked where its operation was declared. */
export type AnyContext = WriteContext<Caller> & {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
}

type CommonOperation = {
  readonly id: string
  readonly summary: string
  readonly description: string | undefined
  readonly who: Who
  readonly proof: Proof | undefined
  readonly params: TObject | undefined
  readonly query: TObject | undefined
  readonly body: TSchema | undefined
  readonly returns: TSchema | undefined
  readonly dryRun: Veil | undefined
  readonly rateLimit: CallLimit | undefined
  readonly countTries?: CountTries | undefined
  readonly fails: readonly Problem[]
  handle(context: AnyContext): Promise<unknown>
  /** Instead of `handle`, for an operation of the mode `stream` or `outside`. */
  readonly runSteps?: (context: AnyMultiStepContext) => Promise<unknown>
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
  readonly storedReply?: 'sealed'
  readonly expand: Readonly<Record<string, Relation>>
  readonly csv: Csv<AnyContext, unknown, Cells<unknown>> | undefined
  readonly waits?: (query: Readonly<Record<string, unknown>>, answer: unknown) => WaitFor | undefined
  readonly example: {
    readonly params?: unknown
    readonly query?: unknown
    readonly body?: unknown
    readonly content?: string
  }
}

/** An operation without a route and a scope, as pages and commands perform it. */
export type UnroutedOperation = CommonOperation & {
  readonly mode: Exclude<Mode, 'stream'>
  readonly example: { readonly params?: unknown; readonly query?: unknown; readonly body?: unknown }
}

/** An operation of an area, with or without a route. */
export type AnyOperation<Scope extends string = string> = Operation<Scope> | UnroutedOperation

/** Whether an operation has a route, so that apps can call it. */
export const isRouted = (operation: AnyOperation): operation is Operation => 'path' in operation

/** Whether an operation has no route, so that only pages and commands perform it. */
export const isUnrouted = (operation: AnyOperation): operation is UnroutedOperation => !isRouted(operation)

/** A declaration after its types were checked: the pipeline validates what the handler gets by the schemas of the declaration. */
type AnyDeclaration = Partial<Omit<Operation, 'csv' | 'scope' | 'waits'>> &
  Pick<Operation, 'id' | 'summary' | 'who' | 'mode' | 'handle'> & {
    readonly route?: string | undefined
    readonly scope?: string | undefined
    readonly csv?: unknown
    readonly waits?: unknown
  }

const pickShared = (declared: AnyDeclaration): CommonOperation => ({
  id: declared.id,
  summary: declared.summary,
  description: declared.description,
  who: declared.who,
  proof: declared.proof,
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
export const buildRouted = <Scope extends string>(
  declared: AnyDeclaration & { readonly route: string; readonly scope: Scope },
): Operation<Scope> => {
  const [method, path] = declared.route.split(' ') as [Method, string]
  return {
    ...pickShared(declared),
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
    ...(declared.storedReply === undefined ? {} : { storedReply: declared.storedReply }),
    expand: declared.expand ?? {},
    // The declaration has matched the cells with the rows.
    csv: declared.csv as Operation['csv'],
    ...(declared.waits === undefined ? {} : { waits: declared.waits as NonNullable<Operation['waits']> }),
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
  if (route !== undefined) return buildRouted({ ...declared, route, scope })
  if (mode === 'stream') throw new Error(`the operation ${declared.id} has no route to read bytes from`)
  return { ...pickShared(declared), mode, example }
}

/**
 * Declares an operation; the types refuse parameters that are not in the route and answers of another shape. With `route`
 * and `scope` it is an endpoint of the API. Without both no app can call it: only pages and commands perform it.
 */
export const operation = declare

type ModeOf<Verb extends Method> = Verb extends 'GET' ? 'read' : 'write'

function declareScoped<
  const W extends Who,
  const Section extends SectionName,
  const Verb extends Method,
  const Path extends string,
  Params extends TObject = TObject<Record<never, never>>,
  Query extends TObject = TObject<Record<never, never>>,
  Body extends TSchema | undefined = undefined,
  Returns extends TSchema | undefined = undefined,
  Row = unknown,
>(
  who: W,
  section: Section,
  declared: RoutedDeclaration<ModeOf<Verb>, W, Path, Params, Query, Body, Returns, Row> & {
    readonly route: `${Verb} ${Path}`
  },
): Operation<`${Section}:${ModeOf<Verb>}`>
function declareScoped(
  who: Who,
  section: SectionName,
  declared: Omit<AnyDeclaration, 'who' | 'mode' | 'scope'> & { readonly route: string },
): Operation {
  const mode = declared.route.startsWith('GET ') ? 'read' : 'write'
  const whole = { ...declared, who, mode, scope: `${section}:${mode}` } as const
  refuseDeclaration(whole)
  return buildRouted(whole)
}

/**
 * Declares an endpoint of the API by who may call it and the section whose scopes it needs: a GET reads, with the scope
 * `…:read`, and any other method writes, with `…:write`.
 */
export const declareFor = declareScoped

type ObjectSchema = { readonly type?: string; readonly required?: readonly string[]; readonly minProperties?: number }

/** Whether the body of a POST or PUT may be left out: it is an object, and none of its fields is required. */
export const hasOptionalBody = ({ method, body }: Pick<Operation, 'method' | 'body'>): boolean => {
  const { type, required = [], minProperties = 0 } = (body ?? {}) as ObjectSchema
  return (method === 'POST' || method === 'PUT') && type === 'object' && required.length + minProperties === 0
}
