import { bytesOfFile, reserveQuota } from '#src/areas/files/index.ts'
import type { JobParts } from '#src/contract/area.ts'
import type { Db } from '#src/contract/db.ts'
import type { Job, JobHandler, JobOutcome } from '#src/contract/job.ts'
import { Refusal } from '#src/contract/problem.ts'
import type { Store } from '#src/contract/store.ts'
import { recordWorkerChange } from '#src/db/audit.ts'
import { toId } from '#src/kit/ids.ts'
import { type Bundle, type BundleFile, MAX_ARCHIVE_BYTES, readBundle } from '../archive/contents.rules.ts'
import { type ProblemCode, problemAt } from '../archive/schema.ts'
import { lockObjects, scheduleObjects } from '../upkeep/queries.ts'
import {
  DEPLOYMENT_JOB,
  findUnchecked,
  insertObjects,
  listNeeded,
  lockUnchecked,
  objectKey,
  putDeployedFiles,
  storeChecked,
  storeRefused,
  storeStored,
} from './queries.ts'

type Parts = Pick<JobParts, 'database' | 'store'>

const BUSY_SECONDS = 30
const SOON_SECONDS = 1
const AT_ONCE = 4
const BATCH = 100
// Well below the time for which a worker's claim holds.
const PATIENCE_MS = 200_000

const done: JobOutcome = { againIn: undefined, settle: async () => undefined }
const later = (seconds: number): JobOutcome => ({ againIn: seconds, settle: async () => undefined })

type Settled = Awaited<ReturnType<typeof storeChecked>>

const record = (
  db: Db,
  { schoolId, id }: Job,
  settled: NonNullable<Settled>,
  type: 'deployment.checked' | 'deployment.refused',
  fields: readonly string[],
) => {
  const ids = { page_id: toId('pag', settled.page_id), deployment_id: toId('dep', id) }
  const change = { ids: [ids.deployment_id, ids.page_id], fields: [...fields], revision: settled.revision }
  const at = { schoolId, now: settled.updated_at, operation: 'createDeployment' }
  return recordWorkerChange(db, at, change, [{ type, payload: ids }])
}

type Problems = readonly { readonly code: ProblemCode; readonly entry: string | null }[]

const refused = (job: Job, problems: Problems): JobOutcome => ({
  againIn: undefined,
  settle: async db => {
    const settled = await storeRefused(db, job.schoolId, job.id, problems)
    if (settled === undefined) return
    await record(db, job, settled, 'deployment.refused', ['status', 'problems'])
    await scheduleObjects(db, job.schoolId, 0)
  },
})

const checked = (job: Job, { files, ignored, rootFolder }: Bundle): JobOutcome => ({
  againIn: undefined,
  settle: async db => {
    const bytes = files.reduce((sum, { size }) => sum + size, 0)
    const contents = { fileCount: files.length, bytes, ignored, rootFolder }
    const settled = await storeChecked(db, job.schoolId, job.id, contents)
    if (settled !== undefined) await record(db, job, settled, 'deployment.checked', ['status'])
  },
})

const distinct = (files: readonly BundleFile[]): BundleFile[] => [
  ...new Map(files.map(file => [file.sha256.toString('hex'), file])).values(),
]

class QuotaError extends Error {}

/** What is missing in the store, or why the files cannot be taken now. */
type Claim = 'gone' | 'removing' | readonly BundleFile[]

// The rows refer to the objects before these are stored, so that no sweep removes them.
const claim = async (db: Db, { schoolId, id }: Job, { files }: Bundle): Promise<Claim> => {
  await lockObjects(db, schoolId)
  if (!(await lockUnchecked(db, schoolId, id))) return 'gone'
  const objects = distinct(files)
  const added = await insertObjects(db, schoolId, objects)
  if (added > 0 && !(await reserveQuota(db, schoolId, added))) throw new QuotaError()
  const rows = await listNeeded(db, schoolId, objects)
  if (rows.some(row => row.is_removing)) {
    await scheduleObjects(db, schoolId, 0)
    return 'removing'
  }
  await putDeployedFiles(db, schoolId, id, files)
  const stored = new Set(rows.filter(row => row.is_stored).map(({ sha256 }) => sha256.toString('hex')))
  return objects.filter(({ sha256 }) => !stored.has(sha256.toString('hex')))
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

const storeFile = async (store: Store, schoolId: string, file: BundleFile): Promise<void> =>
  void (await store.put(objectKey(schoolId, file.sha256), once(await file.read()), file.size))

/** Stores what is missing, and returns whether all of it was stored in time. */
const storeFiles = async (
  { database, store }: Parts,
  { schoolId }: Job,
  files: readonly BundleFile[],
): Promise<boolean> => {
  const end = performance.now() + PATIENCE_MS
  for (let from = 0; from < files.length; from += BATCH) {
    if (performance.now() > end) return false
    const batch = files.slice(from, from + BATCH)
    for (let at = 0; at < batch.length; at += AT_ONCE)
      await Promise.all(batch.slice(at, at + AT_ONCE).map(file => storeFile(store, schoolId, file)))
    await database.transaction(schoolId, db =>
      storeStored(
        db,
        schoolId,
        batch.map(({ sha256 }) => sha256),
      ),
    )
  }
  return true
}

const deploy = async (parts: Parts, job: Job, bundle: Bundle): Promise<JobOutcome> => {
  const { database } = parts
  const missing = await database.transaction(job.schoolId, db => claim(db, job, bundle))
  if (missing === 'gone') return done
  if (missing === 'removing') return later(SOON_SECONDS)
  return (await storeFiles(parts, job, missing)) ? checked(job, bundle) : later(SOON_SECONDS)
}

const determineOutcome = async (parts: Parts, job: Job, fileId: string): Promise<JobOutcome> => {
  const { database, store } = parts
  const place = { database, school: { id: job.schoolId }, files: { store } }
  const archive = await bytesOfFile(place, fileId, MAX_ARCHIVE_BYTES)
  if (archive === undefined) return refused(job, [problemAt('archive_missing')])
  const bundle = await readBundle(archive)
  if ('problems' in bundle) return refused(job, bundle.problems)
  try {
    return await deploy(parts, job, bundle)
  } catch (error) {
    if (error instanceof QuotaError) return refused(job, [problemAt('quota_exceeded')])
    // The store cannot be reached, or its disk is full.
    if (error instanceof Refusal && error.problem.status === 503) return later(BUSY_SECONDS)
    throw error
  }
}

/**
 * Checks the archive of a deployment to its end, and only then stores its files. A run that was interrupted is repeated;
 * what it stored is used again, or removed with the deployment.
 */
export const createUnpacking =
  (parts: Parts): JobHandler =>
  async job => {
    const row = await parts.database.statements(job.schoolId, db => findUnchecked(db, job.schoolId, job.id))
    return row === undefined ? done : determineOutcome(parts, job, row.file_id)
  }

/** The jobs of deployments; an archive is large, so a process unpacks one of a school at once. */
export const unpackingJobs = { [DEPLOYMENT_JOB]: { create: createUnpacking, atOnce: 1 } }
