import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { instantOf, isDay } from '#src/kit/local-time.ts'
import { zoneOf } from '#src/web/page/index.ts'
import { formKeyIn, revisionOf } from '../../form-fields.ts'
import type { Visit } from '../../visit.ts'

/** What staff do on the page of a subscription. */
export const subscriptionActs = [
  'paid',
  'waive',
  'charge',
  'price',
  'pause',
  'resume',
  'next',
  'code',
  'uncode',
  'manual',
  'automatic',
  'cancel',
  'keep',
  'payback',
  'drop',
] as const

/** One of these. */
export type SubscriptionAct = (typeof subscriptionActs)[number]

type Call = Pick<PageCall<undefined>, 'operation' | 'body' | 'formKey'>

const typed = (form: Pairs, name: string): string => formField(form, name).trim()

const refuseDay = (pointer: string): void => refuseInvalid([{ pointer, code: 'day', message: 'is not a day' }])

// A day begins at midnight in the zone of the person.
const dayIn = (form: Pairs, name: string, { viewer }: Visit): string | undefined => {
  const day = typed(form, name)
  return isDay(day) ? instantOf({ local: `${day}T00:00`, time_zone: zoneOf(viewer) }).toISOString() : undefined
}

const cancellation = (form: Pairs, visit: Visit): object => {
  const at = typed(form, 'at') === 'day' ? dayIn(form, 'day', visit) : typed(form, 'at')
  if (at === undefined) refuseDay('/at')
  const reason = typed(form, 'reason')
  const credit = typed(form, 'credit')
  return {
    ...{ at, refund: typed(form, 'refund') || 'none' },
    ...(credit === '' ? {} : { credit }),
    ...(reason === '' ? {} : { reason }),
  }
}

const pause = (form: Pairs, visit: Visit): object => {
  const resumesAt = dayIn(form, 'until', visit)
  return { access: typed(form, 'access') || 'stop', ...(resumesAt === undefined ? {} : { resumes_at: resumesAt }) }
}

const nextCharge = (form: Pairs, visit: Visit): object => {
  const at = dayIn(form, 'day', visit)
  if (at === undefined) refuseDay('/at')
  return { at }
}

const newPrice = (form: Pairs): object => {
  const [when, proration, quote] = [typed(form, 'when'), typed(form, 'proration'), typed(form, 'quote')]
  return {
    price_id: typed(form, 'price_id'),
    ...(when === '' ? {} : { when }),
    ...(proration === '' ? {} : { proration }),
    ...(quote === '' || when === 'period_end' ? {} : { quote }),
  }
}

const calls: Readonly<Record<SubscriptionAct, (form: Pairs, visit: Visit) => Call>> = {
  cancel: (form, visit) => ({ operation: 'cancelSubscription', body: cancellation(form, visit) }),
  keep: () => ({ operation: 'undoSubscriptionCancellation' }),
  payback: () => ({ operation: 'payCreditBack', body: {} }),
  drop: () => ({ operation: 'dropCredit' }),
  pause: (form, visit) => ({ operation: 'pauseSubscription', body: pause(form, visit) }),
  resume: () => ({ operation: 'resumeSubscription' }),
  next: (form, visit) => ({ operation: 'setSubscriptionNextCharge', body: nextCharge(form, visit) }),
  price: form => ({ operation: 'setSubscriptionPrice', body: newPrice(form) }),
  charge: form => ({ operation: 'chargeSubscription', ...formKeyIn(form) }),
  code: form => ({ operation: 'setSubscriptionCode', body: { code: typed(form, 'code') } }),
  uncode: () => ({ operation: 'removeSubscriptionCode' }),
  paid: () => ({ operation: 'markSubscriptionPeriodPaid' }),
  waive: () => ({ operation: 'waiveSubscriptionPeriod', body: {} }),
  manual: () => ({ operation: 'setSubscriptionCollection', body: { collection: 'manual' } }),
  automatic: () => ({ operation: 'setSubscriptionCollection', body: { collection: 'automatic' } }),
}

/** What a form of the page names. Refuses a form that names nothing. */
export const actOf = (form: Pairs): SubscriptionAct => {
  const act = subscriptionActs.find(name => name === formField(form, 'act'))
  if (act === undefined) throw new Refusal(formRefused, 'The form has no valid action.')
  return act
}

/** The call of an operation for a form; refused when the subscription has changed since the page was opened. */
export const callOf = (act: SubscriptionAct, form: Pairs, visit: Visit): PageCall<undefined> => ({
  ...calls[act](form, visit),
  params: { subscription_id: visit.request.params.subscription ?? '' },
  revision: revisionOf(form),
})
