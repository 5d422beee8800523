import type { HookPlace } from '#src/contract/hook.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody } from '#src/contract/problems.ts'
import type { Purpose } from '../uploads/schema.ts'
import { takeFile } from './queries.ts'

/**
 * Takes a file into use in the transaction of the write that refers to it, and returns the id of its row; `pointer` is
 * where the body names it. Refuses what is not ready, for another purpose or, with `memberId`, of somebody else.
 */
export const useFile = async (
  { db, school }: HookPlace,
  file: {
    readonly id: string
    readonly pointer: string
    readonly purposes: readonly Purpose[]
    readonly memberId?: string
  },
): Promise<string> => {
  const { memberId, purposes } = file
  const row = await takeFile(db, school.id, file.id, { memberId, purposes })
  if (row !== undefined) return row.id
  throw new Refusal(invalidBody, 'The file cannot be used here.', {
    errors: [{ pointer: file.pointer, code: 'unknown', message: 'is not a completed file with this purpose' }],
  })
}
