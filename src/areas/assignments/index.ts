import { area } from '#src/contract/area.ts'
import { implementations } from './implementations.ts'
import { assignmentOperations } from './operations.ts'
import { resolveDueAgain } from './queries.ts'

export { addAssignment, needsAcceptedWork } from './actions.ts'
export { assignmentExample } from './operations.ts'
export { type AssignmentRow, findAssignment } from './queries.ts'
export { dueFor } from './questions.ts'
export { faultsOfLocal, notAnAssignment } from './rules.ts'

/** Assignments of lessons: what is submitted, and until when. */
export const assignments = area({
  name: 'assignments',
  operations: assignmentOperations,
  hooks: implementations,
  sweeps: [resolveDueAgain],
})
