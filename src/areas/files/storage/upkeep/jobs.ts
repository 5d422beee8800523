import type { Database, Db } from '#src/contract/db.ts'
import type { JobHandler } from '#src/contract/job.ts'
import type { School } from '#src/contract/school.ts'
import type { Store, StoredObject } from '#src/contract/store.ts'
import { getSchool } from '#src/db/schools.ts'
import { variantKey } from '../files/variants.writes.ts'
import { usesOf } from '../hooks.ts'
import { releaseQuota } from '../uploads/queries.ts'
import {
  deleteUploadRow,
  findDeletedUpload,
  findVersion,
  isNamedObject,
  listAbandoned,
  listMaintainedFiles,
  listObjects,
  type MaintainedFile,
  readPlace,
  storeLinks,
  storeMissing,
  storePlace,
} from './queries.ts'

const DAY_MS = 24 * 3600 * 1000

const DAY_SECONDS = 24 * 3600

const SOON_SECONDS = 60

const BATCH_SIZE = 200

const FIRST = '00000000-0000-0000-0000-000000000000'

// Well below the time for which a worker's claim holds.
const PATIENCE_MS = 200_000

/** Removes the objects of a deleted file, and then its row. */
export const createFileRemoval =
  (database: Database, store: Store): JobHandler =>
  async ({ schoolId, id }) => {
    const row = await database.statements(schoolId, db => findDeletedUpload(db, schoolId, id))
    if (row === undefined) return { againIn: undefined, settle: async () => undefined }
    for (const width of row.variants) await store.remove(variantKey(schoolId, row, width))
    if (row.object_key !== null) await store.remove(row.object_key)
    for await (const { key } of store.list(`${schoolId}/incoming/${id}/`)) await store.remove(key)
    return { againIn: undefined, settle: db => deleteUploadRow(db, schoolId, id) }
  }

const endAbandoned = (database: Database, schoolId: string): Promise<number> =>
  database.transaction(schoolId, async db => {
    const ids = await listAbandoned(db, schoolId, BATCH_SIZE)
    if (ids.length > 0) await releaseQuota(db, schoolId, ids)
    return ids.length
  })

const updateFileLinks = async (db: Db, school: School, rows: readonly MaintainedFile[]): Promise<void> => {
  if (rows.length === 0) return
  const uses = (await usesOf.call({ fileIds: rows.map(({ id }) => id) }, { school, db })).flat()
  const used = new Set(uses.map(({ fileId }) => fileId))
  const listIds = (which: (row: MaintainedFile) => boolean) => rows.filter(which).map(({ id }) => id)
  await storeLinks(db, school.id, {
    linked: listIds(({ id, is_linked }) => used.has(id) && !is_linked),
    unlinked: listIds(({ id, is_linked }) => !used.has(id) && is_linked),
  })
  const due = listIds(({ id, is_due }) => !used.has(id) && is_due)
  if (due.length > 0) await releaseQuota(db, school.id, due)
}

/** Updates which files are unused, after an id; returns the id to continue after when the time was up. */
const updateLinks = async (
  database: Database,
  schoolId: string,
  first: string,
  end: number,
): Promise<string | undefined> => {
  let after: string | undefined = first
  while (after !== undefined && performance.now() < end) {
    const from: string = after
    // Rows are locked while the uses are looked up, so that no reference is added meanwhile.
    after = await database.transaction(schoolId, async db => {
      const [school, rows] = await Promise.all([
        getSchool(db, schoolId),
        listMaintainedFiles(db, schoolId, from, BATCH_SIZE),
      ])
      await updateFileLinks(db, school, rows)
      return rows.length === BATCH_SIZE ? rows.at(-1)?.id : undefined
    })
  }
  return after
}

type Comparing = { readonly database: Database; readonly store: Store; readonly schoolId: string; readonly now: Date }

const isOld = ({ modifiedAt }: StoredObject, now: Date, days: number): boolean =>
  modifiedAt.getTime() < now.getTime() - days * DAY_MS

