import { isKept } from '#src/areas/school/index.ts'
import type { Db, Statement } from '#src/contract/db.ts'
import { integerKey, type List } from '#src/db/list.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import type { CurrentFile } from './rules.ts'

/** A file of a product with its latest version. */
export type ProductFileRow = CurrentFile & {
  readonly product_id: string
  readonly position: number
  readonly name: string
  readonly byte_size: number
  readonly content_type: string
  readonly sha256: Buffer
}

// A file is below 5 GB, so its size is exact as a double.
const bytes = sql`u.filename as name, u.byte_size::double precision as byte_size, u.content_type, u.sha256`

const latest = (schoolId: string): Statement => sql`
  product_files f cross join lateral (
    select v.version, v.upload_id from product_file_versions v
    where v.school_id = ${schoolId} and v.file_id = f.id order by v.version desc limit 1) v
  join uploads u on u.school_id = f.school_id and u.id = v.upload_id`

const columns = sql`f.id, f.product_id, f.position, v.version, v.upload_id, ${bytes}`

/** The files of a product in their order, as a list. */
export const fileList = (schoolId: string, productId: string): List<ProductFileRow> => ({
  columns,
  from: latest(schoolId),
  where: sql`f.school_id = ${schoolId} and f.product_id = ${productId} and f.removed_at is null`,
  id: sql`f.id`,
  keys: { position: integerKey(sql`f.position`, row => row.position) },
  sort: 'position',
})

/** The files of some products, in their order. */
export const listFileRows = (db: Db, schoolId: string, productIds: readonly string[]) =>
  db.all(sql<ProductFileRow>`
    select ${columns} from ${latest(schoolId)}
    where f.school_id = ${schoolId} and f.product_id = any (${productIds}::uuid[]) and f.removed_at is null
    order by f.product_id, f.position, f.id`)

/** How many files some products have, and how large these are together. */
export const readSizes = async (
  db: Db,
  schoolId: string,
  productIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly file_count: number; readonly byte_size: number }>> => {
  const rows = await db.all(sql<{ product_id: string; file_count: number; byte_size: number }>`
    select f.product_id, count(*)::integer as file_count, sum(u.byte_size)::double precision as byte_size
    from ${latest(schoolId)}
    where f.school_id = ${schoolId} and f.product_id = any (${productIds}::uuid[]) and f.removed_at is null
    group by f.product_id`)
  return new Map(rows.map(({ product_id: id, ...sizes }) => [id, sizes]))
}

/** Whether a product sells a file, or has sold it. */
export const isSold = async (db: Db, schoolId: string, uploadId: string): Promise<boolean> =>
  (await db.first(sql`
    select id from product_file_versions where school_id = ${schoolId} and upload_id = ${uploadId} limit 1`)) !==
  undefined

/** Whether a file is the image or the sample of a product, or of one in the bin. */
export const isShown = async (db: Db, schoolId: string, uploadId: string): Promise<boolean> =>
  (await db.first(sql`
    select d.id from all_products d
    where d.school_id = ${schoolId} and ${uploadId}::uuid in (d.image_file_id, d.sample_file_id)
      and d.${isKept} limit 1`)) !== undefined

/** Adds files to a product, without versions. */
export const insertFiles = (db: Db, schoolId: string, productId: string, ids: readonly string[]) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into product_files (school_id, id, product_id, position, created_at)
    select ${schoolId}::uuid, id, ${productId}::uuid, 0, now from unnest(${ids}::uuid[]) as id, clock`)

/** A new version of a file. */
export type NewVersion = {
  readonly id: string
  readonly fileId: string
  readonly version: number
  readonly uploadId: string
}

/** Adds versions of files. */
export const insertVersions = (db: Db, schoolId: string, versions: readonly NewVersion[]) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into product_file_versions (school_id, id, file_id, version, upload_id, created_at)
    select ${schoolId}::uuid, v.id, v.file_id, v.version, v.upload_id, now
    from unnest(${versions.map(({ id }) => id)}::uuid[], ${versions.map(({ fileId }) => fileId)}::uuid[],
      ${versions.map(({ version }) => version)}::integer[], ${versions.map(({ uploadId }) => uploadId)}::uuid[])
      as v (id, file_id, version, upload_id), clock`)

/** Stores the order of the files of a product, and removes the others. */
export const arrangeFiles = (db: Db, schoolId: string, productId: string, ids: readonly string[]) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now), places as (
      select id, place from unnest(${ids}::uuid[]) with ordinality as w (id, place)
    )
    update product_files f set position = coalesce((select p.place - 1 from places p where p.id = f.id), f.position),
      removed_at = case when f.id <> all (${ids}::uuid[]) then (select now from clock) end
    where f.school_id = ${schoolId} and f.product_id = ${productId} and f.removed_at is null`)

/** A version of a file. */
export type VersionRow = Omit<ProductFileRow, 'product_id' | 'position'> & { readonly created_at: Date }

const ofFile = (schoolId: string, productId: string, fileId: string): Statement => sql`
  f.school_id = ${schoolId} and f.product_id = ${productId} and f.id = ${fileId} and f.removed_at is null`

/** The versions of a file of a product, the latest first, before a version. */
export const listVersions = (
  db: Db,
  schoolId: string,
  { productId, fileId }: { readonly productId: string; readonly fileId: string },
  { rows, after }: { readonly rows: number; readonly after: readonly string[] | undefined },
) =>
  db.all(sql<VersionRow>`
    select v.id, v.version, v.upload_id, v.created_at, ${bytes}
    from product_files f join product_file_versions v on v.school_id = f.school_id and v.file_id = f.id
    join uploads u on u.school_id = v.school_id and u.id = v.upload_id
    where ${joinConditions(
      ofFile(schoolId, productId, fileId),
      when(after?.[0], version => sql`v.version < ${version}::integer`),
    )}
    order by v.version desc limit ${rows}`)

/** How many versions a file of a product has; 0 when the product has no such file. */
export const countVersions = async (
  db: Db,
  schoolId: string,
  { productId, fileId }: { readonly productId: string; readonly fileId: string },
): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count
      from product_files f join product_file_versions v on v.school_id = f.school_id and v.file_id = f.id
      where ${ofFile(schoolId, productId, fileId)}`)
  ).count
