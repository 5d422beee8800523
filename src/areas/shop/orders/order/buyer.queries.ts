import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { BillingValues } from './schema.ts'

/** Stores to whom a locked order is billed. */
export const storeBilling = (
  db: Db,
  schoolId: string,
  id: string,
  { billing, taxCountry }: { readonly billing: BillingValues; readonly taxCountry: string | null },
) =>
  db.run(sql`
    update orders set billing = ${JSON.stringify(billing)}::jsonb, tax_country = ${taxCountry}, revision = revision + 1,
      updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id}`)

/** Removes from the orders of a member who they are; the country stays with the tax. */
export const eraseBuyer = (db: Db, schoolId: string, memberId: string) =>
  db.run(sql`
    update orders set email = null, email_folded = null, words_folded = lower(number), note = null, campaign = null,
      billing = jsonb_build_object('name', null, 'company', null, 'address', null, 'country', billing -> 'country',
        'tax_id', null),
      revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and member_id = ${memberId}`)

/** Moves the orders of one member to another. */
export const moveOrders = (db: Db, schoolId: string, fromId: string, intoId: string) =>
  db.run(sql`
    update orders set member_id = ${intoId}, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and member_id = ${fromId}`)

/** Stores the note of the staff on an order. */
export const storeNote = (db: Db, schoolId: string, id: string, note: string | null) =>
  db.run(sql`
    update orders set note = ${note}, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id}`)

/** What each of some members paid and did not get back, in each currency. */
export const listSpending = (db: Db, schoolId: string, memberIds: readonly string[]) =>
  db.all(sql<{ member_id: string; currency: string; amount: number }>`
    select o.member_id, o.currency, sum(o.paid_total - o.refunded_total)::double precision as amount
    from orders o
    where o.school_id = ${schoolId} and o.member_id = any (${memberIds}::uuid[]) and o.paid_at is not null
    group by o.member_id, o.currency order by o.member_id, o.currency`)
