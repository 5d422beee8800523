import { zonesEdition } from '#src/areas/memberships/index.ts'
import type { TestDatabase } from './database.ts'

type Kind = {
  /** What tells the ids of one kind from those of others. */
  readonly mark: string
  readonly status: 'active' | 'past_due'
  readonly payment: 'subscription' | 'payment_plan'
  readonly payments: number | null
  /** Who has one. */
  readonly who: string
  /** Whether there is the order of the first period. */
  readonly hasOrder: boolean
}

const id = (mark: string, n: string): string => `('00000000-0000-7000-${mark}-' || lpad(to_hex(${n}), 12, '0'))::uuid`

// An older order than all others, so that lists begin with those.
const order = (mark: string, status: Kind['status']): string => `), ordered as (
    insert into orders (school_id, id, number, counter, member_id, kind, status, currency, subtotal, discount_total, tax_total,
      total, paid_total, tax_mode, reverse_charge, billing, words_folded, subscription_id, paid_at, expires_at, created_at,
      updated_at)
    select school_id, ${id(mark, 'n')}, 'S${mark}' || n, ${Number(mark) - 8000} * 10 + n, member_id, 'renewal',
      '${status === 'active' ? 'paid' : 'failed'}', 'EUR', 1900, 0, 0, 1900, ${status === 'active' ? 1900 : 0}, 'inclusive', false,
      '{"name": null, "company": null, "address": null, "country": null, "tax_id": null}', '', ${id(mark, 'n')},
      ${status === 'active' ? 'at' : 'null::timestamptz'}, at + interval '3 days', at, at
    from buyer
  ), lined as (
    insert into order_lines (school_id, id, order_id, position, item_type, item_id, price_id, name, payment, tax_class, quantity,
      unit_amount, discount_amount, tax_rate, tax_amount, amount, period_from, period_until)
    select school_id, ${id(mark, 'n')}, ${id(mark, 'n')}, 1, 'membership_plan', plan_id, price_id, name, '{}', 'exempt', 1, 1900, 0,
      0, 0, 1900, at, at + interval '1 month'
    from buyer
  ), charged as (
    insert into payments (school_id, id, order_id, member_id, provider, amount, currency, state, paid_amount, paid_currency,
      created_at, updated_at, settled_at)
    select school_id, overlay(${id(mark, 'n')}::text placing '9' from 20)::uuid, ${id(mark, 'n')}, member_id, 'test', 1900, 'EUR',
      ${status === 'active' ? "'succeeded', 1900" : "'failed', 0"}, 'EUR', at, at, at
    from buyer
  `

// The first period runs: it was paid, or its payment has failed.
const insert = ({ mark, status, payment, payments, who, hasOrder }: Kind): string => `
  with buyer as (
    select m.school_id, m.id as member_id, p.id as plan_id, p.name, stoa.now() - interval '1 hour' as at,
      row_number() over (order by m.school_id, m.email_folded collate "C") as n,
      (select r.id from plan_prices r where r.school_id = p.school_id and r.plan_id = p.id and r."interval" = 'month') as price_id
    from members m join membership_plans p on p.school_id = m.school_id and p.slug = 'bakers-club' where ${who}
${hasOrder ? order(mark, status) : ''}  ), method as (
    insert into payments (school_id, id, order_id, member_id, provider, amount, currency, state, saves, setup_for, paid_currency,
      created_at, updated_at, settled_at)
    select school_id, ${id(mark, 'n')}, null, member_id, 'test', 0, 'EUR', 'succeeded', true, ${id(mark, 'n')}, 'EUR', at, at, at
    from buyer
  ), saved as (
    insert into payment_methods (school_id, id, member_id, provider, payment_id, customer_ref, method_ref, brand, last4, expires,
      created_at)
    select school_id, ${id(mark, 'n')}, member_id, 'test', ${id(mark, 'n')}, 'customer', 'works', 'Test', '4242', '12/99', at from buyer
  ), subscribed as (
    insert into subscriptions (school_id, id, member_id, item_type, item_id, name, price_id, price, access, tax_class, status,
      collection, provider, method_id, started_at, anchor_local, anchor_zone, zones, current_number, current_from,
      current_until, next_charge_at, payments_made, past_due_since, retry_at, source, created_at, updated_at)
    select school_id, ${id(mark, 'n')}, member_id, 'membership_plan', plan_id, name, price_id,
      jsonb_build_object('payment_type', '${payment}', 'amount', 1900, 'currency', 'EUR', 'interval', 'month', 'interval_count', 1,
        'number_of_payments', ${payments}::integer, 'trial_days', null, 'access_days', null, 'access_until', null,
        'enrollment_cap', null), '{"forSubscription": true}', 'standard', '${status}', 'automatic', 'test', ${id(mark, 'n')}, at,
      to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS'), 'UTC', $1, 1, at, at + interval '1 month',
      ${status === 'active' ? "at + interval '1 month', 1, null::timestamptz, null::timestamptz" : "null, 0, at, at + interval '40 days'"},
      'checkout', at, at
    from buyer
  )
  insert into subscription_periods (school_id, id, subscription_id, number, period_from, period_until, amount, currency, order_id,
    state, attempts, settled_at, created_at, updated_at)
  select school_id, ${id(mark, 'n')}, ${id(mark, 'n')}, 1, at, at + interval '1 month', 1900, 'EUR', ${hasOrder ? id(mark, 'n') : 'null'},
    ${status === 'active' ? "'paid', 1, at" : "'failed', 1, null::timestamptz"}, at, at
  from buyer`

const everybody = "m.status = 'active'"
const femi = "m.email like 'femi@%'"

/**
 * Adds to everybody in the demo data a subscription and a payment plan, which are charged to a saved card, and to one person one
 * whose payment has failed and one whose first order was paid; members may pause theirs. Nothing is due while tests run, and no
 * access is given.
 */
export const subscribeAll = async ({ query }: Pick<TestDatabase, 'query'>): Promise<void> => {
  const kinds: readonly Kind[] = [
    { mark: '8001', status: 'active', payment: 'payment_plan', payments: 3, who: everybody, hasOrder: false },
    { mark: '8002', status: 'active', payment: 'subscription', payments: null, who: everybody, hasOrder: false },
    { mark: '8003', status: 'past_due', payment: 'subscription', payments: null, who: femi, hasOrder: true },
    { mark: '8004', status: 'active', payment: 'subscription', payments: null, who: femi, hasOrder: true },
  ]
  for (const kind of kinds) await query(insert(kind), [zonesEdition])
  await query(`
    insert into school_selling as w (school_id, legal, tax, checkout, subscriptions, comments, revision, updated_at)
    select id, '{}', '{}', '{}', '{"members_may_pause": true}', '{}', 2, stoa.now() - interval '1 hour' from schools
    on conflict (school_id) do update set subscriptions = w.subscriptions || excluded.subscriptions`)
}
