import type { Static } from 'typebox'
import type { Coupon } from '#src/areas/shop/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { formatPercent } from '#src/kit/format.ts'
import { texts } from '#src/texts/index.ts'
import type { PageContext } from '#src/web/page/index.ts'

const { off, trial } = texts.staff.coupons.common

/** A coupon as pages get it. */
export type CouponShown = Encoded<Static<typeof Coupon>>

/** What a coupon takes off or adds, such as `20% off`. */
export const formatWorth = (
  { percent_off, amount_off, currency, trial_days }: CouponShown,
  { t, money, language }: Pick<PageContext, 't' | 'money' | 'language'>,
): string => {
  if (percent_off !== null) return t(off, { value: formatPercent(percent_off, language) })
  if (amount_off !== null && currency !== null) return t(off, { value: money(amount_off, currency) })
  return t(trial, { n: trial_days ?? 0 })
}

/** Whether orders hold or used a coupon, so that most of it cannot change. */
export const isUsed = ({ times_held, times_redeemed }: CouponShown): boolean => times_held > 0 || times_redeemed > 0
