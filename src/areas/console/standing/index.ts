import { area } from '#src/contract/area.ts'
import { operations } from './operations.ts'

export { type Readiness, readReadiness } from './lookups.ts'
export { SenderQuery, Standing } from './schema.ts'

/** How a school stands: what it has set, and whether it works. */
export const standing = area({ name: 'standing', operations })
