import type { Language } from '#src/contract/language.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { formKeyIn, revisionIn, typedAmount } from '#src/web/page/index.ts'
import { numberOrNull } from '../../forms/values.ts'
import type { PlanShown } from './shown.ts'

type Call = Pick<PageCall<undefined>, 'operation' | 'body' | 'params' | 'revision' | 'formKey'>

/** The type of the plan, which decides its prices, and the money of the school. */
type Terms = { readonly planType: PlanShown['plan_type']; readonly currency: string; readonly language: Language }

const numberIn = (form: Pairs, name: string): number | undefined => numberOrNull(form, name) ?? undefined

const given = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

const priceIn = (form: Pairs, { planType, currency, language }: Terms): Record<string, unknown> => {
  const amount = typedAmount(formField(form, 'amount'), { pointer: '/amount', currency, language })
  const payments = numberIn(form, 'number_of_payments')
  const isRecurring = planType === 'recurring'
  const replaces = formField(form, 'replaces')
  const more = replaces === '' ? {} : { replaces }
  if (!isRecurring && payments === undefined)
    return { payment_type: amount === 0 ? 'free' : 'one_time', amount, ...more }
  return given({
    ...more,
    payment_type: isRecurring ? 'subscription' : 'payment_plan',
    amount,
    interval: formField(form, 'interval'),
    interval_count: numberIn(form, 'interval_count'),
    ...(isRecurring ? { trial_days: numberIn(form, 'trial_days') } : { number_of_payments: payments }),
  })
}

const price = (form: Pairs): string => formField(form, 'price')

const calls: Readonly<Record<string, (form: Pairs, terms: Terms) => Call>> = {
  publish: form => ({ operation: 'publishMembershipPlan', revision: revisionIn(form) }),
  unpublish: form => ({ operation: 'unpublishMembershipPlan', revision: revisionIn(form) }),
  archive: form => ({ operation: 'archiveMembershipPlan', revision: revisionIn(form) }),
  restore: form => ({ operation: 'unarchiveMembershipPlan', revision: revisionIn(form) }),
  delete: form => ({ operation: 'deleteMembershipPlan', revision: revisionIn(form) }),
  price: (form, terms) => ({ operation: 'createPlanPrice', body: priceIn(form, terms), ...formKeyIn(form) }),
  primary: form => ({ operation: 'setPrimaryPlanPrice', body: { price_id: price(form) }, revision: revisionIn(form) }),
  retire: form => ({ operation: 'archivePlanPrice', params: { price_id: price(form) } }),
  remove_picture: form => ({
    operation: 'updateMembershipPlan',
    body: { image_file_id: null },
    revision: revisionIn(form),
  }),
}

/** The call of an operation for a form about a plan. Refuses a form that names nothing. */
export const callOf = (form: Pairs, planId: string, terms: Terms): PageCall<undefined> => {
  const act = formField(form, 'act')
  const call = Object.hasOwn(calls, act) ? calls[act]?.(form, terms) : undefined
  if (call === undefined) throw new Refusal(formRefused, 'The form has no valid action.')
  return { ...call, params: { plan_id: planId, ...call.params } }
}
