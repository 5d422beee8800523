import type { Language } from '#src/contract/language.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { instantOf, isLocalTime } from '#src/kit/local-time.ts'
import { readWhole } from '#src/kit/typed-numbers.ts'
import { formKeyIn, revisionIn, typedAmount } from '#src/web/page/index.ts'

/** What staff do on the page of a product. */
const acts = [
  'publish',
  'schedule',
  'unpublish',
  'archive',
  'unarchive',
  'copy',
  'delete',
  'price',
  'primary',
  'retire',
] as const

// One of these.
type ProductAct = (typeof acts)[number]

type Call = Pick<PageCall<undefined>, 'operation' | 'body' | 'params' | 'revision' | 'formKey'>

/** The money and the time zone of the school. */
export type Terms = { readonly currency: string; readonly timeZone: string; readonly language: Language }

// A time as the input of a browser writes it, such as 2026-11-23T09:00.
const momentIn = (form: Pairs, { timeZone }: Terms): string => {
  const local = formField(form, 'at')
  if (!isLocalTime(local)) refuseInvalid([{ pointer: '/at', code: 'time', message: 'is not a time' }])
  return instantOf({ local, time_zone: timeZone }).toISOString()
}

const daysIn = (form: Pairs): Record<string, unknown> => {
  const days = readWhole(formField(form, 'days'), 5)
  if (formField(form, 'days').trim() === '') return {}
  if (days === undefined) refuseInvalid([{ pointer: '/access', code: 'integer', message: 'is not a number' }])
  return { access: { days } }
}

const priceIn = (form: Pairs, terms: Terms): Record<string, unknown> => {
  const amount = typedAmount(formField(form, 'amount'), { pointer: '/amount', ...terms })
  return { payment_type: amount === 0 ? 'free' : 'one_time', amount, ...daysIn(form) }
}

const price = (form: Pairs): string => formField(form, 'price')

const calls: Readonly<Record<ProductAct, (form: Pairs, terms: Terms) => Call>> = {
  publish: form => ({ operation: 'publishDigitalProduct', body: {}, revision: revisionIn(form) }),
  schedule: (form, terms) => ({
    operation: 'publishDigitalProduct',
    body: { at: momentIn(form, terms) },
    revision: revisionIn(form),
  }),
  unpublish: form => ({ operation: 'unpublishDigitalProduct', revision: revisionIn(form) }),
  archive: form => ({ operation: 'archiveDigitalProduct', revision: revisionIn(form) }),
  unarchive: form => ({ operation: 'unarchiveDigitalProduct', revision: revisionIn(form) }),
  copy: form => ({ operation: 'copyDigitalProduct', body: {}, ...formKeyIn(form) }),
  delete: form => ({ operation: 'deleteDigitalProduct', revision: revisionIn(form) }),
  price: (form, terms) => ({ operation: 'createProductPrice', body: priceIn(form, terms), ...formKeyIn(form) }),
  primary: form => ({
    operation: 'setPrimaryProductPrice',
    body: { price_id: price(form) },
    revision: revisionIn(form),
  }),
  retire: form => ({ operation: 'archiveProductPrice', params: { price_id: price(form) } }),
}

/** What a form of the page names. Refuses a form that names nothing. */
export const actOf = (form: Pairs): ProductAct => {
  const act = acts.find(name => name === formField(form, 'act'))
  if (act === undefined) throw new Refusal(formRefused, 'The form has no valid action.')
  return act
}

/** The call of an operation for a form about a product. */
export const callOf = (act: ProductAct, form: Pairs, productId: string, terms: Terms): PageCall<undefined> => {
  const call = calls[act](form, terms)
  return { ...call, params: { product_id: productId, ...call.params } }
}
