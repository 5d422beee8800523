import type { Db } from '#src/contract/db.ts'
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
        where n.school_id = ${schoolId} and n.name <> 'manual'
          and exists (select from payments p where p.school_id = ${schoolId} and p.provider = n.name
            and p.settled_at between (select now from clock) - interval '30 days' and (select now from clock) - interval '1 hour'
            and p.reference is not null)
          and (n.heard_at is null or n.heard_at <= (select now from clock) - interval '30 days')), '{}') as silent,
      (select count(*)::integer from payments where school_id = ${schoolId} and difference is not null) as different,
      (select count(*)::integer from payments where school_id = ${schoolId}
          and (state in ('asked', 'open', 'processing') or ending_at is not null)
          and (state = 'asked' or ending_at is not null)
          and called_at < (select now from clock) - interval '1 day')
        + (select count(*)::integer from refunds where school_id = ${schoolId} and settled_at is null
          and created_at < (select now from clock) - interval '1 day' and state = 'asked') as stuck,
      (select count(*)::integer from refunds where school_id = ${schoolId} and state = 'failed'
        and settled_at > (select now from clock) - interval '30 days') as failed_refunds`)
