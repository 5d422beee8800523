import type { Db, Recorded } from '#src/contract/db.ts'
import { insertJobsFrom } from '#src/db/jobs.ts'
import type { List } from '#src/db/list.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import type { Purpose, StoredPurpose, statuses } from './schema.ts'

/** The status of an upload. */
type Status = (typeof statuses)[number] | 'gone'

/** A file, from its announcement on. */
export type UploadRow = Recorded & {
  readonly id: string
  /** Whose it is; null for an answer to a form. */
  readonly member_id: string | null
  readonly purpose: StoredPurpose
  readonly status: Status
  readonly filename: string
  readonly declared_type: string
  readonly byte_size: string
  readonly declared_sha256: Buffer | null
  readonly received_bytes: string
  readonly parts: readonly string[]
  readonly object_key: string | null
  readonly content_type: string | null
  readonly sha256: Buffer | null
  readonly width: number | null
  readonly height: number | null
  /** Null for what is no picture, or was stored before this was known. */
  readonly is_animated: boolean | null
  /** Whether the bytes stay as they were sent, with the metadata of a picture. */
  readonly keep_original: boolean
  readonly variants: readonly number[]
  readonly version: number
  readonly reason: string | null
  readonly unlinked_since: Date | null
  /** The instant of the statement. */
  readonly asked_at: Date
}

const columns = sql`u.id, u.member_id, u.purpose, u.status, u.filename, u.declared_type, u.byte_size, u.declared_sha256,
  u.received_bytes, u.parts, u.object_key, u.content_type, u.sha256, u.width, u.height,
  u.is_animated, u.keep_original, u.variants, u.version, u.reason, u.unlinked_since, u.revision, u.created_at, u.updated_at, (select now from clock) as asked_at`

/** The values of a new upload. */
type NewUploadRow = {
  readonly id: string
  readonly memberId: string
  readonly purpose: Purpose
  readonly filename: string
  readonly declaredType: string
  readonly byteSize: number
  readonly sha256: Buffer | undefined
  readonly keepOriginal: boolean
}

/**
 * Reserves so many bytes of a school's quota; false when they exceed it. The row is locked until the transaction ends.
 */
export const reserveQuota = async (db: Db, schoolId: string, bytes: number): Promise<boolean> =>
  (await db.run(sql`
    insert into storage_totals as t (school_id, bytes)
    select ${schoolId}, ${bytes}::bigint where ${bytes}::bigint <= (select storage_quota from schools where id = ${schoolId})
    on conflict (school_id) do update set bytes = t.bytes + excluded.bytes
      where t.bytes + excluded.bytes <= (select storage_quota from schools where id = ${schoolId})`)) === 1

/** Gives back bytes of a school's quota that were reserved for something else than an upload. */
export const returnQuota = (db: Db, schoolId: string, bytes: number) =>
  db.run(sql`update storage_totals set bytes = bytes - ${bytes}::bigint where school_id = ${schoolId}`)

