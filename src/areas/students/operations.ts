import { accessOperations } from './access/operations.ts'
import { attemptOperations } from './attempts/operations.ts'
import { batchOperations } from './batches/operations.ts'
import { completionOperations } from './completions/operations.ts'
import { writingOperations } from './enrolling.operations.ts'
import { readingOperations } from './enrollments/operations.ts'
import { extensionOperations } from './extensions/operations.ts'
import { holdOperations } from './holds/operations.ts'
import { openingOperations } from './openings/operations.ts'
import { pendingOperations } from './pending/operations.ts'
import { peopleOperations } from './people/operations.ts'
import { progressOperations } from './progress/operations.ts'
import { submissionOperations } from './submissions/operations.ts'

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
