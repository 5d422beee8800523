import { commitGenerated, discardGenerated, storeGenerated } from '#src/areas/storage/index.ts'
import type { Database, Db } from '#src/contract/db.ts'
import type { FactHandler } from '#src/contract/fact.ts'
import type { JobHandler, JobOutcome } from '#src/contract/job.ts'
import { personalData } from '#src/contract/personal-data.ts'
import type { School } from '#src/contract/school.ts'
import type { Store } from '#src/contract/store.ts'
import { recordFact } from '#src/db/journal.ts'
import { getSchool } from '#src/db/schools.ts'
import { recordMail } from '#src/identity/index.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import {
  deleteExport,
  deleteExportsOf,
  type ExportRow,
  findExport,
  storeFailedExport,
  storeMadeExport,
} from './queries.ts'

const WEEK_SECONDS = 7 * 24 * 3600
const MOST_ATTEMPTS = 5

/** Everything that the rooms know of a member, as one document. */
const documentOf = async (db: Db, school: School, row: ExportRow): Promise<Uint8Array> => {
  const told = (await personalData.call({ memberId: row.member_id }, { school, db })).flat()
  const about = { school: school.name, base_url: school.baseUrl, member_id: toId('mem', row.member_id) }
  const data = Object.fromEntries(told.map(({ name, rows }) => [name, rows]))
  return Buffer.from(JSON.stringify({ ...about, asked_at: row.created_at.toISOString(), data }, undefined, 2))
}

const drop = async (db: Db, schoolId: string, id: string): Promise<void> => {
  const gone = await deleteExport(db, schoolId, id)
  if (gone !== undefined && gone.file_id !== null) await discardGenerated(db, schoolId, [gone.file_id])
}

type Put = Awaited<ReturnType<typeof storeGenerated>>

const keep = async (db: Db, schoolId: string, row: ExportRow, made: Put): Promise<void> => {
  const ready = await storeMadeExport(db, schoolId, row.id, { fileId: made.id, seconds: WEEK_SECONDS })
  // The person was erased while it was made: what was put is named by nothing and swept.
  if (ready === undefined) return
  const file = { ...made, memberId: row.member_id, filename: 'my-data.json', contentType: 'application/json' }
  await commitGenerated(db, schoolId, file)
  const about = { export: toId('exp', row.id), member: toId('mem', row.member_id) }
  await recordFact(db, schoolId, { type: 'account.export_ready', payload: about }, ready.updated_at)
}

/** Makes the export that a piece of work is for, or takes it away when its week is over. */
export const createExporting =
  (database: Database, store: Store): JobHandler =>
  async ({ schoolId, id, attempt }): Promise<JobOutcome> => {
    const row = await database.statements(schoolId, db => findExport(db, schoolId, id))
    if (row === undefined) return { againIn: undefined, settle: async () => undefined }
    if (row.status !== 'pending') return { againIn: undefined, settle: db => drop(db, schoolId, id) }
    if (attempt > MOST_ATTEMPTS) return { againIn: WEEK_SECONDS, settle: db => storeFailedExport(db, schoolId, id) }
    const bytes = await database.statements(schoolId, async db => documentOf(db, await getSchool(db, schoolId), row))
    const made = await storeGenerated(store, schoolId, row.created_at, bytes)
    return { againIn: WEEK_SECONDS, settle: db => keep(db, schoolId, row, made) }
  }

/** Mails that an export is ready. */
export const onExportReady: FactHandler = async ({ payload }, { db, school, now }) => {
  const row = await findExport(db, school.id, fromId('exp', String(payload.export)))
  if (row === undefined || row.expires_at === null) return
  const values = { until: row.expires_at.toISOString().slice(0, 10) }
  await recordMail(db, school.id, row.member_id, { kind: 'export_ready', values }, now)
}

/** Takes away the exports of somebody who is erased or merged into another. */
export const forgetExports = async (db: Db, schoolId: string, memberId: string): Promise<void> => {
  const fileIds = await deleteExportsOf(db, schoolId, memberId)
  if (fileIds.length > 0) await discardGenerated(db, schoolId, fileIds)
}
