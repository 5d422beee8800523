import { area } from '#src/contract/area.ts'
import { implementations } from './implementations.ts'
import { outlineOperations } from './operations.ts'

export { Outline } from './schema.ts'
export { addOutline } from './writes.ts'

/** The sections and lessons of a course, read, replaced and copied as a whole. */
export const outlines = area({ name: 'outlines', operations: outlineOperations, hooks: implementations })
