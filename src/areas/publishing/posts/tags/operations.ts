import { tagged } from '#src/contract/tagged.ts'
import { postTagCounts } from './queries.ts'

/** The operations of post tags. */
export const tagOperations = [tagged(postTagCounts, 'post', 'posts:read')]
