import type { PriceInput } from '#src/contract/price.ts'
import type { FieldError } from '#src/contract/problem.ts'
import type { PlanRow } from '../plan/queries.ts'

const unwanted = (pointer: string, message: string): FieldError => ({ pointer, code: 'unwanted', message })

/** The errors of a new price that only concern plans: subscriptions are for recurring plans, and access is the plan's. */
export const errorsOfPlanPrice = (
  { plan_type: type }: Pick<PlanRow, 'plan_type'>,
  { payment_type: payment, access, enrollment_cap: cap }: PriceInput,
): FieldError[] => {
  const isRecurring = type === 'recurring'
  return [
    ...(isRecurring && payment !== 'subscription'
      ? [unwanted('/payment_type', 'is subscription for a recurring plan')]
      : []),
    ...(!isRecurring && payment === 'subscription'
      ? [unwanted('/payment_type', `is for recurring plans: use free, one_time or payment_plan for ${type}`)]
      : []),
    ...(access === undefined ? [] : [unwanted('/access', 'is decided by the plan')]),
    ...(cap === undefined ? [] : [unwanted('/enrollment_cap', 'is for courses only')]),
  ]
}
