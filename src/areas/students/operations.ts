import { accessOperations } from './access/operations.ts'
import { batchOperations } from './batches/operations.ts'
import { writingOperations } from './enrolling.operations.ts'
import { readingOperations } from './enrollments/operations.ts'
import { holdOperations } from './holds/operations.ts'
import { peopleOperations } from './people/operations.ts'

/** The operations of students, in the order of the documentation. */
export const operations = [
  ...peopleOperations,
  ...accessOperations,
  ...holdOperations,
  ...readingOperations,
  ...batchOperations,
  ...writingOperations,
]
