import { texts } from '#src/texts/index.ts'
import {
  type Act,
  choice,
  fieldsFor,
  line,
  money,
  type PageContext,
  selectOne,
  unlessEmpty,
  whole,
} from '#src/web/page/index.ts'
import { formatPrice, type PlanShown, type PriceShown } from './shown.ts'

const { acts } = texts.staff.plans

/** What staff do on the page of a plan, beside adding a price. Prices are shown first and ended in their list. */
export const planActs = {
  publish: { operation: 'publishMembershipPlan', offered: ({ status }) => status === 'draft' },
  unpublish: { operation: 'unpublishMembershipPlan', offered: ({ status }) => status === 'active' },
  archive: { operation: 'archiveMembershipPlan', offered: ({ status }) => status === 'active' },
  restore: { operation: 'unarchiveMembershipPlan', offered: ({ status }) => status === 'archived' },
  delete: {
    operation: 'deleteMembershipPlan',
    offered: ({ status, holder_count: holders = 0 }) => status === 'draft' && holders === 0,
  },
  primary: {
    operation: 'setPrimaryPlanPrice',
    fields: fieldsFor<{ price_id: string }>()(
      { price_id: { label: acts.primary.button } },
      { price_id: line({ most: 40 }) },
    ),
    offered: () => false,
  },
  retire: { operation: 'archivePlanPrice', params: { price_id: 'price' }, offered: () => false },
  remove_picture: { operation: 'updateMembershipPlan', body: { image_file_id: null }, offered: () => false },
} as const satisfies Readonly<Record<string, Act<PlanShown>>>

type PriceTyped = {
  amount: number | null
  number_of_payments?: number
  interval: 'month' | 'year' | 'week'
  interval_count?: number
  trial_days?: number
  replaces?: string
}

/** Adding a price: a plan that is paid again has subscriptions; the others may be paid in parts. It may end another price. */
export const priceActFor = ({ plan_type: type }: PlanShown, prices: readonly PriceShown[], context: PageContext) => {
  const { fields: said, each, none } = acts.price
  const isRecurring = type === 'recurring'
  const others = prices.map(price => ({ value: price.id, label: formatPrice(price, context) }))
  const fields = fieldsFor<PriceTyped>()(
    isRecurring ? { ...said, amount: { label: each, error: said.amount.error } } : said,
    {
      amount: money(),
      number_of_payments: unlessEmpty(whole()),
      interval: choice(['month', 'year', 'week']),
      interval_count: unlessEmpty(whole()),
      trial_days: unlessEmpty(whole()),
      replaces: unlessEmpty(selectOne([{ value: '', label: context.t(none) }, ...others])),
    },
  )
  return {
    operation: 'createPlanPrice',
    fields: {
      ...fields,
      rows: state =>
        fields.rows(state, [
          'amount',
          ...(isRecurring ? [] : (['number_of_payments'] as const)),
          ['interval', 'interval_count'],
          ...(isRecurring ? (['trial_days'] as const) : []),
          ...(prices.length > 0 ? (['replaces'] as const) : []),
        ]),
      body(form, reader) {
        const typed = fields.body(form, reader)
        if (isRecurring) return { payment_type: 'subscription', ...typed }
        if (typed.number_of_payments !== undefined) return { payment_type: 'payment_plan', ...typed }
        const once = fields.body(form, reader, ['amount', 'replaces'])
        return { payment_type: typed.amount === 0 ? 'free' : 'one_time', ...once }
      },
    },
    isOnce: true,
    offered: () => true,
  } as const satisfies Act<PlanShown>
}
