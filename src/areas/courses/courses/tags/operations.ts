import { tagged } from '#src/contract/tagged.ts'
import { courseTagCounts } from './queries.ts'

/** The operations of course tags. */
export const tagOperations = [tagged(courseTagCounts, 'course', 'courses:read')]
