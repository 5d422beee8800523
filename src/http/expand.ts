import type { Caller } from '#src/contract/caller.ts'
import { listValues } from '#src/contract/check.ts'
import type { Operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidParameter } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { quotedName } from '#src/kit/nearest.ts'
import { lacksScope } from './bearer.ts'
import { checkRole } from './who.ts'

/** The relations to embed; refuses one that the operation does not have or that the caller may not see. */
export const resolveExpansion = (
  operation: Operation,
  requested: readonly string[] | undefined,
  caller: Caller,
  school: School,
): ReadonlySet<string> => {
  for (const name of requested ?? []) {
    const relation = Object.hasOwn(operation.expand, name) ? operation.expand[name] : undefined
    if (relation === undefined)
      throw new Refusal(
        invalidParameter,
        `The parameter expand names ${quotedName(name)}, which the response does not have. It must be one or more of: ${listValues(Object.keys(operation.expand))}.`,
      )
    const isOpen = relation.who === 'anyone' && caller.member === undefined
    if (!isOpen && !caller.scopes.has(relation.scope)) throw lacksScope(school, relation.scope, 'Embedding this')
    checkRole(relation.who, caller)
  }
  return new Set(requested)
}
