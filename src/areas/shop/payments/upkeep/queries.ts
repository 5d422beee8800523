import type { Db, Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** At most so many rows after an id. */
type Step = { readonly after: string; readonly most: number }

/** Payments whose end a provider may know: on their way, called without an answer, with a page past its end, or to be ended. */
export const listUnsettledPayments = (db: Db, schoolId: string, { after, most }: Step) =>
  db.all(sql<{ id: string }>`
    with clock as materialized (select stoa.now() as now)
    select id from payments
    where school_id = ${schoolId} and id > ${after} and provider not in ('free', 'manual')
      and (state in ('asked', 'open', 'processing') or ending_at is not null)
      and (state = 'processing' or ending_at is not null or page_ends_at <= (select now from clock)
        or (state = 'asked' and (called_at is not null or method_ref is not null)))
    order by id limit ${most}`)

/** Refunds that have not ended. */
export const listUnsettledRefunds = (db: Db, schoolId: string, { after, most }: Step) =>
  db.all(sql<{ id: string }>`
    select id from refunds where school_id = ${schoolId} and id > ${after} and settled_at is null
    order by id limit ${most}`)

/** Creates jobs of a kind that are due now; those that exist keep their time. */
export const addJobs = (db: Db, schoolId: string, kind: string, ids: readonly string[]) =>
  db.run(sql`
    insert into jobs (school_id, kind, id, due_at)
    select ${schoolId}, ${kind}, id, (select stoa.now()) from unnest(${ids}::uuid[]) as id
    on conflict do nothing`)

/** Payments whose page may be open at a provider that is used for nothing, and is not being ended. */
export const listPagesToEnd = (db: Db, schoolId: string, { after, most }: Step) =>
  db.all(sql<{ id: string }>`
    select p.id from payments p join payment_providers n on n.school_id = ${schoolId} and n.name = p.provider
    where p.school_id = ${schoolId} and p.id > ${after} and n.use = 'nothing' and p.provider not in ('free', 'manual')
      and p.state in ('asked', 'open') and p.method_ref is null and p.ending_at is null
    order by p.id limit ${most}`)

// A provider `n` whose payments succeeded in the last 30 days without any notice.
const wasSilent = (schoolId: string): Statement => sql`n.name <> 'manual'
  and exists (select from payments p where p.school_id = ${schoolId} and p.provider = n.name
    and p.settled_at between (select now from clock) - interval '30 days' and (select now from clock) - interval '1 hour'
    and p.reference is not null)
  and (n.heard_at is null or n.heard_at <= (select now from clock) - interval '30 days')`

/** How much of the payments needs a provider. */
type Needs = {
  readonly open: number
  readonly processing: number
  readonly refunds: number
  readonly disputes: number
  readonly customers: number
  readonly refundable: number
  readonly is_silent: boolean
}

/** Counts what of payments needs a provider. */
export const countNeeds = (db: Db, schoolId: string, provider: string) =>
  db.one(sql<Needs>`
    with clock as materialized (select stoa.now() as now)
    select
      (select count(*)::integer from payments where school_id = ${schoolId} and provider = ${provider}
        and state in ('asked', 'open')) as open,
      (select count(*)::integer from payments where school_id = ${schoolId} and provider = ${provider}
        and state = 'processing') as processing,
      (select count(*)::integer from refunds r join payments p on p.school_id = ${schoolId} and p.id = r.payment_id
        where r.school_id = ${schoolId} and p.provider = ${provider} and r.settled_at is null) as refunds,
      (select count(*)::integer from disputes d join payments p on p.school_id = ${schoolId} and p.id = d.payment_id
        where d.school_id = ${schoolId} and p.provider = ${provider} and d.state = 'open') as disputes,
      (select count(*)::integer from (
        select customer_ref from payments
        where school_id = ${schoolId} and provider = ${provider} and customer_ref is not null
        union select customer_ref from payment_methods
        where school_id = ${schoolId} and provider = ${provider} and customer_ref is not null) as known) as customers,
      (select count(*)::integer from payments p where p.school_id = ${schoolId} and p.provider = ${provider}
        and p.settled_at > (select now from clock) - interval '180 days'
        and p.paid_amount > (select coalesce(sum(r.amount), 0) from refunds r
          where r.school_id = ${schoolId} and r.payment_id = p.id and r.state <> 'failed')) as refundable,
      exists (select from payment_providers n where n.school_id = ${schoolId} and n.name = ${provider}
        and ${wasSilent(schoolId)}) as is_silent`)

/** What of payments needs the operator or the owner. */
type PaymentCounts = {
  /** Providers whose payments settled in the last 30 days without any notice. */
  readonly silent: readonly string[]
  readonly different: number
  /** Payments and refunds that have waited for their provider for more than a day. */
  readonly stuck: number
  readonly failed_refunds: number
}

/** Counts what of payments needs somebody. */
export const countPaymentWarnings = (db: Db, schoolId: string) =>
  db.one(sql<PaymentCounts>`
    with clock as materialized (select stoa.now() as now)
    select
      coalesce((select array_agg(n.name order by n.name) from payment_providers n
        where n.school_id = ${schoolId} and ${wasSilent(schoolId)}), '{}') as silent,
      (select count(*)::integer from payments where school_id = ${schoolId} and difference is not null) as different,
      (select count(*)::integer from payments where school_id = ${schoolId}
          and (state in ('asked', 'open', 'processing') or ending_at is not null)
          and (state = 'asked' or ending_at is not null)
          and called_at < (select now from clock) - interval '1 day')
        + (select count(*)::integer from refunds where school_id = ${schoolId} and settled_at is null
          and created_at < (select now from clock) - interval '1 day' and state = 'asked') as stuck,
      (select count(*)::integer from refunds where school_id = ${schoolId} and state = 'failed'
        and settled_at > (select now from clock) - interval '30 days') as failed_refunds`)
