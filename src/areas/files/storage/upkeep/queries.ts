import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { PICTURES } from '#src/kit/media-types.ts'

/** The object keys of a deleted file. */
type DeletedUpload = {
  readonly id: string
  readonly parts: readonly string[]
  readonly object_key: string | null
  readonly variants: readonly number[]
  readonly version: number
}

/** A deleted upload whose objects still exist. */
export const findDeletedUpload = (db: Db, schoolId: string, id: string) =>
  db.first(sql<DeletedUpload>`
    select id, parts, object_key, variants, version from uploads where school_id = ${schoolId} and id = ${id} and status = 'gone'`)

/** Deletes the row of an upload whose objects are removed. */
export const deleteUploadRow = (db: Db, schoolId: string, id: string) =>
  db.run(sql`delete from uploads where school_id = ${schoolId} and id = ${id} and status = 'gone'`)

/** Uploads that were not completed within a day, at most `most`. */
export const listAbandoned = async (db: Db, schoolId: string, most: number): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select id from uploads
      where school_id = ${schoolId} and status in ('created', 'received', 'rejected')
        and created_at < (select stoa.now()) - interval '1 day'
      order by created_at limit ${most} for update skip locked`)
  ).map(({ id }) => id)

/** A file in the daily maintenance. */
export type MaintainedFile = {
  readonly id: string
  readonly is_linked: boolean
  readonly is_due: boolean
}

/** Files behind an id, locked until the transaction ends; due are those that nothing referred to for 30 days. */
export const listMaintainedFiles = (db: Db, schoolId: string, after: string, most: number) =>
  db.all(sql<MaintainedFile>`
    select id, unlinked_since is null as is_linked,
      coalesce(unlinked_since < (select stoa.now()) - interval '30 days', false) as is_due
    from uploads where school_id = ${schoolId} and status = 'ready' and id > ${after}::uuid
    order by id limit ${most} for update`)

/** Notes of files that something refers to them, or that nothing does since now. */
export const storeLinks = async (
  db: Db,
  schoolId: string,
  { linked, unlinked }: { readonly linked: readonly string[]; readonly unlinked: readonly string[] },
): Promise<void> => {
  if (linked.length > 0)
    await db.run(
      sql`update uploads set unlinked_since = null where school_id = ${schoolId} and id = any (${linked}::uuid[])`,
    )
  if (unlinked.length > 0)
    await db.run(sql`
      update uploads set unlinked_since = (select stoa.now())
      where school_id = ${schoolId} and id = any (${unlinked}::uuid[]) and unlinked_since is null`)
}

/** A file and its object. */
type ObjectRow = { readonly id: string; readonly object_key: string; readonly is_missing: boolean }

/** Files in the order of their objects' keys, behind one. */
export const listObjects = (db: Db, schoolId: string, after: string, most: number) =>
  db.all(sql<ObjectRow>`
    select id, object_key, missing_since is not null as is_missing from uploads
    where school_id = ${schoolId} and object_key > ${after} and status = 'ready'
    order by object_key limit ${most}`)

/** Whether anything names an object, under any status. */
export const isNamedObject = async (db: Db, schoolId: string, key: string): Promise<boolean> =>
  (await db.first(sql`select from uploads where school_id = ${schoolId} and object_key = ${key}`)) !== undefined

/** The version of the bytes of a file, under any status; undefined where there is none. */
export const findVersion = async (db: Db, schoolId: string, id: string): Promise<number | undefined> =>
  (
    await db.first(sql<{ version: number }>`
      select version from uploads where school_id = ${schoolId} and id = ${id}::uuid`)
  )?.version

/** Records that the object of a file is not there, or is again. */
export const storeMissing = (db: Db, schoolId: string, id: string, isMissing: boolean): Promise<number> =>
  db.run(sql`
    update uploads set missing_since = case when ${isMissing} then coalesce(missing_since, (select stoa.now())) end
    where school_id = ${schoolId} and id = ${id}`)

/** How many files of a school have no object. */
export const countMissing = async (db: Db, schoolId: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from uploads where school_id = ${schoolId} and missing_since is not null`)
  ).count

/** How far objects were compared with rows, when the worker had to pause; the instant it is. */
export const readPlace = async (db: Db, schoolId: string): Promise<{ after: string; now: Date }> => {
  const row = await db.one(sql<{ after: string | null; now: Date }>`
    select (select compared_to from storage_totals where school_id = ${schoolId}) as after, (select stoa.now()) as now`)
  return { after: row.after ?? '', now: row.now }
}

/** Records how far they were compared; null when to the end. */
export const storePlace = (db: Db, schoolId: string, after: string | null) =>
  db.run(sql`update storage_totals set compared_to = ${after} where school_id = ${schoolId}`)

/** Sets how many bytes a school may keep. */
export const storeQuota = (db: Db, schoolId: string, bytes: number) =>
  db.run(sql`update schools set storage_quota = ${bytes} where id = ${schoolId}`)

/** A picture of which it is not known yet whether it has metadata. */
export type Picture = {
  readonly id: string
  readonly purpose: string
  readonly object_key: string
  readonly byte_size: string
  readonly keep_original: boolean
  /** The instant of the statement. */
  readonly asked_at: Date
}

const pictures = (schoolId: string) => sql`
  u.school_id = ${schoolId} and u.status = 'ready' and u.is_animated is null and u.content_type = any (${PICTURES})`

/** Pictures behind an id that were stored before their metadata was removed at their completion. */
export const listPictures = (db: Db, schoolId: string, after: string, most: number) =>
  db.all(sql<Picture>`
    select u.id, u.purpose, u.object_key, u.byte_size, u.keep_original, (select stoa.now()) as asked_at
    from uploads u
    where ${pictures(schoolId)} and u.id > ${after}::uuid order by u.id limit ${most}`)

/** Locks such a picture until the transaction ends; false when it is gone or was checked meanwhile. */
export const lockPicture = async (db: Db, schoolId: string, { id, object_key: key }: Picture): Promise<boolean> =>
  (await db.first(sql`
    select from uploads u where ${pictures(schoolId)} and u.id = ${id} and u.object_key = ${key} for update`)) !==
  undefined

/** What becomes of a picture: its bytes stay, or are those of a new object. */
export type CheckedPicture = {
  readonly isAnimated: boolean
  readonly keepOriginal: boolean
  readonly object: { readonly key: string; readonly sha256: Buffer; readonly byteSize: number } | undefined
}

/**
 * Records what was found about a picture, once, with the object that takes the place of the one that was read; 0 when the
 * picture is gone or was checked meanwhile.
 */
export const storePicture = (
  db: Db,
  schoolId: string,
  { id, object_key: key, byte_size: bytes }: Picture,
  checked: CheckedPicture,
): Promise<number> => {
  const { isAnimated, keepOriginal, object } = checked
  const size = object?.byteSize ?? Number(bytes)
  return db.run(sql`
    with stored as (
      update uploads u set is_animated = ${isAnimated}, keep_original = ${keepOriginal},
        object_key = coalesce(${object?.key ?? null}, u.object_key), sha256 = coalesce(${object?.sha256 ?? null}, u.sha256),
        byte_size = ${size}::bigint, received_bytes = ${size}::bigint,
        -- The widths of a picture that moves are made again.
        variants = case when ${isAnimated} then '{}' else u.variants end
      where ${pictures(schoolId)} and u.id = ${id} and u.object_key = ${key}
      returning u.school_id
    )
    update storage_totals t set bytes = t.bytes + ${size - Number(bytes)}::bigint
    from stored where t.school_id = ${schoolId} and t.school_id = stored.school_id`)
}
