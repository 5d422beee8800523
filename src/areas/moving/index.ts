import type { Area } from '#src/contract/area.ts'
import { imports } from './imports/index.ts'

export { fieldsOfLecturers, Import, ImportFindings, ImportPage, ImportRowPage, importFields } from './imports/index.ts'

/** The areas of this domain in their order; each may import the ones before it. */
export const movingAreas: readonly Area[] = [imports]
