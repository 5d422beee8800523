import { area } from '#src/contract/area.ts'
import { accountAccessOperations } from './access/account.operations.ts'
import { accessOperations } from './access/operations.ts'
import { batchOperations } from './batches/operations.ts'
import { holdOperations } from './holds/operations.ts'
import { peopleOperations } from './people/operations.ts'

export {
  decodeEnrollmentRows,
  type EnrollmentOutcome,
  type EnrollmentUndo,
  importEnrollments,
} from './batches/importing.writes.ts'
export { EnrollmentBatchResponse } from './batches/schema.ts'
export { undoEnrollments } from './batches/undo.writes.ts'
export { Student, StudentPage } from './people/schema.ts'
export { findOrAddMember } from './people/writes.ts'

/** Members as students: who they are, their access, and importing many at once. */
export const students = area({
  name: 'students',
  operations: [
    ...peopleOperations,
    ...accessOperations,
    ...holdOperations,
    ...batchOperations,
    ...accountAccessOperations,
  ],
})
