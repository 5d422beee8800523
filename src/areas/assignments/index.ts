import { area } from '#src/contract/area.ts'
import { implementations } from './implementations.ts'
import { assignmentOperations } from './operations.ts'
import { resolveDueAgain } from './sweeps.ts'

export { dueFor } from './hooks.ts'
export { type AssignmentRow, findAssignment, needsAcceptedWork } from './lookups.ts'
export { assignmentExample } from './operations.ts'
export { faultsOfLocal, notAnAssignment } from './rules.ts'
export { addAssignment } from './writes.ts'

/** Assignments of lessons: what is submitted, and until when. */
export const assignments = area({
  name: 'assignments',
  operations: assignmentOperations,
  hooks: implementations,
  sweeps: [resolveDueAgain],
})
