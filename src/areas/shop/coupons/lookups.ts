import type { SchoolContext } from '#src/contract/context.ts'
import type { Db } from '#src/contract/db.ts'
import { dayAt } from '#src/kit/local-time.ts'
import { computePercent } from '#src/kit/money.ts'
import { type CouponRow, listCouponsIn, readSchool } from './coupon/queries.ts'

/** Today in the school's time zone, by the database's clock. */
export const schoolDay = async ({ db, school }: SchoolContext): Promise<string> => {
  const { time_zone: zone, now } = await readSchool(db, school.id)
  return dayAt(now, zone)
}

/** What a coupon takes off each of a number of periods; null periods are all. */
export type PeriodTerms = Pick<CouponRow, 'id' | 'percent_off' | 'amount_off' | 'updated_at'> & {
  readonly periods: number | null
}

const PERIODS = { once: () => 1, repeating: ({ periods }: CouponRow) => periods ?? 1, forever: () => null } as const

/** What coupons take off the periods of the subscriptions that began with them. */
export const readPeriodTerms = async (
  db: Db,
  schoolId: string,
  couponIds: readonly string[],
): Promise<ReadonlyMap<string, PeriodTerms>> => {
  const rows = couponIds.length === 0 ? [] : await listCouponsIn(db, schoolId, couponIds)
  return new Map(
    rows.map(row => {
      const { id, percent_off, amount_off, updated_at, duration } = row
      return [id, { id, percent_off, amount_off, updated_at, periods: PERIODS[duration](row) }]
    }),
  )
}

/** What a coupon takes off the amount of one period. */
export const offPeriod = ({ percent_off: percent, amount_off: off }: PeriodTerms, amount: number): number =>
  percent === null ? Math.min(off ?? 0, amount) : computePercent(amount, percent)
