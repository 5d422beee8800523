import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** A file that is ready, and the instant of the statement. */
export type FileRow = {
  readonly id: string
  readonly purpose: string
  readonly filename: string
  readonly byte_size: string
  readonly content_type: string
  readonly object_key: string
  readonly sha256: Buffer
  readonly width: number | null
  readonly height: number | null
  readonly is_animated: boolean | null
  readonly keep_original: boolean
  readonly variants: readonly number[]
  /** Raised when the bytes are replaced. */
  readonly version: number
  readonly asked_at: Date
}

const columns = sql`u.id, u.purpose, u.filename, u.byte_size, u.content_type, u.object_key, u.sha256, u.width, u.height,
  u.is_animated, u.keep_original, u.variants, u.version, (select now from clock) as asked_at`

/** The files with these ids that are ready. */
export const listFiles = (db: Db, schoolId: string, ids: readonly string[]) =>
  db.all(sql<FileRow>`
    with clock as materialized (select stoa.now() as now)
    select ${columns} from uploads u
    where u.school_id = ${schoolId} and u.id = any (${ids}::uuid[]) and u.status = 'ready'`)

/** A file that is ready, and whether a member who is said to have a link to it can still sign in. */
export const findFile = (
  db: Db,
  schoolId: string,
  id: string,
  memberId: string | undefined,
): Promise<(FileRow & { readonly is_member: boolean }) | undefined> =>
  db.first(sql<FileRow & { readonly is_member: boolean }>`
    with clock as materialized (select stoa.now() as now)
    select ${columns}, exists (
      select from members m where m.school_id = ${schoolId} and m.id = ${memberId ?? null}::uuid and m.status = 'active'
    ) as is_member
    from uploads u where u.school_id = ${schoolId} and u.id = ${id} and u.status = 'ready'`)

/** Takes a file into use, locked until the transaction ends; undefined when it is not there or another's. */
export const takeFile = (
  db: Db,
  schoolId: string,
  id: string | undefined,
  { memberId, purposes }: { readonly memberId: string | undefined; readonly purposes: readonly string[] },
) =>
  db.first(sql<FileRow>`
    with clock as materialized (select stoa.now() as now)
    update uploads u set unlinked_since = null
    where u.school_id = ${schoolId} and u.id = ${id ?? null}::uuid and u.status = 'ready'
      and u.purpose = any (${purposes}) and (${memberId ?? null}::uuid is null or u.member_id = ${memberId ?? null}::uuid)
    returning ${columns}`)

/** Records that an image was made in a width, unless its bytes were replaced meanwhile. */
export const storeVariant = (
  db: Db,
  schoolId: string,
  { id, version }: Pick<FileRow, 'id' | 'version'>,
  width: number,
) =>
  db.run(sql`
    update uploads u set variants = u.variants || ${width}::integer
    where u.school_id = ${schoolId} and u.id = ${id} and u.version = ${version} and u.status = 'ready'
      and ${width}::integer <> all (u.variants)`)

/** The files of a member, and those among them that they alone have a use for. */
export const listOfMember = (db: Db, schoolId: string, memberId: string): Promise<{ id: string; purpose: string }[]> =>
  db.all(sql<{ id: string; purpose: string }>`
    select id, purpose from uploads where school_id = ${schoolId} and member_id = ${memberId} and status <> 'gone'
    for update`)

/** A file as its owner sees it. */
export type OwnFile = Pick<FileRow, 'id' | 'purpose' | 'filename' | 'byte_size'> & {
  readonly status: string
  readonly declared_type: string
  readonly alt: string
  readonly created_at: Date
}

/** Every file that a member uploaded, in the order in which they did. */
export const listOwnFiles = (db: Db, schoolId: string, memberId: string) =>
  db.all(sql<OwnFile>`
    select id, purpose, filename, byte_size, status, declared_type, alt, created_at from uploads
    where school_id = ${schoolId} and member_id = ${memberId} and status <> 'gone'
      and purpose not in ('export', 'invoice') order by id`)

/** Moves the files of one member to another. */
export const moveFiles = (db: Db, schoolId: string, fromId: string, intoId: string) =>
  db.run(sql`update uploads set member_id = ${intoId} where school_id = ${schoolId} and member_id = ${fromId}`)
