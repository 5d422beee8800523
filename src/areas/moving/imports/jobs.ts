import { releaseFiles } from '#src/areas/files/index.ts'
import type { JobParts } from '#src/contract/area.ts'
import type { Db } from '#src/contract/db.ts'
import type { Job, JobHandler, JobOutcome } from '#src/contract/job.ts'
import { recordWorkerChange } from '#src/db/audit.ts'
import { isPassing } from '#src/db/sqlstates.ts'
import { toId } from '#src/kit/ids.ts'
import { deleteImportRow, findImport, IMPORT_JOB, type ImportRow, lockImport, storeImport } from './import/queries.ts'
import { aboutImport } from './import/rules.ts'
import { failedForUs, handleNext, stopImport } from './performing/jobs.ts'
import { readFile, refuseFile } from './reading/jobs.ts'
import { emptyRows } from './rows/queries.ts'

const PATIENCE_MS = 20_000
const MAX_FAILURES = 3

const done: JobOutcome = { againIn: undefined, settle: async () => undefined }

const deleteOld = async (db: Db, { schoolId, id }: Job, row: ImportRow): Promise<void> => {
  await deleteImportRow(db, schoolId, id)
  if (row.file_id !== null) await releaseFiles(db, schoolId, [row.file_id])
  const operation = row.kind === 'people' ? 'deleteMemberImport' : 'deleteEnrollmentImport'
  const wire = toId('imp', id)
  const at = { schoolId, now: row.updated_at, operation }
  await recordWorkerChange(db, at, { ids: [wire], fields: [] }, [{ type: 'import.deleted', payload: aboutImport(row) }])
}

const emptyOld = async (db: Db, { schoolId, id }: Job, row: ImportRow): Promise<void> => {
  await emptyRows(db, schoolId, id)
  if (row.file_id !== null) await releaseFiles(db, schoolId, [row.file_id])
  // The rows that are missing have no values any more, so it cannot go on.
  const ended = row.status === 'stopped' ? ({ status: 'completed', problem: null } as const) : {}
  await storeImport(db, schoolId, id, { file_id: null, emptied_at: row.updated_at, ...ended })
}

// Thirty days after its end the values of an import are deleted, and one that was never run is deleted with them.
const expire = async (db: Db, job: Job): Promise<void> => {
  const row = await lockImport(db, job.schoolId, job.id)
  if (row === undefined || row.expires_in > 0 || row.emptied_at !== null) return
  await (row.ended_at === null ? deleteOld : emptyOld)(db, job, row)
}

const rest = ({ expires_in: seconds, emptied_at: emptiedAt }: ImportRow): JobOutcome => {
  if (emptiedAt !== null) return done
  return { againIn: Math.max(seconds, 60), settle: async () => undefined }
}

const isActive = ({ status }: ImportRow): boolean => ['checking', 'running', 'undoing'].includes(status)

const step = async (parts: JobParts, job: Job, row: ImportRow): Promise<JobOutcome | undefined> => {
  if (row.status === 'reading') return readFile(parts, job, row)
  if (!isActive(row)) return row.expires_in > 0 ? rest(row) : { againIn: undefined, settle: db => expire(db, job) }
  await handleNext(parts, job, row)
  return undefined
}

const handle = async (parts: JobParts, job: Job): Promise<JobOutcome> => {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    const row = await parts.database.statements(job.schoolId, db => findImport(db, job.schoolId, job.id))
    if (row === undefined) return done
    const outcome = await step(parts, job, row)
    if (outcome !== undefined) return outcome
    if (performance.now() > end) return { againIn: 0, settle: async () => undefined }
  }
}

const giveUp = async (parts: JobParts, job: Job): Promise<JobOutcome> => {
  const row = await parts.database.statements(job.schoolId, db => findImport(db, job.schoolId, job.id))
  if (row?.status === 'reading') return refuseFile(job, row, 'internal_error')
  await stopImport(parts, job, failedForUs())
  return { againIn: 60, settle: async () => undefined }
}

/**
 * Reads, checks, runs and undoes an import, for twenty seconds at a time, and deletes what is no longer needed of it. What fails
 * three times for a reason that does not pass is given up, so that other imports can run.
 */
const createImporting = (parts: JobParts): JobHandler => {
  const failures = new Map<string, number>()
  return async job => {
    if ((failures.get(job.id) ?? 0) >= MAX_FAILURES) {
      failures.delete(job.id)
      return giveUp(parts, job)
    }
    try {
      const outcome = await handle(parts, job)
      failures.delete(job.id)
      return outcome
    } catch (error) {
      if (!isPassing(error)) failures.set(job.id, (failures.get(job.id) ?? 0) + 1)
      throw error
    }
  }
}

/** The job of imports; a process works on one of a school at a time. */
export const importJobs = { [IMPORT_JOB]: { create: createImporting, atOnce: 1 } }
