import type { Db, Statement } from '#src/contract/db.ts'
import type { List } from '#src/db/list.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'

/** A stored code. */
export type CodeRow = {
  readonly id: string
  readonly coupon_id: string
  readonly code: string
  readonly code_folded: string
  readonly stopped_at: Date | null
  readonly times_redeemed: number
  readonly created_at: Date
}

const columnsIn = (
  schoolId: string,
): Statement => sql`k.id, k.coupon_id, k.code, k.code_folded, k.stopped_at, k.created_at,
  (select count(*) from coupon_redemptions r
    where r.school_id = ${schoolId} and r.code_id = k.id and r.status = 'taken')::integer as times_redeemed`

/** The filter of a list of codes. */
type CodeFilter = { readonly couponId: string; readonly status?: 'active' | 'stopped' | undefined }

/** The codes of a coupon, in the order in which they were created. */
export const codeList = (schoolId: string, { couponId, status }: CodeFilter): List<CodeRow> => ({
  columns: columnsIn(schoolId),
  from: sql`coupon_codes k`,
  where: joinConditions(
    sql`k.school_id = ${schoolId} and k.coupon_id = ${couponId}`,
    when(status, word => (word === 'active' ? sql`k.stopped_at is null` : sql`k.stopped_at is not null`)),
  ),
  id: sql`k.id`,
})

/** The first codes of some coupons, at most so many of each. */
export const listFirstCodes = (
  db: Db,
  schoolId: string,
  { couponIds, most }: { readonly couponIds: readonly string[]; readonly most: number },
) =>
  db.all(sql<CodeRow>`
    select f.* from unnest(${couponIds}::uuid[]) as c (id) cross join lateral (
      select ${columnsIn(schoolId)} from coupon_codes k
      where k.school_id = ${schoolId} and k.coupon_id = c.id order by k.id limit ${most}) f
    order by f.coupon_id, f.id`)

/** The codes of the school with some folded forms. */
export const listCodesNamed = (db: Db, schoolId: string, folded: readonly string[]) =>
  db.all(sql<CodeRow>`
    select ${columnsIn(schoolId)} from coupon_codes k
    where k.school_id = ${schoolId} and k.code_folded = any (${folded}::text[])`)

/** A code of a coupon. */
export const findCode = (db: Db, schoolId: string, couponId: string, id: string) =>
  db.first(sql<CodeRow>`
    select ${columnsIn(schoolId)} from coupon_codes k
    where k.school_id = ${schoolId} and k.coupon_id = ${couponId} and k.id = ${id}`)

/** A code to store. */
export type NewCode = { readonly id: string; readonly code: string; readonly folded: string }

/** Stores codes of a coupon in one statement, except those whose folded form is taken; returns the ids of those stored. */
export const insertCodes = async (
  db: Db,
  schoolId: string,
  couponId: string,
  codes: readonly NewCode[],
): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      with clock as materialized (select stoa.now() as now)
      insert into coupon_codes (school_id, id, coupon_id, code, code_folded, created_at)
      select ${schoolId}::uuid, n.id, ${couponId}::uuid, n.code, n.folded, (select now from clock)
      from unnest(${codes.map(({ id }) => id)}::uuid[], ${codes.map(({ code }) => code)}::text[],
        ${codes.map(({ folded }) => folded)}::text[]) as n (id, code, folded)
      on conflict (school_id, code_folded) do nothing
      returning id`)
  ).map(({ id }) => id)

/** Stops a code; returns 0 when it was stopped before. */
export const stopCode = (db: Db, schoolId: string, id: string) =>
  db.run(sql`
    update coupon_codes set stopped_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id} and stopped_at is null`)
