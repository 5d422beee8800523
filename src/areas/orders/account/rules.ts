import { problem } from '#src/contract/problem.ts'

/** Another billing would change the tax. */
export const billingChangesTax = problem(
  409,
  'billing_changes_tax',
  'The billing would change the tax',
  'An order keeps the tax with which it was placed. Cancel the order and place it again with this country or tax id.',
)
