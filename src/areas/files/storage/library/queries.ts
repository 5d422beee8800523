import type { Db, Recorded } from '#src/contract/db.ts'
import { type List, textKey } from '#src/db/list.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import { type FileKind, kindPatterns } from './rules.ts'
import type { libraryPurposes } from './schema.ts'

/** A file of the library. */
export type LibraryRow = Recorded & {
  readonly id: string
  readonly member_id: string | null
  readonly member_name: string | null
  readonly purpose: (typeof libraryPurposes)[number]
  readonly filename: string
  readonly content_type: string
  readonly byte_size: string
  readonly width: number | null
  readonly height: number | null
  readonly is_animated: boolean | null
  readonly keep_original: boolean
  readonly alt: string
  readonly version: number
}

/** The filters of the library; `ownerId`: only what this member uploaded. */
type LibraryFilter = {
  readonly ownerId: string | undefined
  readonly q: string | undefined
  readonly kind: FileKind | undefined
  readonly purpose: string | undefined
  readonly used: boolean | undefined
}

const columns = sql`u.id, u.member_id, m.name as member_name, u.purpose, u.filename, u.content_type, u.byte_size, u.width,
  u.height, u.is_animated, u.keep_original, u.alt, u.version, u.revision, u.created_at, u.updated_at`

const joins = sql`left join members m on m.school_id = u.school_id and m.id = u.member_id`

// As in the index of the library.
const inLibrary = (schoolId: string, ownerId: string | undefined) =>
  joinConditions(
    sql`u.school_id = ${schoolId} and u.status = 'ready'
      and u.purpose not in ('avatar', 'submission', 'form', 'export', 'invoice', 'import')`,
    when(ownerId, id => sql`u.member_id = ${id}`),
  )

const isOfKind = (kind: FileKind) =>
  kind === 'other'
    ? joinConditions(...Object.values(kindPatterns).map(pattern => sql`u.content_type !~ ${pattern}`))
    : sql`u.content_type ~ ${kindPatterns[kind]}`

const hasWords = (q: string) => sql`strpos(stoa.fold_roughly(u.filename || ' ' || u.alt), stoa.fold_roughly(${q})) > 0`

/** The files of a school that a filter shows. */
export const libraryList = (
  schoolId: string,
  { ownerId, q, kind, purpose, used }: LibraryFilter,
): List<LibraryRow> => ({
  columns,
  from: sql`uploads u ${joins}`,
  where: joinConditions(
    inLibrary(schoolId, ownerId),
    when(purpose, one => sql`u.purpose = ${one}`),
  ),
  checked: {
    table: sql`uploads`,
    alias: sql`u`,
    joins,
    condition: joinConditions(
      sql`true`,
      when(kind, isOfKind),
      when(used, isUsed => (isUsed ? sql`u.unlinked_since is null` : sql`u.unlinked_since is not null`)),
      when(q, hasWords),
    ),
  },
  id: sql`u.id`,
  keys: {
    name: textKey(sql`u.filename`, row => row.filename),
    byte_size: {
      column: sql`u.byte_size`,
      cast: text => sql`${text}::bigint`,
      readText: row => row.byte_size,
    },
  },
  sort: '-created_at',
})

/** A file of the library. */
export const findLibraryFile = (db: Db, schoolId: string, id: string, ownerId: string | undefined) =>
  db.first(sql<LibraryRow>`
    select ${columns} from uploads u ${joins} where ${inLibrary(schoolId, ownerId)} and u.id = ${id}`)

/** The same, locked until the transaction ends. */
export const lockLibraryFile = async (
  db: Db,
  schoolId: string,
  id: string,
  ownerId: string | undefined,
): Promise<LibraryRow | undefined> => {
  const held = await db.first(sql`
    select from uploads u where ${inLibrary(schoolId, ownerId)} and u.id = ${id} for update`)
  return held === undefined ? undefined : findLibraryFile(db, schoolId, id, ownerId)
}

/** Changes the name and the alternative text of a locked file. */
export const changeFile = (
  db: Db,
  schoolId: string,
  id: string,
  { filename, alt }: { readonly filename: string; readonly alt: string },
) =>
  db.run(sql`
    update uploads set filename = ${filename}, alt = ${alt}, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id}`)

/** What an upload is that may take the place of a file. */
type Incoming = {
  readonly id: string
  readonly content_type: string
  readonly keep_original: boolean
}

/** Locks an upload of a member that nothing refers to, if it is for this purpose. */
export const lockIncoming = (
  db: Db,
  schoolId: string,
  { id, memberId, purpose }: { readonly id: string; readonly memberId: string; readonly purpose: string },
) =>
  db.first(sql<Incoming>`
    select id, content_type, keep_original from uploads
    where school_id = ${schoolId} and id = ${id} and member_id = ${memberId} and purpose = ${purpose}
      and status = 'ready' and unlinked_since is not null for update`)

/**
 * Gives a locked file the bytes of a locked upload, and the upload those of the file, with which it is to be deleted. A key
 * names one object at any time, so that of the upload has a mark while they change places.
 */
export const swapBytes = async (db: Db, schoolId: string, fileId: string, uploadId: string): Promise<void> => {
  const upload = sql`school_id = ${schoolId} and id = ${uploadId}`
  await db.run(sql`update uploads set object_key = object_key || ':' where ${upload}`)
  await db.run(sql`
    update uploads a set
      object_key = case when a.id = ${fileId} then rtrim(b.object_key, ':') else b.object_key || ':' end,
      content_type = b.content_type, sha256 = b.sha256, byte_size = b.byte_size, received_bytes = b.byte_size,
      width = b.width, height = b.height, is_animated = b.is_animated, keep_original = b.keep_original,
      variants = '{}', version = a.version + 1, missing_since = null,
      revision = a.revision + 1, updated_at = (select stoa.now())
    from uploads b
    where a.school_id = ${schoolId} and b.school_id = ${schoolId} and a.id <> b.id
      and a.id = any (${[fileId, uploadId]}::uuid[]) and b.id = any (${[fileId, uploadId]}::uuid[])`)
  await db.run(sql`update uploads set object_key = rtrim(object_key, ':') where ${upload}`)
}
