import { attemptOperations } from './attempts/operations.ts'

/** The operations of students, in the order of the documentation. */
export const operations = [...attemptOperations]
