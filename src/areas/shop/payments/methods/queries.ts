import type { Db, Statement } from '#src/contract/db.ts'
import { DEBIT_BRAND } from '#src/contract/debits.ts'
import type { MethodShown, SavedMethod } from '#src/contract/payments.ts'
import { sql } from '#src/db/sql.ts'
import { newUuid } from '#src/kit/ids.ts'

/** A payment method that was saved to be charged later. One that has ended is never charged again. */
export type MethodRow = {
  readonly id: string
  readonly member_id: string
  readonly provider: string
  /** The payment with which it was saved. */
  readonly payment_id: string
  /** Null once the provider has forgotten it. */
  readonly customer_ref: string | null
  readonly method_ref: string | null
  readonly brand: string | null
  readonly last4: string | null
  readonly expires: string | null
  readonly created_at: Date
  readonly ended_at: Date | null
}

const columns = sql`m.id, m.member_id, m.provider, m.payment_id, m.customer_ref, m.method_ref, m.brand, m.last4, m.expires,
  m.created_at, m.ended_at`

/** A method that was saved with a payment. */
type NewMethod = {
  readonly memberId: string
  readonly provider: string
  readonly paymentId: string
  readonly saved: SavedMethod
  readonly shown: MethodShown | null
}

/** Stores the method of a payment; undefined when it was stored before. */
export const insertMethod = (db: Db, schoolId: string, now: Date, one: NewMethod) =>
  db.first(sql<MethodRow>`
    insert into payment_methods as m (school_id, id, member_id, provider, payment_id, customer_ref, method_ref, brand, last4,
      expires, created_at)
    values (${schoolId}, ${newUuid(now.getTime())}, ${one.memberId}, ${one.provider}, ${one.paymentId},
      ${one.saved.customerRef}, ${one.saved.methodRef}, ${one.shown?.brand}::text, ${one.shown?.last4}::text,
      ${one.shown?.expires}::text, ${now})
    on conflict (school_id, payment_id) do nothing returning ${columns}`)

/** Methods by their ids. */
export const listMethods = (db: Db, schoolId: string, ids: readonly string[]): Promise<MethodRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db.all(sql<MethodRow>`
        select ${columns} from payment_methods m where m.school_id = ${schoolId} and m.id = any (${ids}::uuid[])
        order by m.id`)

const first = (db: Db, condition: Statement) =>
  db.first(sql<MethodRow>`select ${columns} from payment_methods m where ${condition}`)

/** A method by its id. */
export const findMethod = (db: Db, schoolId: string, id: string): Promise<MethodRow | undefined> =>
  first(db, sql`m.school_id = ${schoolId} and m.id = ${id}`)

/** The method that was saved with a payment. */
export const findMethodByPayment = (db: Db, schoolId: string, paymentId: string): Promise<MethodRow | undefined> =>
  first(db, sql`m.school_id = ${schoolId} and m.payment_id = ${paymentId}`)

/** The method that a payment charged; of several that name the same, the newest. */
export const findChargedMethod = (
  db: Db,
  schoolId: string,
  {
    member_id,
    provider,
    customer_ref,
    method_ref,
  }: Pick<MethodRow, 'member_id' | 'provider' | 'customer_ref' | 'method_ref'>,
): Promise<MethodRow | undefined> =>
  first(
    db,
    sql`m.school_id = ${schoolId} and m.member_id = ${member_id} and m.provider = ${provider}
      and m.customer_ref = ${customer_ref} and m.method_ref = ${method_ref} and m.ended_at is null order by m.id desc limit 1`,
  )

/** All methods of a member, oldest first. */
export const listMethodsOfMember = (db: Db, schoolId: string, memberId: string): Promise<MethodRow[]> =>
  db.all(sql<MethodRow>`
    select ${columns} from payment_methods m where m.school_id = ${schoolId} and m.member_id = ${memberId} order by m.id`)

/**
 * The methods with which a member can pay now, the newest first: no account that is debited over days, and no card that has expired.
 */
