import type { Db, Statement } from '#src/contract/db.ts'
import type { List } from '#src/db/list.ts'
import { sql } from '#src/db/sql.ts'
import type { periodStates } from '../rules.ts'

/** A period of a subscription. Amounts are in minor units. */
export type PeriodRow = {
  readonly id: string
  readonly subscription_id: string
  readonly number: number
  readonly period_from: Date
  readonly period_until: Date
  readonly amount: number
  readonly currency: string
  readonly credit_used: number
  readonly order_id: string | null
  readonly state: (typeof periodStates)[number]
  readonly attempts: number
  readonly settled_at: Date | null
  readonly created_at: Date
  readonly updated_at: Date
}

const columns = sql`p.id, p.subscription_id, p.number, p.period_from, p.period_until, p.amount::double precision as amount,
  p.currency, p.credit_used::double precision as credit_used, p.order_id, p.state, p.attempts, p.settled_at, p.created_at,
  p.updated_at`

/** The periods of a subscription, the latest first. */
export const periodList = (schoolId: string, subscriptionId: string): List<PeriodRow> => ({
  columns,
  from: sql`subscription_periods p`,
  where: sql`p.school_id = ${schoolId} and p.subscription_id = ${subscriptionId}`,
  id: sql`p.id`,
  sort: '-created_at',
})

/** Stores a new period; undefined when the subscription has one of that number, so that none is charged twice. */
export const insertPeriod = (
  db: Db,
  schoolId: string,
  row: Omit<PeriodRow, 'settled_at' | 'created_at' | 'updated_at'>,
  now: Date,
) =>
  db.first(sql<PeriodRow>`
    insert into subscription_periods as p (school_id, id, subscription_id, number, period_from, period_until, amount,
      currency, credit_used, order_id, state, attempts, settled_at, created_at, updated_at)
    values (${schoolId}, ${row.id}, ${row.subscription_id}, ${row.number}, ${row.period_from}, ${row.period_until},
      ${row.amount}::bigint, ${row.currency}, ${row.credit_used}::bigint, ${row.order_id}, ${row.state}, ${row.attempts},
      ${row.state === 'paid' ? now : null}, ${now}, ${now})
    on conflict (school_id, subscription_id, number) do nothing returning ${columns}`)

const first = (db: Db, condition: Statement) =>
  db.first(sql<PeriodRow>`
    select ${columns} from subscription_periods p where ${condition} order by p.number desc limit 1`)

/** The period that an order pays. */
export const findPeriodByOrder = (db: Db, schoolId: string, orderId: string): Promise<PeriodRow | undefined> =>
  first(db, sql`p.school_id = ${schoolId} and p.order_id = ${orderId}`)

/** The period of a subscription that is due and not paid; there is at most one. */
export const findOpenPeriod = (db: Db, schoolId: string, subscriptionId: string): Promise<PeriodRow | undefined> =>
  first(db, sql`p.school_id = ${schoolId} and p.subscription_id = ${subscriptionId} and p.state in ('asked', 'failed')`)

/** The latest period of a subscription. */
export const findLastPeriod = (db: Db, schoolId: string, subscriptionId: string): Promise<PeriodRow | undefined> =>
  first(db, sql`p.school_id = ${schoolId} and p.subscription_id = ${subscriptionId}`)

/** Stores what became of a period; it is settled now when it is paid or waived. */
export const storePeriodState = (
  db: Db,
  schoolId: string,
  id: string,
  { state, attempts, now }: { readonly state: PeriodRow['state']; readonly attempts: number; readonly now: Date },
) =>
  db.run(sql`
    update subscription_periods set state = ${state}, attempts = ${attempts}, updated_at = ${now},
      settled_at = ${state === 'paid' || state === 'waived' ? now : null}::timestamptz
    where school_id = ${schoolId} and id = ${id}`)

/** Stores which order pays a period, and what is due. */
export const storePeriodOrder = (
  db: Db,
  schoolId: string,
  id: string,
  { orderId, amount, credit }: { readonly orderId: string; readonly amount: number; readonly credit: number },
) =>
  db.run(sql`
    update subscription_periods set order_id = ${orderId}, amount = ${amount}::bigint, credit_used = ${credit}::bigint
    where school_id = ${schoolId} and id = ${id}`)

/** Moves the end of a period. */
export const storePeriodEnd = (db: Db, schoolId: string, id: string, until: Date) =>
  db.run(sql`
    update subscription_periods set period_until = ${until} where school_id = ${schoolId} and id = ${id}`)
