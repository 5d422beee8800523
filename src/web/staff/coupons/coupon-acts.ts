import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { formKeyIn, revisionOf } from '../form-fields.ts'

/** What staff do on the page of a coupon. */
export const couponActs = ['code', 'generate', 'stop', 'on', 'off', 'archive', 'unarchive', 'delete'] as const

/** One of these. */
export type CouponAct = (typeof couponActs)[number]

type Call = Pick<PageCall<undefined>, 'operation' | 'body' | 'params' | 'revision' | 'formKey'>

const generated = (form: Pairs): Record<string, unknown> => {
  const [count, prefix] = [formField(form, 'count').trim(), formField(form, 'prefix').trim()]
  if (!/^\d{1,6}$/.test(count)) refuseInvalid([{ pointer: '/count', code: 'integer', message: 'is not a number' }])
  return { count: Number(count), ...(prefix === '' ? {} : { prefix }) }
}

const calls: Readonly<Record<CouponAct, (form: Pairs) => Call>> = {
  code: form => ({
    operation: 'createCouponCodes',
    body: { code: formField(form, 'code').trim() },
    ...formKeyIn(form),
  }),
  generate: form => ({ operation: 'createCouponCodes', body: generated(form), ...formKeyIn(form) }),
  stop: form => ({ operation: 'stopCouponCode', params: { code_id: formField(form, 'code_id') } }),
  on: form => ({ operation: 'updateCoupon', body: { active: true }, revision: revisionOf(form) }),
  off: form => ({ operation: 'updateCoupon', body: { active: false }, revision: revisionOf(form) }),
  archive: form => ({ operation: 'archiveCoupon', revision: revisionOf(form) }),
  unarchive: form => ({ operation: 'unarchiveCoupon', revision: revisionOf(form) }),
  delete: form => ({ operation: 'deleteCoupon', revision: revisionOf(form) }),
}

/** What a form of the page names. Refuses a form that names nothing. */
export const actOf = (form: Pairs): CouponAct => {
  const act = couponActs.find(name => name === formField(form, 'act'))
  if (act === undefined) throw new Refusal(formRefused, 'The form has no valid action.')
  return act
}

/** The call of an operation for a form about a coupon. */
export const callOf = (act: CouponAct, form: Pairs, couponId: string): PageCall<undefined> => {
  const call = calls[act](form)
  return { ...call, params: { coupon_id: couponId, ...call.params } }
}
