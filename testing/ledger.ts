import assert from 'node:assert/strict'
import type { TestDatabase } from './database.ts'

/** A rule about money that holds in every school after every test: a query for the rows that break it. */
type LedgerRule = { readonly name: string; readonly broken: string }

const LIVE = `r.status <> 'returned'`

const couponRules: readonly LedgerRule[] = [
  {
    name: 'a coupon counts its redemptions and what they take off',
    broken: `
      select c.id, c.held, c.taken, c.amount_held, c.amount_taken, f.*
      from coupons c cross join lateral (
        select count(*) filter (where r.status = 'held') as held_rows,
          count(*) filter (where r.status = 'taken') as taken_rows,
          coalesce(sum(r.amount) filter (where r.status = 'held'), 0) as held_sum,
          coalesce(sum(r.amount) filter (where r.status = 'taken'), 0) as taken_sum,
          count(*) filter (where r.taken_at is not null) as ever_taken
        from coupon_redemptions r where r.school_id = c.school_id and r.coupon_id = c.id) f
      where (c.held, c.taken, c.amount_held, c.amount_taken) <> (held_rows, taken_rows, held_sum, taken_sum)
        or (c.first_taken_at is null) <> (ever_taken = 0)`,
  },
  {
    name: 'no coupon is used more often, or takes off more, than it allows',
    broken: `
      select id from coupons
      where held + taken > max_redemptions or amount_held + amount_taken > max_amount`,
  },
  {
    name: 'each use of a coupon that limits the uses of a member has a number, and no other use has one',
    broken: `
      select r.id, r.slot, c.max_per_member
      from coupon_redemptions r join coupons c on c.school_id = r.school_id and c.id = r.coupon_id
      where (r.slot is not null) <> (${LIVE} and c.max_per_member is not null)`,
  },
  {
    name: 'a redemption is of the coupon of its code',
    broken: `
      select r.id from coupon_redemptions r join coupon_codes k on k.school_id = r.school_id and k.id = r.code_id
      where k.coupon_id <> r.coupon_id`,
  },
]

// Each area with money adds its rules.
const rules: readonly LedgerRule[] = [...couponRules]

/** Asserts that the books of every school add up. Call it after each test of an area with money. */
export const assertLedger = async ({ query }: Pick<TestDatabase, 'query'>): Promise<void> => {
  for (const { name, broken } of rules) assert.deepEqual(await query(broken), [], name)
}
