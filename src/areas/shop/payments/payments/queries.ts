import type { Db, Statement } from '#src/contract/db.ts'
import type { BegunPage, MethodShown, Payer } from '#src/contract/payments.ts'
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

/** What a payment page was opened with first; it stays so, since the call may be made again with its key. */
type StoredPage = PageRequest & Payer

/** One attempt to pay an order, or to save a payment method without paying. Amounts are in minor units. */
export type StoredPayment = SettledValues & {
  readonly id: string
  /** Null when only a payment method is saved. */
  readonly order_id: string | null
  /** What a payment method is saved for without paying, such as a subscription. */
  readonly setup_for: string | null
  /** Whether the method is saved, to be charged later. */
  readonly saves: boolean
  readonly member_id: string
  readonly provider: string
  readonly state: PaymentState
  readonly called_at: Date | null
  readonly ending_at: Date | null
  readonly page: StoredPage | null
  readonly page_url: string | null
  readonly page_ends_at: Date | null
  /** The id at the provider. */
  readonly reference: string | null
  /** What a notice said about it while it was not known. */
  readonly noticed_ref: string | null
  /** The account at the provider through which it was begun or charged; null where that was not known. */
  readonly account: string | null
  readonly customer_ref: string | null
  readonly method_ref: string | null
  /** Whether the buyer is there while the saved method is charged. */
  readonly buyer_present: boolean
  readonly method: MethodShown | null
  readonly created_at: Date
  readonly updated_at: Date
  readonly settled_at: Date | null
}

/** One attempt to pay an order. */
export type PaymentRow = StoredPayment & { readonly order_id: string }

const columns = sql`p.id, p.order_id, p.setup_for, p.saves, p.member_id, p.provider, p.amount::double precision as amount, p.currency, p.state,
  p.paid_amount::double precision as paid_amount, p.paid_currency, p.called_at, p.ending_at, p.page, p.page_url,
  p.page_ends_at, p.reference, p.noticed_ref, p.account, p.customer_ref, p.method_ref, p.buyer_present, p.method, p.failure_code, p.may_retry, p.difference,
  p.fee::double precision as fee,  p.created_at, p.updated_at, p.settled_at`

/** A payment that is stored for the first time. */
type NewPayment = Pick<
  StoredPayment,
  | 'order_id'
  | 'setup_for'
  | 'saves'
  | 'member_id'
  | 'provider'
  | 'amount'
  | 'currency'
  | 'state'
  | 'customer_ref'
  | 'method_ref'
  | 'buyer_present'
>

/** Stores a new payment; one that succeeded at once is settled now. */
export const insertPayment = <Row extends StoredPayment>(db: Db, schoolId: string, now: Date, one: NewPayment) =>
  db.one(sql<Row>`
    insert into payments as p (school_id, id, order_id, setup_for, saves, member_id, provider, amount, currency, state,
      customer_ref, method_ref, buyer_present, created_at, updated_at, settled_at)
    values (${schoolId}, ${newUuid(now.getTime())}, ${one.order_id}, ${one.setup_for}, ${one.saves}, ${one.member_id}, ${one.provider},
      ${one.amount}::bigint, ${one.currency}, ${one.state}, ${one.customer_ref}, ${one.method_ref}, ${one.buyer_present}, ${now}, ${now},
      ${one.state === 'succeeded' ? now : null})
    returning ${columns}`)

const payment = (schoolId: string, id: string): Statement<StoredPayment> =>
  sql<StoredPayment>`select ${columns} from payments p where p.school_id = ${schoolId} and p.id = ${id}`

/** A payment by its id. */
export const findPayment = (db: Db, schoolId: string, id: string): Promise<StoredPayment | undefined> =>
  db.first(payment(schoolId, id))

/** A payment by its id, locked until the transaction ends. */
export const lockPaymentRow = (db: Db, schoolId: string, id: string) =>
  db.first(sql<StoredPayment>`${payment(schoolId, id)} for no key update`)

/** The payments of orders, oldest first. */
export const listOrderPayments = (db: Db, schoolId: string, orderIds: readonly string[]) =>
  db.all(sql<PaymentRow>`
    select ${columns} from payments p where p.school_id = ${schoolId} and p.order_id = any (${orderIds}::uuid[])
    order by p.order_id, p.id`)

/** What payments are for: an order, or saving a method for something. */
export type PaymentOwner = { readonly orderId: string } | { readonly setupFor: string }

const ofOwner = (owner: PaymentOwner): Statement =>
  'orderId' in owner ? sql`p.order_id = ${owner.orderId}` : sql`p.setup_for = ${owner.setupFor}`

/** The payments of an order, or those that save a method for something, that have not ended, locked in the order of their ids. */
export const lockPending = (db: Db, schoolId: string, owner: PaymentOwner) =>
  db.all(sql<StoredPayment>`
    select ${columns} from payments p
    where p.school_id = ${schoolId} and ${ofOwner(owner)} and p.state in ('asked', 'open')
    order by p.id for no key update`)

// The account that the keys are of at the first call stays that of the payment.
const noteAccount = (schoolId: string): Statement => sql`account = coalesce(p.account, (
  select n.account->>'id' from payment_providers n where n.school_id = ${schoolId} and n.name = p.provider))`

