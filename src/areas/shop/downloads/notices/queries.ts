import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import { hasAccessIn, isReached } from '../gifts/conditions.ts'

/** Stores that the holders of a product get a mail about new versions. */
export const insertNotice = (db: Db, schoolId: string, id: string, productId: string) =>
  db.run(sql`
    insert into product_notices (school_id, id, product_id, created_at)
    values (${schoolId}, ${id}, ${productId}, (select stoa.now()))`)

/** A notice that is being sent, with the name of a product whose files can be downloaded. */
export const findNotice = (
  db: Db,
  schoolId: string,
  id: string,
): Promise<{ product_id: string; after_member_id: string | null; name: string } | undefined> =>
  db.first(sql<{ product_id: string; after_member_id: string | null; name: string }>`
    select n.product_id, n.after_member_id, d.name
    from product_notices n join digital_products d on d.school_id = n.school_id and d.id = n.product_id
    where n.school_id = ${schoolId} and n.id = ${id} and d.deleted_at is null`)

/** The members who can sign in and have access to a product, by their ids, after one of them. */
export const listNotified = async (
  db: Db,
  schoolId: string,
  productId: string,
  { after, most }: { readonly after: string | null; readonly most: number },
): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      with clock as materialized (select stoa.now() as now)
      select m.id from members m
      where ${joinConditions(
        sql`m.school_id = ${schoolId} and m.status = 'active' and ${isReached(schoolId, productId)}
          and ${hasAccessIn(schoolId, productId, 'active')}`,
        when(after ?? undefined, id => sql`m.id > ${id}`),
      )}
      order by m.id limit ${most}`)
  ).map(({ id }) => id)

/** Notes up to which member a notice was sent. */
export const moveNotice = (db: Db, schoolId: string, id: string, memberId: string) =>
  db.run(sql`
    update product_notices set after_member_id = ${memberId} where school_id = ${schoolId} and id = ${id}`)

/** Deletes a notice that was sent to everybody. */
export const deleteNotice = (db: Db, schoolId: string, id: string) =>
  db.run(sql`delete from product_notices where school_id = ${schoolId} and id = ${id}`)
