import type { TObject, TSchema } from 'typebox'
import type { SignedIn } from './caller.ts'
import type { FlowOf } from './flow.ts'
import { type Answered, type Declared, type Operation, operation } from './operation.ts'

/**
 * Declares an operation that works between its transactions: `stream` gets its body as bytes, `outside` calls somebody
 * or something else. It is not run dry.
 */
export const flowing = <
  const Scope extends string,
  const Path extends string,
  Params extends TObject = TObject<Record<never, never>>,
  Query extends TObject = TObject<Record<never, never>>,
  Body extends TSchema | undefined = undefined,
  Returns extends TSchema | undefined = undefined,
>(
  declared: Omit<Declared<'self', Path, Params, Query, Body, Returns>, 'handle' | 'mode' | 'csv' | 'confirm'> & {
    readonly scope: Scope
    readonly mode: 'stream' | 'outside'
    flow(flow: FlowOf<SignedIn, Params, Query, Body>): Promise<Answered<Returns>>
  },
): Operation<Exclude<Scope, 'none'>> => {
  const { flow, ...plain } = declared
  const handle = (): never => {
    throw new Error(`${declared.id} works between its transactions`)
  }
  return {
    ...operation<Scope, 'self', Path, Params, Query, Body, Returns>({ ...plain, handle }),
    // The pipeline validates params, query and body by the schemas that gave the handler its types.
    flow: context => flow(context as unknown as FlowOf<SignedIn, Params, Query, Body>),
  }
}
