import { addCodes, addCoupon, type NewCoupon } from '#src/areas/shop/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Database } from '#src/contract/db.ts'
import { getSchool } from '#src/db/schools.ts'
import { dayAt, daysAfter } from '#src/kit/local-time.ts'
import { hasRows } from '../queries.ts'

type CouponPlan = {
  readonly code: string
  readonly input: NewCoupon
}

const welcome: CouponPlan = {
  code: 'WELCOME-10',
  input: { name: 'Welcome', kind: 'percent', percent_off: '10', max_per_member: 1, note: 'On every flyer' },
}

const summer: CouponPlan = {
  code: 'SUMMER20',
  input: { name: 'Summer', kind: 'percent', percent_off: '20', note: 'On the posters of the bakery' },
}

const firstBatch: CouponPlan = {
  code: 'FIRSTBATCH',
  input: { name: 'First batch', kind: 'percent', percent_off: '50', max_redemptions: 1 },
}

const harvestUntil = (today: string): CouponPlan => ({
  code: 'HARVEST',
  input: {
    name: 'Harvest week',
    kind: 'percent',
    percent_off: '25',
    starts_on: daysAfter(today, -14),
    ends_on: daysAfter(today, -7),
  },
})

const addPlanned = async (context: TransactionContext, { code, input }: CouponPlan): Promise<void> => {
  const coupon = await addCoupon(context, input)
  await addCodes({ db: context.db, schoolId: context.school.id, now: context.now }, coupon, { code })
}

/**
 * Creates three coupons: one that is active, one that is over, and one that the first order uses up; for people who look at
 * the demo also one for the summer. Does nothing if there is one.
 */
export const createDemoCoupons = (database: Database, schoolId: string, isShown: boolean): Promise<boolean> =>
  database.transaction(schoolId, async (db, now) => {
    if (await hasRows(db, schoolId, 'coupons')) return false
    const where = { db, school: await getSchool(db, schoolId), now }
    const plans = [welcome, harvestUntil(dayAt(now, 'UTC')), firstBatch, ...(isShown ? [summer] : [])]
    for (const plan of plans) await addPlanned(where, plan)
    return true
  })
