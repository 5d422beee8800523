import { isDeepStrictEqual } from 'node:util'
import type { BillingValues } from '#src/areas/shop/orders/index.ts'
import { problem } from '#src/contract/problem.ts'

/** Another billing would change the tax. */
export const billingChangesTax = problem(
  409,
  'billing_changes_tax',
  'The billing would change the tax',
  'An order keeps the tax with which it was placed. Cancel the order, or refund it, and place it again with this country or tax id.',
)

/** The fields of the billing that differ; the database stores the fields of an address in another order. */
export const changedBilling = (before: BillingValues, after: BillingValues): string[] =>
  Object.entries(after)
    .filter(([name, value]) => !isDeepStrictEqual(value, Object.entries(before).find(([one]) => one === name)?.[1]))
    .map(([name]) => name)
