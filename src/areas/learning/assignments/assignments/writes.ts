import type { TransactionContext } from '#src/contract/context.ts'
import { newUuid } from '#src/kit/ids.ts'
import { type AssignmentRow, setAssignment } from './queries.ts'
import { buildValues, renderInstructions } from './rules.ts'
import type { AssignmentInput } from './schema.ts'

/** Stores the assignment of a lesson that has none. */
export const addAssignment = (
  { db, school, now }: TransactionContext,
  lessonId: string,
  input: AssignmentInput,
): Promise<AssignmentRow> =>
  setAssignment(
    db,
    school.id,
    { id: newUuid(now.getTime()), lessonId },
    buildValues(input, renderInstructions(input.instructions)),
  )
