import type { Static } from 'typebox'
import { batchResponse, importStatuses, rowPointer, rowResult } from '#src/contract/batch.ts'
import type { EnrollmentOutcome } from './importing.writes.ts'
import type { EnrollmentBatchResponse } from './schema.ts'

/** The response: how many rows had each result, and the result of each; what the caller may not know has no ids. */
export const responseTo = (outcomes: readonly EnrollmentOutcome[]): Static<typeof EnrollmentBatchResponse> =>
  batchResponse(
    importStatuses,
    outcomes.map(({ status, errors, enrollmentId = null, memberId = null, isDisclosed }, index) =>
      rowResult(
        rowPointer('rows', index),
        { status, ...(errors && { errors }) },
        isDisclosed ? { id: enrollmentId, member_id: memberId } : { id: null, member_id: null },
      ),
    ),
  )
