import { area } from '#src/contract/area.ts'
import { operations } from './operations.ts'

export { Today, type WaitingKind } from './schema.ts'

/** What the first page of the console shows, of all areas. */
export const today = area({ name: 'today', operations })
