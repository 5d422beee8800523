import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** What mails say of a subscription; amounts are in minor units. */
export type MailedSubscription = {
  readonly id: string
  readonly member_id: string
  readonly name: string
  readonly status: string
  readonly collection: 'automatic' | 'manual' | 'complimentary'
  /** Null where nothing is paid. */
  readonly amount: number | null
  readonly currency: string | null
  readonly payments: number | null
  readonly started_at: Date | null
  readonly next_charge_at: Date | null
  readonly cancel_at: Date | null
  readonly trial_end: Date | null
  readonly resumes_at: Date | null
  readonly retry_at: Date | null
}

/** A subscription as it is now. */
export const findSubscription = (db: Db, schoolId: string, id: string): Promise<MailedSubscription | undefined> =>
  db.first(sql<MailedSubscription>`
    select s.id, s.member_id, s.name, s.status, s.collection, (s.price ->> 'amount')::double precision as amount,
      s.price ->> 'currency' as currency, (s.price ->> 'number_of_payments')::integer as payments, s.started_at,
      s.next_charge_at, s.cancel_at, s.trial_end, s.resumes_at, s.retry_at
    from subscriptions s where s.school_id = ${schoolId} and s.id = ${id}`)

/** What mails say of a period, with the order that pays it. */
export type MailedPeriod = {
  readonly number: number
  readonly period_from: Date
  readonly period_until: Date
  readonly amount: number
  readonly currency: string
  readonly state: 'asked' | 'paid' | 'failed' | 'waived' | 'canceled'
  readonly order_number: string | null
}

/** The period of a subscription that is not settled yet; the first of several. */
export const findDuePeriod = (db: Db, schoolId: string, subscriptionId: string): Promise<MailedPeriod | undefined> =>
  db.first(sql<MailedPeriod>`
    select p.number, p.period_from, p.period_until, p.amount::double precision as amount, p.currency, p.state,
      o.number as order_number
    from subscription_periods p
      left join orders o on o.school_id = ${schoolId} and o.id = p.order_id
    where p.school_id = ${schoolId} and p.subscription_id = ${subscriptionId} and p.state in ('asked', 'failed')
    order by p.number limit 1`)
