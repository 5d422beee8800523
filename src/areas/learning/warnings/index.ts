import { area } from '#src/contract/area.ts'
import { implementations } from './implementations.ts'

/** What published courses and lessons lack: lessons, or the content that their type needs. */
export const warnings = area({ name: 'warnings', operations: [], hooks: implementations })