// Objects that no upload can still use.
const sweepIncoming = async ({ store, schoolId, now }: Comparing): Promise<void> => {
  for await (const object of store.list(`${schoolId}/incoming/`))
    if (isOld(object, now, 2)) await store.remove(object.key)
}

const sweepVariants = async ({ database, store, schoolId, now }: Comparing): Promise<void> => {
  let last: { readonly id: string; readonly version: number | undefined } = { id: '', version: undefined }
  for await (const object of store.list(`${schoolId}/variants/`)) {
    const [, , , id = '', name = ''] = object.key.split('/')
    if (id !== last.id) last = { id, version: await database.statements(schoolId, db => findVersion(db, schoolId, id)) }
    const isNeeded = last.version === Number(/^(\d+)-/.exec(name)?.[1] ?? 1)
    if (!isNeeded && isOld(object, now, 1)) await store.remove(object.key)
  }
}

/** Files in the order of their objects' keys, however many they are. */
async function* rowsFrom({ database, schoolId }: Comparing, from: string) {
  for (let after = from; ; ) {
    const rows = await database.statements(schoolId, db => listObjects(db, schoolId, after, BATCH_SIZE))
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < BATCH_SIZE) return
    after = last.object_key
  }
}

const noteRow = async (
  { database, schoolId }: Comparing,
  row: { readonly id: string; readonly is_missing: boolean },
  isMissing: boolean,
): Promise<void> => {
  if (row.is_missing !== isMissing)
    await database.statements(schoolId, db => storeMissing(db, schoolId, row.id, isMissing))
}

// The listing and the rows may change meanwhile, so each difference is checked again before anything is done.
const sweepObject = async ({ database, store, schoolId, now }: Comparing, object: StoredObject): Promise<void> => {
  if (!isOld(object, now, 1)) return
  if (!(await database.statements(schoolId, db => isNamedObject(db, schoolId, object.key))))
    await store.remove(object.key)
}

/** Compares objects with rows; returns the key to continue after when the time was up. */
const compare = async (comparing: Comparing, from: string, end: number): Promise<string | undefined> => {
  const { store, schoolId } = comparing
  const rows = rowsFrom(comparing, from)
  let row = await rows.next()
  for await (const object of store.list(`${schoolId}/files/`, from)) {
    if (performance.now() > end) return object.key
    for (; !row.done && row.value.object_key < object.key; row = await rows.next())
      await noteRow(comparing, row.value, (await store.find(row.value.object_key)) === undefined)
    if (row.done || row.value.object_key !== object.key) await sweepObject(comparing, object)
    else {
      await noteRow(comparing, row.value, false)
      row = await rows.next()
    }
  }
  for (; !row.done; row = await rows.next())
    await noteRow(comparing, row.value, (await store.find(row.value.object_key)) === undefined)
  return undefined
}

// The progress of the daily work is kept as the id or the key behind which it goes on.
const WALK = 'id:'

const workOn = async (comparing: Comparing, place: string, end: number): Promise<string | undefined> => {
  const { database, schoolId } = comparing
  if (place !== '' && !place.startsWith(WALK)) return compare(comparing, place, end)
  if (place === '') while ((await endAbandoned(database, schoolId)) === BATCH_SIZE);
  const first = place === '' ? FIRST : place.slice(WALK.length)
  const after = await updateLinks(database, schoolId, first, end)
  if (after !== undefined) return `${WALK}${after}`
  await sweepIncoming(comparing)
  await sweepVariants(comparing)
  return compare(comparing, '', end)
}

/**
 * Maintains the files of a school, once a day: deletes abandoned uploads, files that nothing referred to for 30 days
 * and objects without a file, and records files whose objects are missing.
 */
export const createUpkeep =
  (database: Database, store: Store): JobHandler =>
  async ({ schoolId }) => {
    const end = performance.now() + PATIENCE_MS
    const place = await database.statements(schoolId, db => readPlace(db, schoolId))
    const after = await workOn({ database, store, schoolId, now: place.now }, place.after, end)
    return {
      againIn: after === undefined ? DAY_SECONDS : SOON_SECONDS,
      settle: db => storePlace(db, schoolId, after ?? null),
    }
  }
