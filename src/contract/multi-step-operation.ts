import type { TObject, TSchema } from 'typebox'
import type { CallLimit, LimitDeclaration } from './call-limit.ts'
import type { Caller, Operator, SignedIn } from './caller.ts'
import { refuseDeclaration } from './declaration.ts'
import type { MultiStepContextOf } from './multi-step.ts'
import {
  type HandlerResult,
  type Operation,
  type OperationDeclaration,
  operation,
  type UnroutedOperation,
} from './operation.ts'
import type { UnroutedDeclaration } from './operation-declaration.ts'

type MultiStepMode = 'stream' | 'outside'
type MultiStepWho = 'self' | 'anyone'
type CallerOf<W extends MultiStepWho> = W extends 'anyone' ? Caller : SignedIn

type MultiStepDeclaration<
  W extends MultiStepWho,
  Path extends string,
  Params extends TObject,
  Query extends TObject,
  Body extends TSchema | undefined,
  Returns extends TSchema | undefined,
> = Omit<
  OperationDeclaration<MultiStepMode, 'self', Path, Params, Query, Body, Returns, unknown>,
  'handle' | 'mode' | 'who' | 'csv' | 'confirm' | 'dryRun' | 'idempotency' | 'rateLimit'
> & {
  readonly who: W
  readonly mode: MultiStepMode
  readonly rateLimit?: CallLimit
  runSteps(context: MultiStepContextOf<CallerOf<W>, Params, Query, Body>): Promise<HandlerResult<Returns>>
}

/**
 * Declares an operation that does something between its transactions: with the mode `stream` it reads its body as bytes,
 * with `outside` it calls another system. It has no dry run and takes no Idempotency-Key.
 */
export const multiStepOperation = <
  const Scope extends string,
  const W extends MultiStepWho,
  const Path extends string,
  Params extends TObject = TObject<Record<never, never>>,
  Query extends TObject = TObject<Record<never, never>>,
  Body extends TSchema | undefined = undefined,
  Returns extends TSchema | undefined = undefined,
>(
  declared: MultiStepDeclaration<W, Path, Params, Query, Body, Returns> & { readonly scope: Scope } & LimitDeclaration<
      MultiStepMode,
      W
    >,
): Operation<Exclude<Scope, 'none'>> => {
  refuseDeclaration(declared)
  const checked: MultiStepDeclaration<W, Path, Params, Query, Body, Returns> & { readonly scope: Scope } = declared
  const { runSteps, who, ...plain } = checked
  const handle = (): never => {
    throw new Error(`${declared.id} has more than one transaction`)
  }
  const whole = { ...plain, who: 'self', handle } as const
  return {
    ...operation<Scope, MultiStepMode, 'self', Path, Params, Query, Body, Returns>(whole),
    who,
    // The pipeline validates params, query and body by the schemas that gave the handler its types.
    runSteps: context => runSteps(context as unknown as MultiStepContextOf<CallerOf<W>, Params, Query, Body>),
  }
}

type OutsideDeclaration<
  Params extends TObject,
  Query extends TObject,
  Body extends TSchema | undefined,
  Returns extends TSchema | undefined,
> = Omit<
  UnroutedDeclaration<'write', 'owner', Params, Query, Body, Returns>,
  'handle' | 'mode' | 'dryRun' | 'rateLimit' | 'countTries'
> & {
  runSteps(context: MultiStepContextOf<SignedIn | Operator, Params, Query, Body>): Promise<HandlerResult<Returns>>
}

/**
 * Declares an operation without a route that calls another system between its transactions, for owners on pages and the operator.
 * It has no dry run.
 */
export const outsideOperation = <
  Params extends TObject = TObject<Record<never, never>>,
  Query extends TObject = TObject<Record<never, never>>,
  Body extends TSchema | undefined = undefined,
  Returns extends TSchema | undefined = undefined,
>(
  declared: OutsideDeclaration<Params, Query, Body, Returns>,
): UnroutedOperation => {
  const { runSteps, ...plain } = declared
  const handle = (): never => {
    throw new Error(`${declared.id} has more than one transaction`)
  }
  return {
    ...operation<'write', 'owner', Params, Query, Body, Returns>({ ...plain, mode: 'write', handle }),
    mode: 'outside',
    // The pipeline validates params, query and body by the schemas that gave the handler its types.
    runSteps: context => runSteps(context as unknown as MultiStepContextOf<SignedIn | Operator, Params, Query, Body>),
  }
}
