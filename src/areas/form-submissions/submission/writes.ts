import { releaseFiles } from '#src/areas/storage/index.ts'
import type { Db, Statement } from '#src/contract/db.ts'
import { deleteRows } from './queries.ts'

/** Deletes submissions with their files, in a transaction; returns the ids of their rows. */
export const deleteSubmissionsWhere = async (db: Db, schoolId: string, which: Statement): Promise<string[]> => {
  const { ids, fileIds } = await deleteRows(db, schoolId, which)
  if (fileIds.length > 0) await releaseFiles(db, schoolId, fileIds)
  return ids
}
