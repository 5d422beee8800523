import type { Db, Statement } from '#src/contract/db.ts'
import type { BegunPage, MethodShown, OnlineProviderName, PaymentProviderName } from '#src/contract/payments.ts'
import { sql } from '#src/db/sql.ts'
import { newUuid } from '#src/kit/ids.ts'
import type { PaymentState, SettledValues } from './rules.ts'

/** What a payment page is opened with. */
export type PageRequest = {
  readonly reference: string
  readonly description: string
  readonly returnUrl: string
  readonly cancelUrl: string
  readonly locale: string
}

/** One attempt to pay an order. Amounts are in minor units. */
export type PaymentRow = SettledValues & {
  readonly id: string
  readonly order_id: string
  readonly member_id: string
  readonly provider: PaymentProviderName
  readonly state: PaymentState
  readonly called_at: Date | null
  readonly ending_at: Date | null
  readonly page: PageRequest | null
  readonly page_url: string | null
  readonly page_ends_at: Date | null
  /** The id at the provider. */
  readonly reference: string | null
  readonly customer_ref: string | null
  readonly method_ref: string | null
  readonly method: MethodShown | null
  readonly created_at: Date
  readonly updated_at: Date
  readonly settled_at: Date | null
}

const columns = sql`p.id, p.order_id, p.member_id, p.provider, p.amount::double precision as amount, p.currency, p.state,
  p.paid_amount::double precision as paid_amount, p.paid_currency, p.called_at, p.ending_at, p.page, p.page_url,
  p.page_ends_at, p.reference, p.customer_ref, p.method_ref, p.method, p.failure_code, p.may_retry, p.difference,
  p.fee::double precision as fee,  p.created_at, p.updated_at, p.settled_at`

/** A payment that is stored for the first time. */
type NewPayment = Pick<
  PaymentRow,
  'order_id' | 'member_id' | 'provider' | 'amount' | 'currency' | 'state' | 'customer_ref' | 'method_ref'
>

/** Stores a new payment; one that succeeded at once is settled now. */
export const insertPayment = (db: Db, schoolId: string, now: Date, one: NewPayment): Promise<PaymentRow> =>
  db.one(sql<PaymentRow>`
    insert into payments as p (school_id, id, order_id, member_id, provider, amount, currency, state, customer_ref, method_ref,
      created_at, updated_at, settled_at)
    values (${schoolId}, ${newUuid(now.getTime())}, ${one.order_id}, ${one.member_id}, ${one.provider},
      ${one.amount}::bigint, ${one.currency}, ${one.state}, ${one.customer_ref}, ${one.method_ref}, ${now}, ${now},
      ${one.state === 'succeeded' ? now : null})
    returning ${columns}`)

const payment = (schoolId: string, id: string): Statement<PaymentRow> =>
  sql<PaymentRow>`select ${columns} from payments p where p.school_id = ${schoolId} and p.id = ${id}`

/** A payment by its id. */
export const findPayment = (db: Db, schoolId: string, id: string): Promise<PaymentRow | undefined> =>
  db.first(payment(schoolId, id))

/** A payment by its id, locked until the transaction ends. */
export const lockPaymentRow = (db: Db, schoolId: string, id: string): Promise<PaymentRow | undefined> =>
  db.first(sql<PaymentRow>`${payment(schoolId, id)} for no key update`)

/** The payments of orders, oldest first. */
export const paymentsOf = (db: Db, schoolId: string, orderIds: readonly string[]): Promise<PaymentRow[]> =>
  db.all(sql<PaymentRow>`
    select ${columns} from payments p where p.school_id = ${schoolId} and p.order_id = any (${orderIds}::uuid[])
    order by p.order_id, p.id`)

/** The payments of an order that have not ended, locked in the order of their ids. */
export const lockPending = (db: Db, schoolId: string, orderId: string): Promise<PaymentRow[]> =>
  db.all(sql<PaymentRow>`
    select ${columns} from payments p
    where p.school_id = ${schoolId} and p.order_id = ${orderId} and p.state in ('asked', 'open')
    order by p.id for no key update`)

/** Notes the first call to the provider, with the page that is opened; both stay as they are the next time. */
export const noteCall = (
  db: Db,
  schoolId: string,
  { id, page, endsAt, now }: { id: string; page: PageRequest | null; endsAt: Date | null; now: Date },
): Promise<PaymentRow> =>
  db.one(sql<PaymentRow>`
    update payments p set called_at = coalesce(p.called_at, ${now}),
      page = coalesce(p.page, ${page === null ? null : JSON.stringify(page)}::jsonb),
      page_ends_at = coalesce(p.page_ends_at, ${endsAt}::timestamptz), updated_at = ${now}
    where p.school_id = ${schoolId} and p.id = ${id} returning ${columns}`)

/** Notes that a saved method is charged; undefined when the order no longer wants that, or it was charged. */
export const noteCharge = (db: Db, schoolId: string, id: string): Promise<PaymentRow | undefined> =>
  db.first(sql<PaymentRow>`
    update payments p set called_at = coalesce(p.called_at, (select stoa.now()))
    where p.school_id = ${schoolId} and p.id = ${id} and p.state = 'asked' and p.ending_at is null returning ${columns}`)

