import { area } from '#src/contract/area.ts'
import { assignmentOperations } from './assignments/operations.ts'
import { implementations } from './implementations.ts'

export { needsAcceptedWork } from './assignments/lookups.ts'
export { assignmentExample } from './assignments/operations.ts'
export { type AssignmentRow, findAssignment } from './assignments/queries.ts'
export { dueInstant, errorsOfLocalTime, notAnAssignment } from './assignments/rules.ts'
export { Assignment } from './assignments/schema.ts'
export { addAssignment } from './assignments/writes.ts'
export { dueFor } from './hooks.ts'

/** Assignments of lessons: what is submitted, and until when. */
export const assignments = area({
  name: 'assignments',
  operations: assignmentOperations,
  hooks: implementations,
})
