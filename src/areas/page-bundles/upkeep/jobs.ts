import { returnQuota } from '#src/areas/storage/index.ts'
import type { JobParts } from '#src/contract/area.ts'
import type { JobHandler } from '#src/contract/job.ts'
import { objectKey } from '../unpacking/queries.ts'
import {
  deleteObjects,
  listRemoving,
  lockObjects,
  markUnknown,
  markUnused,
  OBJECTS_JOB,
  readObjects,
} from './queries.ts'

const DAY_SECONDS = 24 * 3600
const DAY_MS = 1000 * DAY_SECONDS
const SOON_SECONDS = 60
const BATCH = 200
// Well below the time for which a worker's claim holds.
const PATIENCE_MS = 200_000

type Sweeping = JobParts & { readonly schoolId: string; readonly end: number }

/** What a run did: how many objects it removed, and whether it ended in time. */
type Removed = { readonly count: number; readonly isDone: boolean }

const removeMarked = async ({ database, store, schoolId, end }: Sweeping): Promise<Removed> => {
  for (let count = 0; ; ) {
    const hashes = await database.statements(schoolId, db => listRemoving(db, schoolId, BATCH))
    if (hashes.length === 0) return { count, isDone: true }
    if (performance.now() > end) return { count, isDone: false }
    for (const hash of hashes) await store.remove(objectKey(schoolId, hash))
    await database.transaction(schoolId, async db => {
      const bytes = await deleteObjects(db, schoolId, hashes)
      if (bytes > 0) await returnQuota(db, schoolId, bytes)
    })
    count += hashes.length
  }
}

/**
 * Marks objects without a row: a deployment that is deleted while it is unpacked may go on storing objects whose rows have
 * gone. Returns whether there are objects that are too young to be sure.
 */
const markOrphans = async ({ database, store, schoolId, end }: Sweeping, now: Date): Promise<boolean> => {
  let old: Buffer[] = []
  let hasYoung = false
  const mark = async (): Promise<void> => {
    await database.transaction(schoolId, db => markUnknown(db, schoolId, old))
    old = []
  }
  for await (const { key, modifiedAt } of store.list(`sites/${schoolId}/`)) {
    if (performance.now() > end) break
    const name = key.slice(key.lastIndexOf('/') + 1)
    const isYoung = modifiedAt.getTime() > now.getTime() - DAY_MS
    hasYoung ||= isYoung
    if (isYoung || !/^[0-9a-f]{64}$/.test(name)) continue
    if (old.push(Buffer.from(name, 'hex')) === BATCH) await mark()
  }
  if (old.length > 0) await mark()
  return hasYoung
}

/** Removes the objects of a school that no deployment has, once a day and after deployments were deleted. */
const createObjectUpkeep =
  (parts: JobParts): JobHandler =>
  async ({ schoolId }) => {
    const { database } = parts
    const sweeping = { ...parts, schoolId, end: performance.now() + PATIENCE_MS }
    const { now } = await database.statements(schoolId, db => readObjects(db, schoolId))
    const hasYoung = await markOrphans(sweeping, now)
    await database.transaction(schoolId, async db => {
      await lockObjects(db, schoolId)
      await markUnused(db, schoolId)
    })
    const { count, isDone } = await removeMarked(sweeping)
    const { has_any: hasAny } = await database.statements(schoolId, db => readObjects(db, schoolId))
    if (!isDone) return { againIn: SOON_SECONDS, settle: async () => undefined }
    // What a deleted deployment stored after this run is looked for once more.
    const isNeeded = hasAny || hasYoung || count > 0
    return { againIn: isNeeded ? DAY_SECONDS : undefined, settle: async () => undefined }
  }

/** The jobs that maintain the objects of deployments. */
export const upkeepJobs = { [OBJECTS_JOB]: createObjectUpkeep }
