import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { isDay, toInstant } from '#src/kit/local-time.ts'
import { chooseZone, formKeyIn, revisionIn } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'

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
const dayIn = (form: Pairs, name: string, { viewer }: StaffContext): string | undefined => {
  const day = typed(form, name)
  return isDay(day) ? toInstant({ local: `${day}T00:00`, time_zone: chooseZone(viewer) }).toISOString() : undefined
}

const cancellation = (form: Pairs, context: StaffContext): object => {
  const at = typed(form, 'at') === 'day' ? dayIn(form, 'day', context) : typed(form, 'at')
  if (at === undefined) refuseDay('/at')
  const reason = typed(form, 'reason')
  const credit = typed(form, 'credit')
  return {
    at,
    refund: typed(form, 'refund') || 'none',
    ...(credit === '' ? {} : { credit }),
    ...(reason === '' ? {} : { reason }),
  }
}

const pause = (form: Pairs, context: StaffContext): object => {
  const resumesAt = dayIn(form, 'until', context)
  return { access: typed(form, 'access') || 'stop', ...(resumesAt === undefined ? {} : { resumes_at: resumesAt }) }
}

const nextCharge = (form: Pairs, context: StaffContext): object => {
  const at = dayIn(form, 'day', context)
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

const calls: Readonly<Record<SubscriptionAct, (form: Pairs, context: StaffContext) => Call>> = {
  cancel: (form, context) => ({ operation: 'cancelSubscription', body: cancellation(form, context) }),
  keep: () => ({ operation: 'undoSubscriptionCancellation' }),
  payback: () => ({ operation: 'payCreditBack', body: {} }),
  drop: () => ({ operation: 'dropCredit' }),
  pause: (form, context) => ({ operation: 'pauseSubscription', body: pause(form, context) }),
  resume: () => ({ operation: 'resumeSubscription' }),
  next: (form, context) => ({ operation: 'setSubscriptionNextCharge', body: nextCharge(form, context) }),
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
export const readAct = (form: Pairs): SubscriptionAct => {
  const act = subscriptionActs.find(name => name === formField(form, 'act'))
  if (act === undefined) throw new Refusal(formRefused, 'The form has no valid action.')
  return act
}

/** The call of an operation for a form; refused when the subscription has changed since the page was opened. */
export const buildCall = (act: SubscriptionAct, form: Pairs, context: StaffContext): PageCall<undefined> => ({
  ...calls[act](form, context),
  params: { subscription_id: context.request.params.subscription ?? '' },
  revision: revisionIn(form),
})
