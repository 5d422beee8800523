import type { Static } from 'typebox'
import { MembershipPlan } from '#src/areas/memberships/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { texts } from '#src/texts/index.ts'
import type { PageContext } from '#src/web/page/index.ts'
import { teachingText } from '../../teaching/text.ts'

const { common, planRefusals: own } = texts.staff.plans

/** A plan as pages get it. */
export type PlanShown = Encoded<Static<typeof MembershipPlan>>

/** A price of a plan. */
export type PriceShown = PlanShown['prices'][number]

/** The sentences for refusals on these pages, beside those of fields. */
export const planRefusals = { ...teachingText.refusals, ...own }

/** The address of the plan of a page among the pages of the staff. */
export const buildPath = ({ params }: PageContext): string => `/staff/plans/${params.id}`

/** The parameters of the operations on the plan of a page. */
export const readParams = ({ params }: PageContext) => ({ plan_id: params.id ?? '' })

/** The plan of a page. */
export const readPlan = (context: PageContext): Promise<PlanShown> =>
  context.call({ operation: 'getMembershipPlan', params: readParams(context), returns: MembershipPlan })

/** A price in words, such as `€19.00 per month · 14 days free`. */
export const formatPrice = (price: PriceShown, { t, money }: PageContext): string => {
  const { amount, currency, interval, interval_count: n, number_of_payments: payments, trial_days: trial } = price
  const period = interval === null ? undefined : common.intervals[interval]
  const sum = amount === 0 ? t(texts.words.free) : money(amount, currency)
  return [
    period === undefined ? sum : `${sum} ${t(period, { n: n ?? 1 })}`,
    ...(payments === null ? [] : [t(common.payments, { n: payments })]),
    ...(trial === null ? [] : [t(common.trial, { n: trial })]),
  ].join(' · ')
}
