import { isKept } from '#src/areas/school/index.ts'
import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { ProductRow } from './queries.ts'

/** A file that a product refers to; its sample and image are public with it, the files that it sells never are. */
type FileReference = {
  readonly file_id: string
  readonly product_id: string
  readonly is_public: boolean
  readonly is_sold: boolean
}

/** The products, those in the bin too, that refer to some files: as an image or sample, or as any version of a file that they sell. */
export const listFileReferences = (db: Db, schoolId: string, fileIds: readonly string[]) =>
  db.all(sql<FileReference>`
    select f.id as file_id, d.id as product_id, d.status = 'published' and d.deleted_at is null and not exists (
        select from product_file_versions v where v.school_id = ${schoolId} and v.upload_id = f.id) as is_public, false as is_sold
    from unnest(${fileIds}::uuid[]) as f (id)
    join all_products d on d.school_id = ${schoolId} and f.id in (d.image_file_id, d.sample_file_id)
    where d.${isKept}
    union all
    select v.upload_id, p.product_id, false, true
    from product_file_versions v join product_files p on p.school_id = v.school_id and p.id = v.file_id
    join all_products d on d.school_id = p.school_id and d.id = p.product_id
    where v.school_id = ${schoolId} and v.upload_id = any (${fileIds}::uuid[]) and p.removed_at is null
      and d.${isKept}`)

/** The names and slugs of those of some products that are not deleted; `isPublic`: of those that everybody may see. */
export const listProductNames = (
  db: Db,
  schoolId: string,
  { ids, isPublic }: { readonly ids: readonly string[]; readonly isPublic: boolean },
) =>
  db.all(sql<Pick<ProductRow, 'id' | 'name' | 'slug' | 'status'>>`
    select id, name, slug, status from digital_products
    where school_id = ${schoolId} and id = any (${ids}::uuid[]) and deleted_at is null
      and (not ${isPublic}::boolean or status = 'published')`)

/** Whether anybody has, had or will have a product: by itself or through a group or a plan. */
export const wasEverGiven = async (db: Db, schoolId: string, id: string): Promise<boolean> =>
  (
    await db.one(sql<{ was: boolean }>`
      select exists (
        select from entitlements e
        where e.school_id = ${schoolId} and e.item_type = 'digital_product' and e.item_id = ${id}
      ) or exists (
        select from bundle_items b join entitlements e
          on e.school_id = b.school_id and e.item_type = b.bundle_type and e.item_id = b.bundle_id
        where b.school_id = ${schoolId} and b.item_type = 'digital_product' and b.item_id = ${id}
          and coalesce(e.ends_at, 'infinity') > b.opened_at and coalesce(e.revoked_at, 'infinity') > b.opened_at
          and coalesce(b.closed_at, 'infinity') > e.starts_at
      ) as was`)
  ).was

/** How often each of some products was bought; an order that was refunded counts. */
export const countSales = async (
  db: Db,
  schoolId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const rows = await db.all(sql<{ id: string; count: number }>`
    select item_id as id, count(distinct source_id)::integer as count from entitlements
    where school_id = ${schoolId} and item_type = 'digital_product' and item_id = any (${ids}::uuid[])
      and source = 'order_line'
    group by item_id`)
  return new Map(rows.map(({ id, count }) => [id, count]))
}
