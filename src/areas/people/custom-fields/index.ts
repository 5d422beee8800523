import { area } from '#src/contract/area.ts'
import { fieldOperations } from './operations.ts'

export { type FieldRow, insertField, listFields } from './queries.ts'

/** Fields that a school adds to its members. */
export const customFields = area({ name: 'custom-fields', operations: fieldOperations })
