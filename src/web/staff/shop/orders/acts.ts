import type { Language } from '#src/contract/language.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { revisionIn, typedAmount } from '#src/web/page/index.ts'
import type { OrderShown } from './waiting.ts'

/** What staff do on the page of an order. */
export const orderActs = ['confirm', 'undo', 'cancel', 'dispute', 'receipt', 'reissue', 'note'] as const

/** One of these. */
export type OrderAct = (typeof orderActs)[number]

/** The minor units that somebody typed, more than none; undefined for an empty field. */
export const positiveAmount = (text: string, field: Parameters<typeof typedAmount>[1]): number | undefined => {
  if (text.trim() === '') return undefined
  const amount = typedAmount(text, field)
  if (amount === 0) refuseInvalid([{ pointer: field.pointer, code: 'amount', message: 'is not an amount' }])
  return amount
}

const received = (form: Pairs, { currency }: OrderShown, language: Language): Record<string, unknown> => {
  const amount = positiveAmount(formField(form, 'amount'), { pointer: '/amount', currency, language })
  const day = formField(form, 'received_on')
  return { ...(amount === undefined ? {} : { amount }), ...(day === '' ? {} : { received_on: day }) }
}

/** The text of a note of several lines; undefined where nothing was typed. */
export const typedNote = (form: Pairs): string | undefined => {
  const note = formField(form, 'note').replaceAll('\r\n', '\n').trim()
  return note === '' ? undefined : note
}

/** The fields of an address of a billing; the first and the city are required. */
export const addressFields = ['line1', 'line2', 'postal_code', 'city', 'region'] as const

/** The other fields of a billing. */
export const billingFields = ['name', 'company', 'country', 'tax_id'] as const

const line = (form: Pairs, name: string): string | null => formField(form, name).trim() || null

const billingIn = (form: Pairs): Record<string, unknown> => {
  const address = Object.fromEntries(addressFields.map(name => [name, line(form, name)]))
  const isEmpty = Object.values(address).every(value => value === null)
  const { line1, city } = address
  return {
    ...Object.fromEntries(billingFields.map(name => [name, line(form, name)])),
    // An address without its required lines is refused by the operation.
    address: isEmpty ? null : { ...address, line1: line1 ?? '', city: city ?? '' },
  }
}

type Call = Pick<PageCall<undefined>, 'operation' | 'body'>

const calls: Readonly<Record<OrderAct, (form: Pairs, order: OrderShown, language: Language) => Call>> = {
  confirm: (form, order, language) => ({ operation: 'confirmPayment', body: received(form, order, language) }),
  undo: () => ({ operation: 'unconfirmPayment' }),
  cancel: () => ({ operation: 'cancelOrder' }),
  dispute: () => ({ operation: 'acceptDispute' }),
  reissue: form => ({ operation: 'reissueInvoice', body: billingIn(form) }),
  receipt: () => ({ operation: 'resendReceipt' }),
  note: form => ({ operation: 'noteOrder', body: { note: typedNote(form) ?? null } }),
}

/** What a form of the page names. Refuses a form that names nothing. */
export const actOf = (form: Pairs): OrderAct => {
  const act = orderActs.find(name => name === formField(form, 'act'))
  if (act === undefined) throw new Refusal(formRefused, 'The form has no valid action.')
  return act
}

/** The call of an operation for a form; refused when the order has changed since the page was opened. */
export const callOf = (act: OrderAct, form: Pairs, order: OrderShown, language: Language): PageCall<undefined> => ({
  ...calls[act](form, order, language),
  params: { order_id: order.id },
  revision: revisionIn(form),
})
