import { area } from '#src/contract/area.ts'
import { changeOperations } from './operations.ts'

/** The feed of changes: the facts of the school, for apps that read on. */
export const changes = area({ name: 'changes', operations: changeOperations })
