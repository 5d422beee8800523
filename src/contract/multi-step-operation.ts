import type { TObject, TSchema } from 'typebox'
import type { SignedIn } from './caller.ts'
import type { MultiStepContextOf } from './multi-step.ts'
import { type HandlerResult, type Operation, type OperationDeclaration, operation } from './operation.ts'

/**
 * Declares an operation that does something between its transactions: with the mode `stream` it reads its body as bytes,
 * with `outside` it calls another system. It has no dry run.
 */
export const multiStepOperation = <
  const Scope extends string,
  const Path extends string,
  Params extends TObject = TObject<Record<never, never>>,
  Query extends TObject = TObject<Record<never, never>>,
  Body extends TSchema | undefined = undefined,
  Returns extends TSchema | undefined = undefined,
>(
  declared: Omit<
    OperationDeclaration<'stream' | 'outside', 'self', Path, Params, Query, Body, Returns, unknown>,
    'handle' | 'mode' | 'csv' | 'confirm'
  > & {
    readonly scope: Scope
    readonly mode: 'stream' | 'outside'
    runSteps(context: MultiStepContextOf<SignedIn, Params, Query, Body>): Promise<HandlerResult<Returns>>
  },
): Operation<Exclude<Scope, 'none'>> => {
  const { runSteps, ...plain } = declared
  const handle = (): never => {
    throw new Error(`${declared.id} has more than one transaction`)
  }
  return {
    ...operation<Scope, 'stream' | 'outside', 'self', Path, Params, Query, Body, Returns>({ ...plain, handle }),
    // The pipeline validates params, query and body by the schemas that gave the handler its types.
    runSteps: context => runSteps(context as unknown as MultiStepContextOf<SignedIn, Params, Query, Body>),
  }
}