/** How many uploads of a member nothing refers to. */
export const countUnlinked = async (db: Db, schoolId: string, memberId: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from uploads
      where school_id = ${schoolId} and member_id = ${memberId} and unlinked_since is not null and status <> 'gone'`)
  ).count

/** Stores an announced file. */
export const insertUpload = (db: Db, schoolId: string, upload: NewUploadRow) =>
  db.one(sql<UploadRow>`
    with clock as materialized (select stoa.now() as now)
    insert into uploads as u (school_id, id, member_id, purpose, status, filename, declared_type, byte_size,
      declared_sha256, keep_original, unlinked_since, created_at, updated_at)
    values (${schoolId}, ${upload.id}, ${upload.memberId}, ${upload.purpose}, 'created', ${upload.filename},
      ${upload.declaredType}, ${upload.byteSize}, ${upload.sha256 ?? null}, ${upload.keepOriginal}, (select now from clock),
      (select now from clock), (select now from clock))
    returning ${columns}`)

// A member uploaded it, and Stoa did not generate it.
const isUploaded = sql`u.purpose not in ('export', 'invoice')`

const own = (schoolId: string, memberId: string, id: string | undefined) => sql`
  u.school_id = ${schoolId} and u.id = ${id ?? null}::uuid and u.member_id = ${memberId} and u.status <> 'gone'
  and ${isUploaded}`

/** A member's own upload. */
export const findOwn = (db: Db, schoolId: string, memberId: string, id: string | undefined) =>
  db.first(sql<UploadRow>`
    with clock as materialized (select stoa.now() as now)
    select ${columns} from uploads u where ${own(schoolId, memberId, id)}`)

/** The same, locked until the transaction ends. */
export const lockOwn = (db: Db, schoolId: string, memberId: string, id: string | undefined) =>
  db.first(sql<UploadRow>`
    with clock as materialized (select stoa.now() as now)
    select ${columns} from uploads u where ${own(schoolId, memberId, id)} for update`)

const unlinked = (schoolId: string, memberId: string, status: Status | undefined) =>
  joinConditions(
    sql`u.school_id = ${schoolId} and u.member_id = ${memberId} and u.unlinked_since is not null and u.status <> 'gone'
      and ${isUploaded}`,
    when(status, word => sql`u.status = ${word}`),
  )

/** The uploads of a member that nothing refers to, the newest first. */
export const unlinkedList = (schoolId: string, memberId: string, status: Status | undefined): List<UploadRow> => ({
  columns,
  from: sql`uploads u`,
  where: unlinked(schoolId, memberId, status),
  id: sql`u.id`,
  sort: '-created_at',
  hasClock: true,
})

/** Received bytes, and the offset that they continue; undefined when they start the upload again. */
type Arrived = { readonly part: string; readonly bytes: number; readonly behind: number | undefined }

/** Adds what came to an upload, or starts it again; undefined when something else arrived meanwhile. */
export const storeArrived = (db: Db, schoolId: string, id: string, { part, bytes, behind }: Arrived) =>
  db.first(sql<UploadRow>`
    with clock as materialized (select stoa.now() as now)
    update uploads u set
      parts = ${behind === undefined ? sql`array[${part}]::text[]` : sql`u.parts || ${part}::text`},
      received_bytes = ${(behind ?? 0) + bytes}::bigint,
      status = case when ${(behind ?? 0) + bytes}::bigint = u.byte_size then 'received' else 'created' end,
      revision = u.revision + 1, updated_at = (select now from clock)
    where u.school_id = ${schoolId} and u.id = ${id} and u.status in ('created', 'received')
      and (${behind ?? null}::bigint is null or u.received_bytes = ${behind ?? null}::bigint)
    returning ${columns}`)

/** The checked properties of a file. */
export type CheckedFile = {
  readonly objectKey: string
  readonly contentType: string
  readonly sha256: Buffer
  readonly byteSize: number
  readonly width: number | null
  readonly height: number | null
  readonly isAnimated: boolean | null
  readonly keepOriginal: boolean
}

/** Makes an upload a file, unless it changed since it was read; the quota takes what is stored instead of what was announced. */
export const storeReady = (
  db: Db,
  schoolId: string,
  { id, revision, byte_size: announced }: UploadRow,
  found: CheckedFile,
) =>
  db.first(sql<UploadRow>`
    with clock as materialized (select stoa.now() as now), ready as (
      update uploads u set status = 'ready', object_key = ${found.objectKey}, content_type = ${found.contentType},
        sha256 = ${found.sha256}, width = ${found.width}, height = ${found.height}, is_animated = ${found.isAnimated},
        keep_original = ${found.keepOriginal}, byte_size = ${found.byteSize}::bigint,
        received_bytes = ${found.byteSize}::bigint, parts = '{}', unlinked_since = (select now from clock),
        revision = u.revision + 1, updated_at = (select now from clock)
      where u.school_id = ${schoolId} and u.id = ${id} and u.revision = ${revision}
        and u.status in ('created', 'received')
      returning u.*
    ), total as (
      update storage_totals t set bytes = t.bytes + ${found.byteSize - Number(announced)}::bigint
      from ready where t.school_id = ${schoolId} and ready.byte_size <> ${announced}::bigint
    )
    select ${columns} from ready u`)

/** Rejects an upload, unless it changed since it was read, and releases its quota. */
export const storeRejected = (db: Db, schoolId: string, { id, revision }: UploadRow, reason: string) =>
  db.first(sql<UploadRow>`
    with clock as materialized (select stoa.now() as now), rejected as (
      update uploads u set status = 'rejected', reason = ${reason}, parts = '{}', received_bytes = 0,
        revision = u.revision + 1, updated_at = (select now from clock)
      where u.school_id = ${schoolId} and u.id = ${id} and u.revision = ${revision} and u.status in ('created', 'received')
      returning u.*
    ), total as (
      update storage_totals t set bytes = t.bytes - r.byte_size from rejected r where t.school_id = ${schoolId}
    )
    select ${columns} from rejected u`)

/** Deletes uploads, releases their quota, and has the worker remove their objects. */
export const releaseQuota = (db: Db, schoolId: string, ids: readonly string[]) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now), held as materialized (
      select id, status, byte_size from uploads
      where school_id = ${schoolId} and id = any (${ids}::uuid[]) and status <> 'gone' for update
    ), made as (
      update uploads u set status = 'gone', filename = 'file', revision = u.revision + 1,
        updated_at = (select now from clock)
      from held h where u.school_id = ${schoolId} and u.id = h.id
      returning u.school_id, u.id, (select now from clock) as due_at
    ), total as (
      update storage_totals t set bytes = t.bytes - h.bytes
      from (select coalesce(sum(byte_size), 0) as bytes from held where status <> 'rejected') h
      where t.school_id = ${schoolId} and h.bytes > 0
    )
    ${insertJobsFrom('file_removal')}`)

