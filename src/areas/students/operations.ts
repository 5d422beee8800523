import { accessOperations } from './access/operations.ts'
import { attemptOperations } from '#src/areas/attempts/attempts/operations.ts'
import { batchOperations } from './batches/operations.ts'
import { completionOperations } from '#src/areas/progress/completions/operations.ts'
import { writingOperations } from '#src/areas/enrollments/enrollments/writing.operations.ts'
import { readingOperations } from '#src/areas/enrollments/enrollments/operations.ts'
import { extensionOperations } from '#src/areas/submissions/extensions/operations.ts'
import { holdOperations } from './holds/operations.ts'
import { openingOperations } from '#src/areas/progress/availability/operations.ts'
import { pendingOperations } from '#src/areas/enrollments/pending/operations.ts'
import { peopleOperations } from './people/operations.ts'
import { progressOperations } from '#src/areas/progress/progress/operations.ts'
import { submissionOperations } from '#src/areas/submissions/submissions/operations.ts'

/** The operations of students, in the order of the documentation. */
export const operations = [
  ...peopleOperations,
  ...accessOperations,
  ...holdOperations,
  ...progressOperations,
  ...completionOperations,
  ...openingOperations,
  ...readingOperations,
  ...batchOperations,
  ...writingOperations,
  ...pendingOperations,
  ...submissionOperations,
  ...extensionOperations,
  ...attemptOperations,
]
