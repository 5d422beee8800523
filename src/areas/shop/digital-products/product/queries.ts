import { withSubcategories } from '#src/areas/courses/index.ts'
import type { Db, Recorded, Statement } from '#src/contract/db.ts'
import { allWords, type ListingValues, nameWords } from '#src/contract/listing.ts'
import { buildAssignments, buildColumns, buildValues, columnNames } from '#src/db/columns.ts'
import { putLinks } from '#src/db/links.ts'
import { type List, textKey } from '#src/db/list.ts'
import { isAddressed } from '#src/db/slugs.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import { fold } from '#src/kit/text.ts'
import { productCategories, productSlugs, productTags } from './conditions.ts'
import { type ProductInput, storedColumns } from './schema.ts'

/** What is stored of a product as its settings say. */
export type ProductValues = ListingValues & Readonly<Omit<ProductInput, 'seo' | keyof ListingValues>>

/** A product as stored. */
export type ProductRow = Recorded<ProductValues> & {
  readonly id: string
  readonly name_folded: string
  readonly status: 'draft' | 'published' | 'archived'
  readonly primary_price_id: string | null
  readonly publish_at: Date | null
  readonly published_at: Date | null
}

/** The columns of a product `d`. */
const columnsFor = (
  schoolId: string,
): Statement => sql`d.id, ${buildColumns('d', storedColumns)}, d.name_folded, d.status,
  d.publish_at, d.published_at, d.revision, d.created_at, d.updated_at,
  array(select t.tag from product_tags t where t.school_id = ${schoolId} and t.product_id = d.id order by t.tag) as tags,
  array(select k.category_id from product_categories k
    where k.school_id = ${schoolId} and k.product_id = d.id order by k.category_id) as category_ids,
  (select p.id from product_prices p
    where p.school_id = ${schoolId} and p.product_id = d.id and p.is_primary) as primary_price_id`

/** Which products are meant; what is undefined does not matter. */
type ProductFilter = {
  /** Only what is public and listed. */
  readonly isPublic: boolean
  readonly q?: string | undefined
  readonly status?: ProductRow['status'] | undefined
  readonly categoryId?: string | undefined
  readonly tag?: string | undefined
  readonly ids?: readonly string[] | undefined
}

const matching = (schoolId: string, filter: ProductFilter): Statement =>
  joinConditions(
    sql`d.school_id = ${schoolId} and d.deleted_at is null`,
    filter.isPublic ? sql`d.status = 'published' and d.visibility = 'listed'` : undefined,
    when(filter.q, q => sql`d.id in (select stoa.search('digital_product', ${fold(q)}, null, null))`),
    when(filter.status, status => sql`d.status = ${status}`),
    when(filter.ids, ids => sql`d.id = any (${ids}::uuid[])`),
    when(
      filter.categoryId,
      id => sql`d.id in (
        select k.product_id from product_categories k
        where k.school_id = ${schoolId} and k.category_id in (${withSubcategories(schoolId, id)}))`,
    ),
    when(
      filter.tag,
      tag => sql`d.id in (select t.product_id from product_tags t where t.school_id = ${schoolId} and t.tag = ${tag})`,
    ),
  )

/** The products of a filter. */
export const productList = (schoolId: string, filter: ProductFilter): List<ProductRow> => ({
  columns: columnsFor(schoolId),
  from: sql`digital_products d`,
  where: matching(schoolId, filter),
  id: sql`d.id`,
  keys: { name: textKey(sql`d.name_folded`, row => row.name_folded) },
})

/** The slugs of the products that anybody finds in the list, the oldest first. */
export const listPublicProducts = (
  db: Db,
  schoolId: string,
  { from, rows }: { readonly from: number; readonly rows: number },
): Promise<{ slug: string; updated_at: Date }[]> =>
  db.all(sql<{ slug: string; updated_at: Date }>`
    select d.slug, d.updated_at from digital_products d where ${matching(schoolId, { isPublic: true })}
    order by d.id limit ${rows} offset ${from}`)

/** How many products anybody finds in the list. */
export const countPublicProducts = async (db: Db, schoolId: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from digital_products d where ${matching(schoolId, { isPublic: true })}`)
  ).count

const named = (schoolId: string, ref: string): Statement => isAddressed(schoolId, ref, productSlugs, sql`d`)

/** The product in a path, unless it is deleted; `isPublic`: only if anybody may see it. */
export const findProductRow = (db: Db, schoolId: string, ref: string, isPublic: boolean) =>
  db.first(sql<ProductRow>`
    select ${columnsFor(schoolId)} from digital_products d
    where ${joinConditions(
      sql`${named(schoolId, ref)} and d.deleted_at is null`,
      isPublic ? sql`d.status = 'published'` : undefined,
    )}`)

/** Locks the product in a path until the transaction ends and returns its UUID; its values are read afterwards. */
export const lockProductRow = async (db: Db, schoolId: string, ref: string): Promise<string | undefined> =>
  (
    await db.first(sql<{ id: string }>`
      select d.id from digital_products d where ${named(schoolId, ref)} and d.deleted_at is null
      for no key update of d`)
  )?.id

/** The name of a product that is not deleted, with a shared lock so that it stays. */
export const shareProduct = async (db: Db, schoolId: string, id: string): Promise<string | undefined> =>
  (
    await db.first(sql<{ name: string }>`
      select name from digital_products where school_id = ${schoolId} and id = ${id} and deleted_at is null for share`)
  )?.name

const putRelations = async (db: Db, schoolId: string, id: string, product: ProductValues): Promise<void> => {
  await Promise.all([
    putLinks(db, schoolId, productTags, id, product.tags),
    putLinks(db, schoolId, productCategories, id, product.category_ids),
  ])
}

/** Stores a new draft. */
export const insertProduct = async (db: Db, schoolId: string, id: string, product: ProductValues): Promise<void> => {
  await db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into digital_products (school_id, id, ${columnNames(storedColumns)}, name_folded, words_folded, body_words, status,
      created_at, updated_at)
    values (${schoolId}, ${id}, ${buildValues(product, storedColumns)}, ${fold(product.name)}, ${nameWords(product)},
      ${allWords(product)}, 'draft', (select now from clock), (select now from clock))`)
  await putRelations(db, schoolId, id, product)
}

/** Stores a changed product as its next revision. */
export const storeProduct = async (
  db: Db,
  schoolId: string,
  id: string,
  product: ProductValues,
): Promise<ProductRow> => {
  await putRelations(db, schoolId, id, product)
  return db.one(sql<ProductRow>`
    update digital_products d set ${buildAssignments(product, storedColumns)}, name_folded = ${fold(product.name)},
      words_folded = ${nameWords(product)}, body_words = ${allWords(product)}, revision = revision + 1,
      updated_at = (select stoa.now())
    where d.school_id = ${schoolId} and d.id = ${id}
    returning ${columnsFor(schoolId)}`)
}

/** Raises the revision of a product after a change of something that is shown with it. */
export const touchProduct = (db: Db, schoolId: string, id: string) =>
  db.one(sql<ProductRow>`
    update digital_products d set revision = revision + 1, updated_at = (select stoa.now())
    where d.school_id = ${schoolId} and d.id = ${id}
    returning ${columnsFor(schoolId)}`)
