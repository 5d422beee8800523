import { returnQuota } from '#src/areas/files/index.ts'
import { clockNow } from '#src/areas/learning/index.ts'
import type { JobParts } from '#src/contract/area.ts'
import type { JobHandler } from '#src/contract/job.ts'
import { objectKey } from '../unpacking/queries.ts'
import { deleteObjects, listRemoving, lockObjects, markUnknown, markUnused, OBJECTS_JOB } from './queries.ts'

const DAY_SECONDS = 24 * 3600
const DAY_MS = 1000 * DAY_SECONDS
const SOON_SECONDS = 60
const BATCH = 200
// Well below the time for which a worker's claim holds.
const PATIENCE_MS = 200_000

type Sweeping = JobParts & { readonly schoolId: string; readonly end: number }

/** Removes the objects that are marked; returns whether it ended in time. */
const removeMarked = async ({ database, store, schoolId, end }: Sweeping): Promise<boolean> => {
  for (;;) {
    const hashes = await database.statements(schoolId, db => listRemoving(db, schoolId, BATCH))
    if (hashes.length === 0) return true
    if (performance.now() > end) return false
    for (const hash of hashes) await store.remove(objectKey(schoolId, hash))
    await database.transaction(schoolId, async db => {
      const bytes = await deleteObjects(db, schoolId, hashes)
      if (bytes > 0) await returnQuota(db, schoolId, bytes)
    })
  }
}

/**
 * Marks objects without a row: a deployment that is deleted while it is unpacked may go on storing objects whose rows have
 * gone. Objects of the last day are left, since their rows may still come.
 */
const markOrphans = async ({ database, store, schoolId, end }: Sweeping, now: Date): Promise<void> => {
  let old: Buffer[] = []
  const mark = async (): Promise<void> => {
    await database.transaction(schoolId, db => markUnknown(db, schoolId, old))
    old = []
  }
  for await (const { key, modifiedAt } of store.list(`sites/${schoolId}/`)) {
    if (performance.now() > end) break
    const name = key.slice(key.lastIndexOf('/') + 1)
    const isYoung = modifiedAt.getTime() > now.getTime() - DAY_MS
    if (isYoung || !/^[0-9a-f]{64}$/.test(name)) continue
    if (old.push(Buffer.from(name, 'hex')) === BATCH) await mark()
  }
  if (old.length > 0) await mark()
}

/**
 * Removes the objects of a school that no deployment has, after deployments were deleted and then once a day, since what a
 * deleted deployment goes on storing may come later.
 */
const createObjectUpkeep =
  (parts: JobParts): JobHandler =>
  async ({ schoolId }) => {
    const { database } = parts
    const sweeping = { ...parts, schoolId, end: performance.now() + PATIENCE_MS }
    await markOrphans(sweeping, await database.statements(schoolId, clockNow))
    await database.transaction(schoolId, async db => {
      await lockObjects(db, schoolId)
      await markUnused(db, schoolId)
    })
    const isDone = await removeMarked(sweeping)
    return { againIn: isDone ? DAY_SECONDS : SOON_SECONDS, settle: async () => undefined }
  }

/** The jobs that maintain the objects of deployments. */
export const upkeepJobs = { [OBJECTS_JOB]: createObjectUpkeep }
