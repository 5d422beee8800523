import type { Caller } from '#src/contract/caller.ts'
import { checkScope, identifyCaller, readBearer } from './bearer.ts'
import type { OperationRequest, ServerDeps } from './operation-call.ts'
import { checkRole } from './who.ts'

/** The caller of a request that goes on: the grant, a scope or the role may have ended since it began, which refuses it. */
export const checkAgain = async (
  { authenticate }: Pick<ServerDeps, 'authenticate'>,
  { raw, school, operation, query }: OperationRequest,
): Promise<Caller> => {
  const caller = await identifyCaller(authenticate, school, readBearer(raw, query))
  checkScope(operation, caller, school)
  checkRole(operation.who, caller)
  return caller
}
