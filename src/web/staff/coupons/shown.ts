import type { Static } from 'typebox'
import type { Coupon } from '#src/areas/coupons/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { fill, type Language } from '#src/contract/language.ts'
import { amountIn } from '#src/web/account/index.ts'
import { couponsText as text } from './text.ts'

/** A coupon as pages get it. */
export type CouponShown = Encoded<Static<typeof Coupon>>

const TAGS = { en: 'en-GB', pt: 'pt-PT' } as const

/** What a coupon takes off or adds, such as `20% off`. */
export const worthOf = ({ percent_off, amount_off, currency, trial_days }: CouponShown, language: Language): string => {
  if (percent_off !== null) {
    const format = new Intl.NumberFormat(TAGS[language], { style: 'percent', maximumFractionDigits: 4 })
    return fill(text.off, language, { value: format.format(Number(percent_off) / 100) })
  }
  if (amount_off !== null && currency !== null)
    return fill(text.off, language, { value: amountIn(amount_off, currency, language) })
  return fill(text.trial, language, { n: trial_days ?? 0 })
}

/** How often a coupon or a code of it was used. */
export const usesOf = (n: number, language: Language): string => {
  const { never, once, times } = text.uses
  if (n === 0) return fill(never, language)
  return n === 1 ? fill(once, language) : fill(times, language, { n })
}

/** Whether orders hold or used a coupon, so that most of it cannot change. */
export const isUsed = ({ times_held, times_redeemed }: CouponShown): boolean => times_held > 0 || times_redeemed > 0
