import type { Endpoint } from '#src/contract/endpoint.ts'
import type { AccountPagesParts } from '../parts.ts'
import { ownCommentEndpoints } from './own.ts'
import { reportCommentEndpoints } from './report.ts'
import { writeCommentEndpoints } from './write.ts'

/** The pages on which people write, change, delete and report comments. */
export const commentEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  ...ownCommentEndpoints(parts),
  ...writeCommentEndpoints(parts),
  ...reportCommentEndpoints(parts),
]
