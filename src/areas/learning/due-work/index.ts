import { area } from '#src/contract/area.ts'
import { dueWorkOperations } from './account.operations.ts'

/** What a learner has to submit or to pass, in the order in which it is due. */
export const dueWork = area({ name: 'due-work', operations: dueWorkOperations })
