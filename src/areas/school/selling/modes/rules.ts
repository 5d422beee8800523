import { problem } from '#src/contract/problem.ts'

/** The sales of a real school are not deleted. */
export const testOnly = problem(
  409,
  'test_only',
  'Only a test school deletes its sales',
  'Orders, payments and invoices of a school in which real money moves are kept. Only what a test school has sold can be deleted.',
)