/** Notes the first call to the provider, with the page that is opened; both stay as they are the next time. */
export const noteCall = (
  db: Db,
  schoolId: string,
  { id, page, endsAt, now }: { id: string; page: StoredPage | null; endsAt: Date | null; now: Date },
) =>
  db.one(sql<StoredPayment>`
    update payments p set called_at = coalesce(p.called_at, ${now}), ${noteAccount(schoolId)},
      page = coalesce(p.page, ${page === null ? null : JSON.stringify(page)}::jsonb),
      page_ends_at = coalesce(p.page_ends_at, ${endsAt}::timestamptz), updated_at = ${now}
    where p.school_id = ${schoolId} and p.id = ${id} returning ${columns}`)

/**
 * Notes that a saved method is charged; undefined when the order no longer wants that, it was charged, or its provider is used for
 * nothing.
 */
export const noteCharge = (db: Db, schoolId: string, id: string) =>
  db.first(sql<StoredPayment>`
    update payments p set called_at = coalesce(p.called_at, (select stoa.now())), ${noteAccount(schoolId)}
    where p.school_id = ${schoolId} and p.id = ${id} and p.state = 'asked' and p.ending_at is null
      and exists (select from payment_providers n
        where n.school_id = ${schoolId} and n.name = p.provider and n.use <> 'nothing')
    returning ${columns}`)

/** Stores the page that the provider opened; a payment that waited for it is open now. */
export const storePage = (
  db: Db,
  schoolId: string,
  { id, page, now }: { readonly id: string; readonly page: BegunPage; readonly now: Date },
) =>
  db.one(sql<StoredPayment>`
    update payments p set page_url = ${page.redirect}, reference = ${page.ref}, page_ends_at = ${page.expiresAt},
      customer_ref = coalesce(p.customer_ref, ${page.customerRef}::text), updated_at = ${now},
      state = case when p.state = 'asked' then 'open' else p.state end
    where p.school_id = ${schoolId} and p.id = ${id} returning ${columns}`)

/** Stores what a provider or staff decided of a locked payment; it is settled now when it has ended since. */
export const storeSettled = (
  db: Db,
  schoolId: string,
  row: StoredPayment,
  { hasEnded, ref, now }: { readonly hasEnded: boolean; readonly ref: string | undefined; readonly now: Date },
) =>
  db.one(sql<StoredPayment>`
    update payments p set state = ${row.state}, paid_amount = ${row.paid_amount}::bigint,
      paid_currency = ${row.paid_currency}, method = ${row.method === null ? null : JSON.stringify(row.method)}::jsonb,
      failure_code = ${row.failure_code}, may_retry = ${row.may_retry}, difference = ${row.difference},
      fee = ${row.fee}::bigint,
      reference = coalesce(p.reference, ${ref}::text), customer_ref = ${row.customer_ref}, ending_at = ${row.ending_at}, updated_at = ${now},
      settled_at = case when not ${hasEnded}::boolean then null
        when p.state = ${row.state} then coalesce(p.settled_at, ${now}) else ${now} end
    where p.school_id = ${schoolId} and p.id = ${row.id} returning ${columns}`)

/** Notes that the order no longer wants a payment whose page is open. */
export const storeEnding = (db: Db, schoolId: string, id: string, now: Date) =>
  db.run(sql`
    update payments set ending_at = ${now}, updated_at = ${now} where school_id = ${schoolId} and id = ${id}`)

/** Ends payments of which the provider knows nothing, or that nobody but staff receives. */
export const storeCanceled = (db: Db, schoolId: string, ids: readonly string[], now: Date) =>
  db.run(sql`
    update payments set state = 'canceled', updated_at = ${now}, settled_at = ${now}
    where school_id = ${schoolId} and id = any (${ids}::uuid[])`)

/** The payments of an order that may be asked about now, noted as asked: each once in so many seconds. */
export const takeLooks = (db: Db, schoolId: string, owner: PaymentOwner, seconds: number) =>
  db.all(sql<{ id: string }>`
    with clock as materialized (select stoa.now() as now)
    update payments p set looked_at = (select now from clock)
    where p.school_id = ${schoolId} and ${ofOwner(owner)} and p.provider not in ('free', 'manual')
      and p.called_at is not null and p.state in ('asked', 'open', 'processing')
      and (p.looked_at is null or p.looked_at <= (select now from clock) - make_interval(secs => ${seconds}))
    returning p.id`)

/** The instant of the transaction, from the database's clock. */
export const readClock = async (db: Db): Promise<Date> =>
  (await db.one(sql<{ now: Date }>`select stoa.now() as now`)).now

/** The payments of a member, for the export of their data. */
export const listPaymentsOfMember = (db: Db, schoolId: string, memberId: string): Promise<StoredPayment[]> =>
  db.all(sql<StoredPayment>`
    select ${columns} from payments p where p.school_id = ${schoolId} and p.member_id = ${memberId} order by p.id`)

/** Moves the payments of one member to another. */
export const movePayments = (db: Db, schoolId: string, fromId: string, intoId: string) =>
  db.run(sql`update payments set member_id = ${intoId} where school_id = ${schoolId} and member_id = ${fromId}`)

/** Removes from the payments of a member what describes them and their payment method. */
export const eraseMethods = (db: Db, schoolId: string, memberId: string) =>
  db.run(sql`
    update payments set method = null, page = page - 'buyer'
    where school_id = ${schoolId} and member_id = ${memberId} and (method is not null or page is not null)`)
