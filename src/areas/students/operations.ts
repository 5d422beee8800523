import { extensionOperations } from './extensions/operations.ts'
import { submissionOperations } from './submissions/operations.ts'

/** The operations of students, in the order of the documentation. */
export const operations = [...submissionOperations, ...extensionOperations]
