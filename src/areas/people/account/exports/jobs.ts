import { commitGenerated, discardGenerated, storeGenerated } from '#src/areas/files/index.ts'
import type { Database, Db } from '#src/contract/db.ts'
import type { JobHandler, JobOutcome } from '#src/contract/job.ts'
import { personalData } from '#src/contract/personal-data.ts'
import type { School } from '#src/contract/school.ts'
import type { Store } from '#src/contract/store.ts'
import { recordFacts } from '#src/db/audit.ts'
import { getSchool } from '#src/db/schools.ts'
import { toId } from '#src/kit/ids.ts'
import { deleteExport, type ExportRow, findExport, storeFailedExport, storeReadyExport } from './queries.ts'

const WEEK_SECONDS = 7 * 24 * 3600
const MAX_ATTEMPTS = 5

// Everything that the areas store about a member, as one document.
const buildDocument = async (db: Db, school: School, row: ExportRow): Promise<Uint8Array> => {
  const parts = (await personalData.call({ memberId: row.member_id }, { school, db })).flat()
  const about = { school: school.name, base_url: school.baseUrl, member_id: toId('mem', row.member_id) }
  const data = Object.fromEntries(parts.map(({ name, rows }) => [name, rows]))
  return Buffer.from(JSON.stringify({ ...about, asked_at: row.created_at.toISOString(), data }, undefined, 2))
}

const expire = async (db: Db, schoolId: string, id: string): Promise<void> => {
  const deleted = await deleteExport(db, schoolId, id)
  if (deleted !== undefined && deleted.file_id !== null) await discardGenerated(db, schoolId, [deleted.file_id])
}

type GeneratedFile = Awaited<ReturnType<typeof storeGenerated>>

const complete = async (db: Db, schoolId: string, row: ExportRow, generated: GeneratedFile): Promise<void> => {
  const ready = await storeReadyExport(db, schoolId, row.id, { fileId: generated.id, seconds: WEEK_SECONDS })
  // The person was erased meanwhile: nothing refers to the stored file, so a sweep deletes it.
  if (ready === undefined) return
  const owner = { memberId: row.member_id, purpose: 'export' } as const
  const file = { ...generated, ...owner, filename: 'my-data.json', contentType: 'application/json' }
  await commitGenerated(db, schoolId, file)
  const about = { export_id: toId('exp', row.id), member_id: toId('mem', row.member_id) }
  await recordFacts(db, { schoolId, now: ready.updated_at }, [{ type: 'account.export_ready', payload: about }])
}

/** Generates the export that a job is for, or deletes it after its week. */
export const createExporting =
  (database: Database, store: Store): JobHandler =>
  async ({ schoolId, id, attempt }): Promise<JobOutcome> => {
    const row = await database.statements(schoolId, db => findExport(db, schoolId, id))
    if (row === undefined) return { againIn: undefined, settle: async () => undefined }
    if (row.status !== 'pending') return { againIn: undefined, settle: db => expire(db, schoolId, id) }
    if (attempt > MAX_ATTEMPTS) return { againIn: WEEK_SECONDS, settle: db => storeFailedExport(db, schoolId, id) }
    const bytes = await database.statements(schoolId, async db => buildDocument(db, await getSchool(db, schoolId), row))
    const generated = await storeGenerated(store, schoolId, row.created_at, bytes)
    return { againIn: WEEK_SECONDS, settle: db => complete(db, schoolId, row, generated) }
  }
