import type { Static } from 'typebox'
import { MembershipPlan } from '#src/areas/memberships/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { fill, type Language } from '#src/contract/language.ts'
import { formatMoney } from '#src/kit/format.ts'
import type { StaffContext } from '../../audience.ts'
import { plansText as text } from './text.ts'

/** A plan as pages get it. */
export type PlanShown = Encoded<Static<typeof MembershipPlan>>

/** A price of a plan. */
export type PriceShown = PlanShown['prices'][number]

/** The address of a plan among the pages of the staff. */
export const planPath = (id: string): string => `/staff/plans/${id}`

/** The parameters of the operations on the plan of a page. */
export const paramsOf = ({ request }: StaffContext) => ({ plan_id: request.params.id ?? '' })

/** The plan of a page. */
export const getPlan = (context: StaffContext): Promise<PlanShown> =>
  context.call({ operation: 'getMembershipPlan', params: paramsOf(context), returns: MembershipPlan })

/** A price in words, such as `€19.00 per month · 14 days free`. */
export const priceOf = (price: PriceShown, language: Language): string => {
  const { amount, currency, interval, interval_count: n, number_of_payments: payments, trial_days: trial } = price
  const period = interval === null ? undefined : text.intervals[interval][n === 1 ? 'one' : 'other']
  const money = amount === 0 ? fill(text.free, language) : formatMoney(amount, currency, language)
  return [
    period === undefined ? money : `${money} ${fill(period, language, { n: n ?? 1 })}`,
    ...(payments === null ? [] : [fill(text.payments, language, { n: payments })]),
    ...(trial === null ? [] : [fill(text.trial, language, { n: trial })]),
  ].join(' · ')
}