/** Stores the page that the provider opened; a payment that waited for it is open now. */
export const storePage = (
  db: Db,
  schoolId: string,
  { id, page, now }: { readonly id: string; readonly page: BegunPage; readonly now: Date },
): Promise<PaymentRow> =>
  db.one(sql<PaymentRow>`
    update payments p set page_url = ${page.redirect}, reference = ${page.ref}, page_ends_at = ${page.expiresAt},
      customer_ref = coalesce(p.customer_ref, ${page.customerRef}::text), updated_at = ${now},
      state = case when p.state = 'asked' then 'open' else p.state end
    where p.school_id = ${schoolId} and p.id = ${id} returning ${columns}`)

/** Stores what a provider or staff decided of a locked payment; it is settled now when it has ended since. */
export const storeSettled = (
  db: Db,
  schoolId: string,
  row: PaymentRow,
  { hasEnded, ref, now }: { readonly hasEnded: boolean; readonly ref: string | undefined; readonly now: Date },
): Promise<PaymentRow> =>
  db.one(sql<PaymentRow>`
    update payments p set state = ${row.state}, paid_amount = ${row.paid_amount}::bigint,
      paid_currency = ${row.paid_currency}, method = ${row.method === null ? null : JSON.stringify(row.method)}::jsonb,
      failure_code = ${row.failure_code}, may_retry = ${row.may_retry}, difference = ${row.difference},
      fee = ${row.fee}::bigint,
      reference = coalesce(p.reference, ${ref}::text), ending_at = ${row.ending_at}, updated_at = ${now},
      settled_at = case when not ${hasEnded}::boolean then null
        when p.state = ${row.state} then coalesce(p.settled_at, ${now}) else ${now} end
    where p.school_id = ${schoolId} and p.id = ${row.id} returning ${columns}`)

/** Notes that the order no longer wants a payment whose page is open. */
export const storeEnding = (db: Db, schoolId: string, id: string, now: Date): Promise<number> =>
  db.run(sql`
    update payments set ending_at = ${now}, updated_at = ${now} where school_id = ${schoolId} and id = ${id}`)

/** Ends payments of which the provider knows nothing, or that nobody but staff receives. */
export const storeCanceled = (db: Db, schoolId: string, ids: readonly string[], now: Date): Promise<number> =>
  db.run(sql`
    update payments set state = 'canceled', updated_at = ${now}, settled_at = ${now}
    where school_id = ${schoolId} and id = any (${ids}::uuid[])`)

/** The payments of an order that may be asked about now, noted as asked: each once in so many seconds. */
export const takeLooks = (db: Db, schoolId: string, orderId: string, seconds: number): Promise<{ id: string }[]> =>
  db.all(sql<{ id: string }>`
    with clock as materialized (select stoa.now() as now)
    update payments set looked_at = (select now from clock)
    where school_id = ${schoolId} and order_id = ${orderId} and provider in ('test', 'stripe')
      and called_at is not null and state in ('asked', 'open', 'processing')
      and (looked_at is null or looked_at <= (select now from clock) - make_interval(secs => ${seconds}))
    returning id`)

/** The payment that a provider knows by its own id. */
export const findByReference = async (
  db: Db,
  schoolId: string,
  provider: OnlineProviderName,
  ref: string,
): Promise<string | undefined> =>
  (
    await db.first(sql<{ id: string }>`
      select id from payments where school_id = ${schoolId} and provider = ${provider} and reference = ${ref}`)
  )?.id

/** The instant of the transaction, from the database's clock. */
export const readClock = async (db: Db): Promise<Date> =>
  (await db.one(sql<{ now: Date }>`select stoa.now() as now`)).now

/** The payments of a member, for the export of their data. */
export const listPaymentsOfMember = (db: Db, schoolId: string, memberId: string): Promise<PaymentRow[]> =>
  db.all(sql<PaymentRow>`
    select ${columns} from payments p where p.school_id = ${schoolId} and p.member_id = ${memberId} order by p.id`)

/** Moves the payments of one member to another. */
export const movePayments = (db: Db, schoolId: string, fromId: string, intoId: string): Promise<number> =>
  db.run(sql`update payments set member_id = ${intoId} where school_id = ${schoolId} and member_id = ${fromId}`)

/** Removes from the payments of a member what describes their payment method. */
export const eraseMethods = (db: Db, schoolId: string, memberId: string): Promise<number> =>
  db.run(sql`
    update payments set method = null where school_id = ${schoolId} and member_id = ${memberId} and method is not null`)

/** The customers that providers know for a member. */
export const listCustomers = (
  db: Db,
  schoolId: string,
  memberId: string,
): Promise<{ provider: OnlineProviderName; ref: string }[]> =>
  db.all(sql<{ provider: OnlineProviderName; ref: string }>`
    select distinct provider, customer_ref as ref from payments
    where school_id = ${schoolId} and member_id = ${memberId} and customer_ref is not null`)

/** Removes a customer who was forgotten at the provider. */
export const removeCustomer = (db: Db, schoolId: string, provider: OnlineProviderName, ref: string): Promise<number> =>
  db.run(sql`
    update payments set customer_ref = null, method_ref = null
    where school_id = ${schoolId} and provider = ${provider} and customer_ref = ${ref}`)
