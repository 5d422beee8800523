import type { FindPath } from '#src/contract/fact-envelope.ts'
import { hook } from '#src/contract/hook.ts'

/** The paths of the routed GETs of the whole application, by their ids. */
export const readPaths = hook<undefined, FindPath>('readPaths')
