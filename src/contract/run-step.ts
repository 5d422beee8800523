import type { TObject, TSchema } from 'typebox'
import type { SignedIn } from './caller.ts'
import type { MultiStepContextOf } from './multi-step.ts'
import { type HandlerResult, type Operation, type OperationDeclaration, operation } from './operation.ts'

/**
 * Declares an operation that works between its transactions: `stream` gets its body as bytes, `outside` calls somebody
 * or something else. It is not run dry.
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
    OperationDeclaration<'stream' | 'outside', 'self', Path, Params, Query, Body, Returns>,
    'handle' | 'mode' | 'csv' | 'confirm'
  > & {
    readonly scope: Scope
    readonly mode: 'stream' | 'outside'
    flow(flow: MultiStepContextOf<SignedIn, Params, Query, Body>): Promise<HandlerResult<Returns>>
  },
): Operation<Exclude<Scope, 'none'>> => {
  const { flow, ...plain } = declared
  const handle = (): never => {
    throw new Error(`${declared.id} works between its transactions`)
  }
  return {
    ...operation<Scope, 'stream' | 'outside', 'self', Path, Params, Query, Body, Returns>({ ...plain, handle }),
    // The pipeline validates params, query and body by the schemas that gave the handler its types.
    flow: context => flow(context as unknown as MultiStepContextOf<SignedIn, Params, Query, Body>),
  }
}
