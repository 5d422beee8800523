import { type Caller, isAtLeast } from '#src/contract/caller.ts'
import type { Who } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { roleRequired } from '#src/contract/problems.ts'

// A holder and the lecturer of a course are found out by the room that knows the course; here every member passes.
const passes: Record<Who, (caller: Caller) => boolean> = {
  anyone: () => true,
  self: caller => caller.member !== undefined,
  holder: caller => caller.member !== undefined,
  lecturer_of: caller => caller.member !== undefined,
  staff: caller => caller.member !== undefined && isAtLeast(caller.member.role, 'admin'),
  owner: caller => caller.member?.role === 'owner',
}

/** Whether a caller's role is one that the operation is for. */
export const mayCall = (who: Who, caller: Caller): boolean => passes[who](caller)

/** The second lock: the role of the person behind the token. */
export const checkRole = (who: Who, caller: Caller): void => {
  if (mayCall(who, caller)) return
  throw new Refusal(roleRequired, `This operation is for ${who === 'owner' ? 'the owner' : 'staff'} of the school.`)
}
