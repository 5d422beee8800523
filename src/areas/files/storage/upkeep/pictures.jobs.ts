import { createHash } from 'node:crypto'
import type { Database } from '#src/contract/db.ts'
import type { JobHandler } from '#src/contract/job.ts'
import type { Files } from '#src/contract/store.ts'
import { getSchool } from '#src/db/schools.ts'
import { objectKey } from '../completion/objects.writes.ts'
import { readBytes } from '../files/lookups.ts'
import { once } from '../generated/writes.ts'
import { usesOf } from '../hooks.ts'
import { MAX_MEASURED_BYTES } from '../uploads/rules.ts'
import { type CheckedPicture, listPictures, lockPicture, type Picture, storePicture } from './queries.ts'

const BATCH_SIZE = 20

const SOON_SECONDS = 60

const FIRST = '00000000-0000-0000-0000-000000000000'

// Well below the time for which a worker's claim holds.
const PATIENCE_MS = 200_000

type Checking = { readonly database: Database; readonly files: Files; readonly schoolId: string }

const KEPT = { isAnimated: false, keepOriginal: true, object: undefined }

/** Whether a picture is handed over as it was uploaded, and nothing shows it. Its row is locked until the transaction ends. */
const isHandedOver = async (
  { database, schoolId }: Checking,
  picture: Picture,
  isAnimated: boolean,
): Promise<boolean> => {
  if (picture.purpose === 'submission' || picture.purpose === 'form') {
    const kept = { isAnimated, keepOriginal: false, object: undefined }
    await database.statements(schoolId, db => storePicture(db, schoolId, picture, kept))
    return true
  }
  return database.transaction(schoolId, async db => {
    const school = await getSchool(db, schoolId)
    if (!(await lockPicture(db, schoolId, picture))) return true
    const uses = (await usesOf.call({ fileIds: [picture.id] }, { school, db })).flat()
    if (uses.length === 0 || !uses.every(({ isDownload }) => isDownload === true)) return false
    // Whoever wants to show it after this is refused.
    await storePicture(db, schoolId, picture, { isAnimated, keepOriginal: true, object: undefined })
    return true
  })
}

const rewritten = async (
  { files, schoolId }: Checking,
  image: Buffer,
  { isAnimated, now }: { readonly isAnimated: boolean; readonly now: Date },
): Promise<CheckedPicture> => {
  const bytes = await files.media.withoutMetadata(image)
  if (bytes === undefined) return { ...KEPT, isAnimated }
  const key = objectKey({ id: schoolId }, now)
  await files.store.put(key, once(bytes), bytes.length)
  const sha256 = createHash('sha256').update(bytes).digest()
  return { isAnimated, keepOriginal: false, object: { key, sha256, byteSize: bytes.length } }
}

const checkBytes = async (checking: Checking, picture: Picture): Promise<CheckedPicture | undefined> => {
  const { files } = checking
  if (Number(picture.byte_size) > MAX_MEASURED_BYTES) return KEPT
  if ((await files.store.find(picture.object_key)) === undefined) return undefined
  const image = await readBytes(files.store, picture.object_key)
  const facts = await files.media.measure(image)
  if (typeof facts === 'string') return KEPT
  const { isAnimated, hasMetadata } = facts
  if (!hasMetadata) return { isAnimated, keepOriginal: picture.keep_original, object: undefined }
  if (picture.keep_original || (await isHandedOver(checking, picture, isAnimated))) return undefined
  return rewritten(checking, image, { isAnimated, now: picture.asked_at })
}

const checkPicture = async (checking: Checking, picture: Picture): Promise<void> => {
  const { database, files, schoolId } = checking
  const checked = await checkBytes(checking, picture)
  if (checked === undefined) return
  const { object } = checked
  const stored = await database.transaction(schoolId, db => storePicture(db, schoolId, picture, checked))
  if (object === undefined) return
  // If the process dies before this, the daily comparison removes the object that nothing names.
  await files.store.remove(stored > 0 ? picture.object_key : object.key)
}

/** Removes EXIF, XMP and IPTC from pictures that were stored before this was done at their completion, once for each school. */
export const createPictureCheck =
  (database: Database, files: Files): JobHandler =>
  async ({ schoolId }) => {
    const checking = { database, files, schoolId }
    const end = performance.now() + PATIENCE_MS
    for (let after: string | undefined = FIRST; after !== undefined; ) {
      const from: string = after
      const pictures = await database.statements(schoolId, db => listPictures(db, schoolId, from, BATCH_SIZE))
      for (const picture of pictures) {
        if (performance.now() > end) return { againIn: SOON_SECONDS, settle: async () => undefined }
        await checkPicture(checking, picture)
      }
      after = pictures.length === BATCH_SIZE ? pictures.at(-1)?.id : undefined
    }
    return { againIn: undefined, settle: async () => undefined }
  }