export const listPayingMethods = (db: Db, schoolId: string, memberId: string): Promise<MethodRow[]> =>
  db.all(sql<MethodRow>`
    select ${columns} from payment_methods m
    where m.school_id = ${schoolId} and m.member_id = ${memberId} and m.ended_at is null
      and m.customer_ref is not null and m.method_ref is not null and m.brand <> ${DEBIT_BRAND} and m.last4 is not null
      and case when m.expires ~ '^(0[1-9]|1[0-2])/[0-9]{4}$'
        then to_date(m.expires, 'MM/YYYY') + interval '1 month' > (select stoa.now()) else true end
    order by m.id desc`)

/** The customer that a member is at a provider; of several, the one that was used last. */
export const findCustomer = async (
  db: Db,
  schoolId: string,
  provider: string,
  memberId: string,
): Promise<string | undefined> =>
  (
    await db.first(sql<{ customer_ref: string }>`
      select m.customer_ref from payment_methods m
      where m.school_id = ${schoolId} and m.member_id = ${memberId} and m.provider = ${provider}
        and m.customer_ref is not null
      order by m.id desc limit 1`)
  )?.customer_ref

/** Ends all methods of a member who is erased, and removes what describes them. */
export const eraseSavedMethods = (db: Db, schoolId: string, memberId: string) =>
  db.run(sql`
    update payment_methods set ended_at = coalesce(ended_at, (select stoa.now())), brand = null, last4 = null, expires = null
    where school_id = ${schoolId} and member_id = ${memberId}`)

/** Ends a method, unless a payment with it is on its way. */
export const endUnusedMethod = (db: Db, schoolId: string, id: string) =>
  db.run(sql`
    update payment_methods m set ended_at = (select stoa.now())
    where m.school_id = ${schoolId} and m.id = ${id} and m.ended_at is null and not exists (
      select from payments p
      where p.school_id = ${schoolId} and p.member_id = m.member_id and p.provider = m.provider
        and p.method_ref = m.method_ref and p.state in ('asked', 'open', 'processing'))`)

/** The customer of a method that has ended, where none of their methods is charged; `is_paying`: a payment of theirs is on its way. */
export const findUnusedCustomer = (db: Db, schoolId: string, methodId: string) =>
  db.first(sql<{ provider: string; ref: string; is_paying: boolean }>`
    select m.provider, m.customer_ref as ref, exists (
      select from payments p
      where p.school_id = ${schoolId} and p.provider = m.provider and p.customer_ref = m.customer_ref
        and p.state in ('asked', 'open', 'processing')) as is_paying
    from payment_methods m
    where m.school_id = ${schoolId} and m.id = ${methodId} and m.ended_at is not null and m.customer_ref is not null
      and not exists (
        select from payment_methods other
        where other.school_id = ${schoolId} and other.provider = m.provider and other.customer_ref = m.customer_ref
          and other.ended_at is null)`)

/** Moves the methods of one member to another. */
export const moveMethods = (db: Db, schoolId: string, fromId: string, intoId: string) =>
  db.run(sql`update payment_methods set member_id = ${intoId} where school_id = ${schoolId} and member_id = ${fromId}`)

/** The customers that providers know for a member. */
export const listCustomers = (
  db: Db,
  schoolId: string,
  memberId: string,
): Promise<{ provider: string; ref: string }[]> =>
  db.all(sql<{ provider: string; ref: string }>`
    select provider, customer_ref as ref from payments
    where school_id = ${schoolId} and member_id = ${memberId} and customer_ref is not null
    union select provider, customer_ref from payment_methods
    where school_id = ${schoolId} and member_id = ${memberId} and customer_ref is not null`)

/** Removes a customer who was forgotten at the provider, with the methods. */
export const removeCustomer = (db: Db, schoolId: string, provider: string, ref: string) =>
  db.run(sql`
    with method as (
      update payment_methods set customer_ref = null, method_ref = null,
        ended_at = coalesce(ended_at, (select stoa.now()))
      where school_id = ${schoolId} and provider = ${provider} and customer_ref = ${ref})
    update payments set customer_ref = null, method_ref = null
    where school_id = ${schoolId} and provider = ${provider} and customer_ref = ${ref}`)
