import type { Operation } from '#src/contract/operation.ts'

/** The operations of students, in the order of the documentation. */
export const operations: Operation<'students:read' | 'students:write'>[] = []
