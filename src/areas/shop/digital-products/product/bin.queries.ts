import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** What a deleted product is named by. */
type DeletedProduct = { readonly id: string; readonly slug: string; readonly external_id: string | null }

/** Hides a product; its slug and external id are free. */
export const hideProduct = (db: Db, schoolId: string, id: string) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update all_products set deleted_at = clock.now, revision = revision + 1, updated_at = clock.now from clock
    where school_id = ${schoolId} and id = ${id} and deleted_at is null`)

/** A deleted product that was taken out of the bin. */
export const getDeletedProduct = (db: Db, schoolId: string, id: string) =>
  db.one(sql<DeletedProduct>`
    select id, slug, external_id from all_products
    where school_id = ${schoolId} and id = ${id} and deleted_at is not null`)

/** Shows a deleted product again, under a slug. */
export const showProduct = (db: Db, schoolId: string, id: string, slug: string) =>
  db.run(sql`
    update all_products set deleted_at = null, slug = ${slug}, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id}`)
