import { periodStart, zonesEdition } from '#src/areas/memberships/index.ts'
import { newUuid } from '#src/kit/ids.ts'
import type { TestApp } from './app.ts'

/** What a subscription is to, at which price, and the method that pays it. Ids are those of rows. */
export type SoldCourse = {
  readonly uuid: string
  readonly priceUuid: string
  readonly provider: string
  readonly methodId: string
}

/** Where its periods begin, and how long each takes. */
export type Terms = {
  readonly local: string
  readonly zone: string
  readonly terms: { readonly interval: 'month' | 'year'; readonly interval_count: number }
}

/** Adds a subscription of a member whose first period is charged when it begins; returns its id and that instant. */
export const addDueSubscription = async (
  { database, a }: Pick<TestApp, 'database' | 'a'>,
  memberId: string,
  { uuid, priceUuid, provider, methodId }: SoldCourse,
  { amount, local, zone, terms }: Terms & { readonly amount: number },
): Promise<{ readonly id: string; readonly start: Date }> => {
  const price = {
    payment_type: 'subscription',
    amount,
    currency: 'EUR',
    ...terms,
    number_of_payments: null,
    trial_days: null,
    access_days: null,
    access_until: null,
    enrollment_cap: null,
  }
  const start = periodStart({ anchor_local: local, anchor_zone: zone, anchor_number: 1 }, terms, 1)
  const id = newUuid(Date.now())
  await database.query(
    `insert into subscriptions (school_id, id, member_id, item_type, item_id, name, price_id, price, access, tax_class, status,
       collection, provider, method_id, started_at, anchor_local, anchor_zone, zones, next_charge_at, source, created_at, updated_at)
     values ($1, $2, $3, 'course', $4, 'A course', $5, $6, '{"forSubscription": true}', 'standard', 'active', 'automatic', $12, $11,
       $7, $8, $9, $10, $7, 'import', stoa.now(), stoa.now())`,
    [a.id, id, memberId, uuid, priceUuid, JSON.stringify(price), start, local, zone, zonesEdition, methodId, provider],
  )
  await database.query(`insert into jobs (school_id, kind, id, due_at) values ($1, 'renewal', $2, $3)`, [
    a.id,
    id,
    start,
  ])
  return { id, start }
}

// What follows a charge takes most of the time: printed invoices, delivered facts, mails, figures. Other tests have it.
const LEFT_OUT = ['invoice', 'fact', 'mail', 'bulk_mail', 'metric', 'sweep', 'storage']

/** Leaves out the jobs that follow from charges, from now on. */
export const leaveOutWhatFollows = async ({ database }: Pick<TestApp, 'database'>): Promise<void> => {
  await database.query(`
    create function leave_out() returns trigger language plpgsql as $$
    begin
      return case when new.kind = any ('{${LEFT_OUT.join()}}') then null else new end;
    end $$`)
  await database.query('create trigger leave_out before insert on jobs for each row execute function leave_out()')
  await database.query('delete from jobs where kind = any ($1)', [LEFT_OUT])
}
