import { hook } from '#src/contract/hook.ts'

/**
 * Called for what some plans earn in a month, in minor units of the currency of the school, by their ids; later areas that
 * charge holders answer.
 */
export const monthlyRevenue = hook<{ readonly planIds: readonly string[] }, ReadonlyMap<string, number>>(
  'monthlyRevenue',
)
