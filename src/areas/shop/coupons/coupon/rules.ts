import { type FieldError, problem, Refusal } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { fromId, type IdPrefix, toId } from '#src/kit/ids.ts'
import { parsePercent } from '#src/kit/money.ts'
import { buildDefaults, merged, picked } from '#src/kit/patch.ts'
import { cleanLine, cleanTags } from '#src/kit/text.ts'
import type { CouponItem, CouponRow, CouponValues } from './queries.ts'
import { type CouponInput, CouponSettings } from './schema.ts'

/** Orders hold the coupon or used it. */
export const couponInUse = problem(
  409,
  'coupon_in_use',
  'The coupon is in use',
  'Orders hold this coupon or have used it, so its value cannot change, and it cannot be deleted. Only `name`, `ends_on`, `max_redemptions`, `active` and `note` change now. Archive the coupon and create another one instead.',
)

const BLANK: CouponValues = { ...buildDefaults(CouponSettings), name: '', kind: 'percent', percent_off: null }

// Fields that go with one value of another field, and are empty otherwise.
const DEPENDENT = [
  ['percent_off', 'kind', 'percent'],
  ['amount_off', 'kind', 'fixed'],
  ['trial_days', 'kind', 'free_trial'],
  ['items', 'applies_to', 'items'],
  ['item_types', 'applies_to', 'types'],
  ['periods', 'duration', 'repeating'],
] as const satisfies readonly (readonly [keyof CouponValues, keyof CouponValues, string])[]

const AMOUNTS = ['amount_off', 'max_amount', 'minimum_amount'] as const satisfies readonly (keyof CouponValues)[]

const itemPrefixes: Readonly<Record<CouponItem['type'], IdPrefix>> = {
  course: 'crs',
  membership_plan: 'mpl',
  digital_product: 'dpr',
  ticket: 'tkt',
}

/** The id on the wire of an item. */
export const itemId = ({ type, id }: CouponItem): string => toId(itemPrefixes[type], id)

/** The UUID of an id of any kind of item. */
export const itemUuid = (id: string): string | undefined =>
  Object.values(itemPrefixes)
    .map(prefix => fromId(prefix, id))
    .find(uuid => uuid !== undefined)

/** The items of a request by their UUIDs, in order; refuses ids of another type. */
const parseItems = (items: CouponInput['items']): CouponItem[] => {
  const found = items.map(({ type, id }) => ({ type, id: fromId(itemPrefixes[type], id) ?? '' }))
  refuseInvalid(
    found.flatMap(({ type, id }, index) =>
      id === '' ? [fieldError(`/items/${index}/id`, 'unknown', `is not a ${words(type)}`)] : [],
    ),
  )
  return found.toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

const words = (name: string): string => name.replaceAll('_', ' ')

const hasAmounts = (values: CouponValues): boolean => AMOUNTS.some(name => values[name] !== null)

const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0)

const cleaned = ({ name, percent_off: percent, items, tags, member_ids: ids, ...input }: Partial<CouponInput>) => ({
  ...input,
  ...(name === undefined ? {} : { name: cleanLine(name, 120) }),
  ...(percent === undefined ? {} : { percent_off: percent === null ? null : (parsePercent(percent) ?? 0) }),
  ...(items === undefined ? {} : { items: parseItems(items) }),
  ...(tags === undefined ? {} : { tags: cleanTags(tags) }),
  ...(ids === undefined ? {} : { member_ids: ids.toSorted() }),
})

/**
 * The values of a coupon after a change. What does not go with a new kind, duration or choice of items is emptied, unless
 * the change names it; amounts are in the currency of the school unless they had one before.
 */
export const mergeCoupon = (before: CouponValues, input: Partial<CouponInput>, currency: string): CouponValues => {
  const values = merged<CouponValues>(before, cleaned(input))
  const emptied = DEPENDENT.filter(([field, of, value]) => values[of] !== value && input[field] === undefined)
  const whole = {
    ...values,
    ...picked(
      BLANK,
      emptied.map(([field]) => field),
    ),
  }
  const own = input.currency ?? before.currency ?? currency
  return { ...whole, currency: hasAmounts(whole) ? own : (input.currency ?? null) }
}

