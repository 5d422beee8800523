import { area } from '#src/contract/area.ts'
import { fieldOperations } from './operations.ts'

export { type FieldRow, insertField, listFields } from './queries.ts'
export { fieldTypes } from './rules.ts'
export { CustomField, FieldPage as CustomFieldPage } from './schema.ts'

/** Fields that a school adds to its members. */
export const customFields = area({ name: 'custom-fields', operations: fieldOperations })
