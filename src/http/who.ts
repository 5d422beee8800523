import { type Caller, isStaff, type Proof } from '#src/contract/caller.ts'
import type { AnyOperation, Who } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { proofRequired, roleRequired } from '#src/contract/problems.ts'

// Every member passes for `holder` and `lecturer_of`: the guard of the area checks these, since it knows the course.
const passes: Record<Who, (caller: Caller) => boolean> = {
  anyone: () => true,
  self: caller => caller.member !== undefined,
  holder: caller => caller.member !== undefined,
  lecturer_of: caller => caller.member !== undefined || isStaff(caller),
  staff: isStaff,
  owner: caller => caller.member?.role === 'owner' || caller.isOperator === true,
}

/** Whether the role of a caller allows the operation. */
export const mayCall = (who: Who, caller: Caller): boolean => passes[who](caller)

/** The second check: refuses when the role of the caller does not allow the operation. */
export const checkRole = (who: Who, caller: Caller): void => {
  if (mayCall(who, caller)) return
  throw new Refusal(roleRequired, `This operation is for ${who === 'owner' ? 'the owner' : 'staff'} of the school.`)
}

// An app has no proof of its own: its person gives it on the page on which they confirm. Until there are second factors, a recent
// proof is required in their place.
const proves = ({ clientId, member, hasRecentProof }: Caller): boolean =>
  clientId !== undefined || member === undefined || hasRecentProof === true

/** Refuses a person on a page who did not prove who they are in this way. */
export const requireProof = (level: Proof | undefined, caller: Caller): void => {
  if (level === undefined || proves(caller)) return
  throw new Refusal(proofRequired, 'Confirm that it is you before you do this.')
}

/** The third check: refuses when the operation needs a proof that the person on a page has not given recently. */
export const checkProof = ({ proof }: AnyOperation, caller: Caller): void => requireProof(proof, caller)
