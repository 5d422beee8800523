import { refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { decimalAmount, parseAmount } from '#src/kit/money.ts'
import { itemTypeOf } from '../items.ts'
import type { CouponShown } from './shown.ts'

/** The kinds of items that a coupon may be limited to. */
export const itemTypes = ['course', 'digital_product', 'membership_plan', 'ticket'] as const

type Body = Record<string, unknown>

const textOf = (form: Pairs, name: string): string => formField(form, name).replaceAll('\r\n', '\n').trim()

const orNull = (text: string): string | null => (text === '' ? null : text)

const wholeNumber = (form: Pairs, name: string): number | null => {
  const text = textOf(form, name)
  if (text === '') return null
  if (!/^\d{1,10}$/.test(text)) refuseInvalid([{ pointer: `/${name}`, code: 'integer', message: 'is not a number' }])
  return Number(text)
}

const amount = (form: Pairs, name: string, currency: string): number | null => {
  const text = textOf(form, name)
  if (text === '') return null
  const parsed = parseAmount(text, currency)
  if (parsed === undefined) refuseInvalid([{ pointer: `/${name}`, code: 'amount', message: 'is not an amount' }])
  return parsed ?? null
}

/** What can change of a coupon that orders use. */
const alwaysFree = (form: Pairs): Body => ({
  name: textOf(form, 'name'),
  ends_on: orNull(textOf(form, 'ends_on')),
  max_redemptions: wholeNumber(form, 'max_redemptions'),
  note: orNull(textOf(form, 'note')),
})

// Of the three values only that of the kind is sent.
const valueIn = (form: Pairs, currency: string): Body => {
  const kind = formField(form, 'kind')
  if (kind === 'fixed') return { kind, amount_off: amount(form, 'amount_off', currency) }
  if (kind === 'free_trial') return { kind, trial_days: wholeNumber(form, 'trial_days') }
  return { kind, percent_off: orNull(textOf(form, 'percent_off').replace(',', '.')) }
}

const targetIn = (form: Pairs, itemIds: readonly string[]): Body => {
  if (itemIds.length > 0) return { applies_to: 'items', items: itemIds.map(id => ({ type: itemTypeOf(id), id })) }
  const types = itemTypes.filter(type => formField(form, `type_${type}`) === 'yes')
  return types.length === 0 ? { applies_to: 'all' } : { applies_to: 'types', item_types: types }
}

const durationIn = (form: Pairs): Body => {
  const duration = formField(form, 'duration')
  return duration === 'repeating' ? { duration, periods: wholeNumber(form, 'periods') } : { duration }
}

/** All settings of a coupon that a form has, as the operations take them; `itemIds` are the items it is limited to. */
export const settingsIn = (form: Pairs, itemIds: readonly string[], currency: string): Body => ({
  ...alwaysFree(form),
  ...valueIn(form, currency),
  ...targetIn(form, itemIds),
  ...durationIn(form),
  payment_types: formField(form, 'payment_types'),
  starts_on: orNull(textOf(form, 'starts_on')),
  max_per_member: wholeNumber(form, 'max_per_member'),
  max_amount: amount(form, 'max_amount', currency),
  minimum_amount: amount(form, 'minimum_amount', currency),
  first_purchase_only: formField(form, 'first_purchase_only') === 'yes',
  stackable: formField(form, 'stackable') === 'yes',
  returns_on_refund: formField(form, 'returns_on_refund') === 'yes',
  tags: textOf(form, 'tags')
    .split(',')
    .map(tag => tag.trim())
    .filter(tag => tag !== ''),
})

/** The settings that a form may change of a coupon that orders use. */
export const freeSettingsIn = alwaysFree

/** A coupon as a form shows it. */
export const formOfCoupon = (coupon: CouponShown): Pairs => {
  const { currency } = coupon
  const money = (value: number | null): string =>
    value === null || currency === null ? '' : decimalAmount(value, currency)
  const text = (value: string | number | null): string => (value === null ? '' : String(value))
  const box = (isChecked: boolean): string => (isChecked ? 'yes' : '')
  return [
    ['name', coupon.name],
    ['kind', coupon.kind],
    ['percent_off', text(coupon.percent_off)],
    ['amount_off', money(coupon.amount_off)],
    ['trial_days', text(coupon.trial_days)],
    ...coupon.item_types.map((type): [string, string] => [`type_${type}`, 'yes']),
    ['payment_types', coupon.payment_types],
    ['duration', coupon.duration],
    ['periods', text(coupon.periods)],
    ['starts_on', text(coupon.starts_on)],
    ['ends_on', text(coupon.ends_on)],
    ['max_redemptions', text(coupon.max_redemptions)],
    ['max_per_member', text(coupon.max_per_member)],
    ['max_amount', money(coupon.max_amount)],
    ['minimum_amount', money(coupon.minimum_amount)],
    ['first_purchase_only', box(coupon.first_purchase_only)],
    ['stackable', box(coupon.stackable)],
    ['returns_on_refund', box(coupon.returns_on_refund)],
    ['tags', coupon.tags.join(', ')],
    ['note', text(coupon.note)],
  ]
}

/** A new coupon as a form shows it. */
export const blankForm: Pairs = [
  ['kind', 'percent'],
  ['payment_types', 'any'],
  ['duration', 'once'],
]
