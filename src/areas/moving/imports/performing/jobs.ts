import { listFields } from '#src/areas/people/index.ts'
import type { JobParts } from '#src/contract/area.ts'
import type { Db } from '#src/contract/db.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { Job } from '#src/contract/job.ts'
import { Refusal } from '#src/contract/problem.ts'
import { internalError } from '#src/contract/problems.ts'
import { recordWorkerChange } from '#src/db/audit.ts'
import { getSchool } from '#src/db/schools.ts'
import { toId } from '#src/kit/ids.ts'
import { type ImportRow, type ImportValues, lockImport, storeImport } from '../import/queries.ts'
import { aboutImport } from '../import/rules.ts'
import { createRowReader } from '../mapping/index.ts'
import { readStoredRows, resetRows, storeDuplicates } from '../rows/queries.ts'
import { ImportPiece } from './operations.ts'
import { findDuplicates } from './rules.ts'

type Parts = Pick<JobParts, 'database' | 'callAs'>

// Under the operation by which a person begins the phase.
const chooseOperation = ({ kind, status }: ImportRow): string => {
  const verb = status === 'checking' ? 'check' : status === 'running' ? 'run' : 'undo'
  return `${verb}${kind === 'people' ? 'MemberImport' : 'EnrollmentImport'}`
}

/** Finds rows of an import that are about the same, before its first piece is checked. */
const compareRows = async ({ database }: Parts, { schoolId, id }: Job, row: ImportRow): Promise<void> => {
  const pairs = await database.statements(schoolId, async db => {
    const [school, customFields] = [await getSchool(db, schoolId), await listFields(db, schoolId)]
    const { kind, mapping, options } = row
    const read = createRowReader({ kind, mapping, customFields, zone: school.timeZone, tags: options.tags })
    return findDuplicates(readStoredRows(db, schoolId, id), read)
  })
  await database.transaction(schoolId, async db => {
    const locked = await lockImport(db, schoolId, id)
    if (locked?.status !== 'checking' || locked.revision !== row.revision) return
    await resetRows(db, schoolId, id)
    if (pairs.length > 0) await storeDuplicates(db, schoolId, id, pairs)
    await storeImport(db, schoolId, id, { position: 0 })
  })
}

type Stopped = { readonly values: Partial<ImportValues>; readonly fact: Fact }

// What was checked is checked again, and what is not undone yet can be undone again.
const chooseStop = (row: ImportRow, { problem, message }: Refusal, now: Date): Stopped | undefined => {
  const { status } = row
  const fact = { type: 'import.stopped', payload: aboutImport(row) } as const
  if (status === 'checking') {
    const updated = { type: 'import.updated', payload: { ...aboutImport(row), fields: ['status'] } } as const
    return { values: { status: 'ready' }, fact: updated }
  }
  if (status === 'undoing') return { values: { status: 'completed' }, fact }
  if (status !== 'running') return undefined
  const values = { status: 'stopped', problem: { code: problem.code, message }, ended_at: now } as const
  return { values, fact }
}

const stop = async (db: Db, now: Date, { schoolId, id }: Job, refusal: Refusal): Promise<void> => {
  const row = await lockImport(db, schoolId, id)
  const stopped = row && chooseStop(row, refusal, now)
  if (row === undefined || stopped === undefined) return
  const stored = await storeImport(db, schoolId, id, stopped.values)
  const change = { ids: [toId('imp', id)], fields: ['status'], revision: stored.revision }
  await recordWorkerChange(db, { schoolId, now, operation: chooseOperation(row) }, change, [stopped.fact])
}

/** Ends the phase of an import before its end. */
export const stopImport = ({ database }: Pick<JobParts, 'database'>, job: Job, refusal: Refusal): Promise<void> =>
  database.transaction(job.schoolId, (db, now) => stop(db, now, job, refusal))

/** The refusal of an import that cannot go on for a reason that is ours. */
export const failedForUs = (): Refusal =>
  new Refusal(internalError, 'Something went wrong that is ours; the operator was told. Continue the import later.')

const isLasting = (error: unknown): error is Refusal =>
  error instanceof Refusal && !error.problem.retryable && error.problem.status < 500

/** Handles the next piece of an import, as the member who started it; stops it where they may not any more. */
export const handleNext = async (parts: Parts, job: Job, row: ImportRow): Promise<void> => {
  const { database, callAs } = parts
  const { schoolId, id } = job
  if (row.status === 'checking' && row.position === null) return compareRows(parts, job, row)
  const school = await database.statements(schoolId, db => getSchool(db, schoolId))
  const operation = row.status === 'undoing' ? 'undoImportPiece' : 'performImportPiece'
  const by = { school, memberId: row.started_by ?? id, requestId: 'worker' }
  try {
    await callAs(by, { operation, params: { import_id: toId('imp', id) }, returns: ImportPiece })
  } catch (error) {
    // Another process may have ended the phase meanwhile.
    if (!isLasting(error)) throw error
    if (error.problem.code !== 'invalid_state') await stopImport(parts, job, error)
  }
}
