import { type Caller, isStaff } from '#src/contract/caller.ts'
import type { Who } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { roleRequired } from '#src/contract/problems.ts'

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