/** The values of a new coupon. */
export const newCoupon = (input: Partial<CouponInput>, currency: string): CouponValues =>
  mergeCoupon(BLANK, input, currency)

const fieldError = (pointer: string, code: string, message: string): FieldError => ({ pointer, code, message })

const errorsOfDependent = (values: CouponValues): FieldError[] =>
  DEPENDENT.flatMap(([field, of, value]) => {
    if (values[of] === value)
      return isEmpty(values[field]) ? [fieldError(`/${field}`, 'required', `goes with ${of} ${value}`)] : []
    return isEmpty(values[field]) ? [] : [fieldError(`/${field}`, 'unwanted', `goes with ${of} ${value} only`)]
  })

const errorsOfTrial = ({ kind, payment_types: types, max_amount: most }: CouponValues): FieldError[] => [
  ...(kind === 'free_trial' && types === 'one_time'
    ? [fieldError('/payment_types', 'recurring', 'a trial goes with recurring payments')]
    : []),
  ...(kind === 'free_trial' && most !== null
    ? [fieldError('/max_amount', 'unwanted', 'goes with coupons that take something off')]
    : []),
]

// PostgreSQL has no year 0.
const FIRST_DAY = '1900-01-01'

const errorsOfDays = ({ starts_on: first, ends_on: last }: CouponValues): FieldError[] => {
  const errors = (['starts_on', 'ends_on'] as const).flatMap(name => {
    const day = name === 'starts_on' ? first : last
    return day !== null && day < FIRST_DAY ? [fieldError(`/${name}`, 'range', 'is before 1900')] : []
  })
  const isReversed = first !== null && last !== null && last < first
  return isReversed ? [...errors, fieldError('/ends_on', 'order', 'is before starts_on')] : errors
}

const errorsOfItems = ({ items }: CouponValues): FieldError[] =>
  items.some(({ id }, index) => items[index - 1]?.id === id)
    ? [fieldError('/items', 'unique', 'names an item twice')]
    : []

// Amounts that stay may be in a currency that the school had before.
const errorsOfCurrency = (values: CouponValues, before: CouponValues | undefined, currency: string): FieldError[] => {
  const isTouched = ['currency' as const, ...AMOUNTS].some(name => values[name] !== before?.[name])
  if (values.currency === null || !isTouched) return []
  if (!hasAmounts(values)) return [fieldError('/currency', 'unwanted', 'goes with an amount')]
  return values.currency === currency ? [] : [fieldError('/currency', 'currency', `is not ${currency}`)]
}

/** The errors of the values of a new or changed coupon that fit their schema; empty when they can be stored. */
export const errorsOfCoupon = (values: CouponValues, before: CouponRow | undefined, currency: string): FieldError[] => {
  const { percent_off: percent, max_redemptions: most } = values
  const used = (before?.held ?? 0) + (before?.taken ?? 0)
  return [
    ...errorsOfDependent(values),
    ...(percent !== null && percent === 0 ? [fieldError('/percent_off', 'range', 'is 0')] : []),
    ...errorsOfTrial(values),
    ...errorsOfDays(values),
    ...errorsOfItems(values),
    ...errorsOfCurrency(values, before, currency),
    ...(most !== null && most < used ? [fieldError('/max_redemptions', 'used', `is used ${used} times already`)] : []),
  ]
}

// What changes while orders hold the coupon, and once they used it.
const ALWAYS_FREE: readonly (keyof CouponValues)[] = ['name', 'ends_on', 'max_redemptions', 'active', 'note']

/** Refuses a change of the value of a coupon that orders hold or used. */
export const checkUnused = (row: CouponRow, fields: readonly (keyof CouponValues)[]): void => {
  if (row.held === 0 && row.first_taken_at === null) return
  const fixed = fields.filter(field => !ALWAYS_FREE.includes(field))
  if (fixed.length > 0) throw new Refusal(couponInUse, `Orders hold or used this coupon, so ${fixed.join(', ')} stays.`)
}
