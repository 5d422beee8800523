import { discardGenerated } from '#src/areas/files/index.ts'
import type { Db } from '#src/contract/db.ts'
import { deleteExportsOf } from './queries.ts'

/** Deletes the exports of a member who is erased or merged into another. */
export const deleteMemberExports = async (db: Db, schoolId: string, memberId: string): Promise<void> => {
  const fileIds = await deleteExportsOf(db, schoolId, memberId)
  if (fileIds.length > 0) await discardGenerated(db, schoolId, fileIds)
}
