import type { Operation } from '#src/contract/operation.ts'
import { attemptOperations } from './attempts/operations.ts'
import { completionOperations } from './completions/operations.ts'
import { openingOperations } from './openings/operations.ts'
import { progressOperations } from './progress/operations.ts'

/** The operations of students, in the order of the documentation. */
export const operations: Operation<'students:read' | 'students:write'>[] = [
  ...progressOperations,
  ...completionOperations,
  ...openingOperations,
  ...attemptOperations,
]
