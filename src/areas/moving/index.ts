import type { Area } from '#src/contract/area.ts'
import { imports } from './imports/index.ts'

export { Import, ImportFindings, ImportPage, importFields } from './imports/index.ts'

/** The areas of this domain in their order; each may import the ones before it. */
export const movingAreas: readonly Area[] = [imports]
