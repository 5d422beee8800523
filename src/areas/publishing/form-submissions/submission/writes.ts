import { releaseFiles } from '#src/areas/files/index.ts'
import type { Db, Statement } from '#src/contract/db.ts'
import { deleteRows, lockRows } from './queries.ts'

/** Deletes submissions with their files; returns the ids of their rows. */
export const deleteSubmissionsWhere = async (db: Db, schoolId: string, which: Statement): Promise<string[]> => {
  const rows = await lockRows(db, schoolId, which)
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  // The files first: a sweep is no transaction, and what is left of it is found again by its submission.
  const files = rows.flatMap(row => row.files)
  if (files.length > 0) await releaseFiles(db, schoolId, files)
  await deleteRows(db, schoolId, ids)
  return ids
}
