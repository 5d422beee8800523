import type { CouponInput } from '#src/areas/shop/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Act,
  box,
  choice,
  day,
  fieldsFor,
  line,
  money,
  optionalLine,
  optionalText,
  percent,
  whole,
  words,
} from '#src/web/page/index.ts'
import { type CouponShown, isUsed } from './shown.ts'

const { fields, acts } = texts.staff.coupons

type Body = Required<Encoded<CouponInput>>

/** The fields of the form of a coupon. */
export const couponFields = fieldsFor<Body>()(fields, {
  name: line({ most: 120 }),
  kind: choice(['percent', 'fixed', 'free_trial']),
  percent_off: percent({ when: ['kind', 'percent'] }),
  amount_off: money({ when: ['kind', 'fixed'] }),
  trial_days: whole({ when: ['kind', 'free_trial'] }),
  starts_on: day(),
  ends_on: day(),
  max_redemptions: whole(),
  max_per_member: whole(),
  minimum_amount: money(),
  max_amount: money(),
  tags: words({ most: 1100 }),
  payment_types: choice(['any', 'one_time', 'recurring']),
  duration: choice(['once', 'repeating', 'forever']),
  periods: whole({ when: ['duration', 'repeating'] }),
  first_purchase_only: box(),
  stackable: box(),
  returns_on_refund: box(),
  note: optionalText({ most: 2000 }),
})

/** What can change of a coupon that orders use. */
export const freeFields = ['name', 'ends_on', 'max_redemptions', 'note'] as const

/** What a new coupon begins with. */
export const blankCoupon = { kind: 'percent', payment_types: 'any', duration: 'once' } as const

const isArchived = ({ archived_at }: CouponShown): boolean => archived_at !== null

type Codes = { readonly code: string; readonly count: number | null; readonly prefix: string | null }

/** What staff do on the page of a coupon. Codes are stopped in their list. */
export const couponActs = {
  code: {
    operation: 'createCouponCodes',
    fields: fieldsFor<Codes>()(acts.code.fields, { code: line({ most: 64 }) }),
    isOnce: true,
    offered: coupon => !isArchived(coupon),
    opens: ({ code_count }) => code_count === 0,
  },
  generate: {
    operation: 'createCouponCodes',
    fields: fieldsFor<Codes>()(acts.generate.fields, { count: whole(), prefix: optionalLine({ most: 20 }) }),
    isOnce: true,
    offered: coupon => !isArchived(coupon),
  },
  stop: { operation: 'stopCouponCode', params: { code_id: 'code_id' }, offered: () => false },
  on: {
    operation: 'updateCoupon',
    body: { active: true },
    offered: coupon => !coupon.active && !isArchived(coupon),
  },
  off: {
    operation: 'updateCoupon',
    body: { active: false },
    offered: coupon => coupon.active && !isArchived(coupon),
  },
  archive: { operation: 'archiveCoupon', offered: coupon => !isArchived(coupon) },
  unarchive: { operation: 'unarchiveCoupon', offered: isArchived },
  delete: { operation: 'deleteCoupon', offered: coupon => !isUsed(coupon) },
} as const satisfies Readonly<Record<string, Act<CouponShown>>>
