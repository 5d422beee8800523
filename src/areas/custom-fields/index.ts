import { area } from '#src/contract/area.ts'
import { fieldOperations } from './operations.ts'

export { listFields } from './lookups.ts'
export type { FieldRow } from './queries.ts'
export { insertField } from './writes.ts'

/** Fields that a school adds to its members. */
export const customFields = area({ name: 'custom-fields', operations: fieldOperations })