/** The stored bytes, the quota and the number of files of a school. */
export const countStorage = (db: Db, schoolId: string): Promise<{ bytes: string; quota: string; files: number }> =>
  db.one(sql<{ bytes: string; quota: string; files: number }>`
    select coalesce((select bytes from storage_totals where school_id = ${schoolId}), 0)::text as bytes,
      (select storage_quota from schools where id = ${schoolId})::text as quota,
      (select count(*)::integer from uploads where school_id = ${schoolId} and status = 'ready') as files`)

/** Stores a file that somebody sent to a form, which nothing refers to yet. */
export const insertFormFile = (
  db: Db,
  schoolId: string,
  file: {
    readonly id: string
    readonly formId: string
    readonly filename: string
    readonly declaredType: string
    readonly byteSize: number
    readonly found: CheckedFile
  },
) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into uploads (school_id, id, form_id, purpose, status, filename, declared_type, byte_size, received_bytes,
      object_key, content_type, sha256, width, height, is_animated, unlinked_since, created_at, updated_at)
    select ${schoolId}::uuid, ${file.id}::uuid, ${file.formId}::uuid, 'form', 'ready', ${file.filename},
      ${file.declaredType}, ${file.byteSize}::bigint, ${file.byteSize}::bigint, ${file.found.objectKey},
      ${file.found.contentType}, ${file.found.sha256}::bytea, ${file.found.width}::integer, ${file.found.height}::integer,
      ${file.found.isAnimated}::boolean, now, now, now
    from clock`)

/** How many bytes were sent to a form that no submission refers to yet. */
export const sumUnusedOfForm = async (db: Db, schoolId: string, formId: string): Promise<number> =>
  Number(
    (
      await db.one(sql<{ bytes: string }>`
        select coalesce(sum(byte_size), 0)::text as bytes from uploads
        where school_id = ${schoolId} and form_id = ${formId} and form_id is not null and unlinked_since is not null`)
    ).bytes,
  )

/** Takes a file of a form into use, locked until the transaction ends; 0 when it is not there or in use. */
export const takeFormFile = (db: Db, schoolId: string, formId: string, id: string) =>
  db.run(sql`
    update uploads set unlinked_since = null
    where school_id = ${schoolId} and id = ${id} and form_id = ${formId} and purpose = 'form' and status = 'ready'
      and unlinked_since is not null`)

/** Locks a file of a form until the transaction ends; false when something refers to it. */
export const lockUnusedFormFile = async (db: Db, schoolId: string, id: string): Promise<boolean> =>
  (await db.first(sql`
    select from uploads where school_id = ${schoolId} and id = ${id} and purpose = 'form' and status = 'ready'
      and unlinked_since is not null for update`)) !== undefined
