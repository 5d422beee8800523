import { addCodes, addCoupon, applyCodes, holdRedemptions, takeRedemptions } from '#src/areas/coupons/index.ts'
import { listPricesOf } from '#src/areas/courses/index.ts'
import type { Database, Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { getSchool } from '#src/db/schools.ts'
import { newUuid } from '#src/kit/ids.ts'
import { dayAt, daysAfter } from '#src/kit/local-time.ts'
import { findCourseId, findMemberId, hasCoupons } from './queries.ts'

type Where = { readonly db: Db; readonly school: School; readonly now: Date }

type CouponPlan = {
  readonly code: string
  readonly input: Parameters<typeof addCoupon>[1]
}

const welcome: CouponPlan = {
  code: 'WELCOME-10',
  input: { name: 'Welcome', kind: 'percent', percent_off: '10', max_per_member: 1, note: 'On every flyer' },
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

const addPlanned = async (where: Where, { code, input }: CouponPlan): Promise<void> => {
  const coupon = await addCoupon(where, input)
  await addCodes({ db: where.db, schoolId: where.school.id, now: where.now }, coupon, { code })
}

// The only use of the first batch, by Dev for the sourdough course.
const useFirstBatch = async (where: Where): Promise<void> => {
  const { db, school, now } = where
  const memberId = await findMemberId(db, school.id, 'dev@crumb.example')
  const courseId = await findCourseId(db, school.id, 'sourdough-from-scratch')
  if (memberId === undefined || courseId === undefined) return
  const [price] = await listPricesOf(db, school.id, [courseId])
  if (price === undefined) return
  const { id: priceId, amount, currency } = price
  const line = { lineId: newUuid(now.getTime()), item: { type: 'course', id: courseId } as const, priceId, amount }
  const request = { codes: [firstBatch.code], lines: [{ ...line, payment: price }], currency, memberId, now }
  const { applied } = await applyCodes(where, request)
  const orderId = newUuid(now.getTime())
  await holdRedemptions(where, { orderId, memberId, currency, applied })
  await takeRedemptions(where, { orderId })
}

/** Creates three coupons: one that is active, one that is over, and one that is used up. Does nothing if there is one. */
export const createDemoCoupons = (database: Database, schoolId: string): Promise<boolean> =>
  database.transaction(schoolId, async (db, now) => {
    if (await hasCoupons(db, schoolId)) return false
    const where = { db, school: await getSchool(db, schoolId), now }
    for (const plan of [welcome, harvestUntil(dayAt(now, 'UTC')), firstBatch]) await addPlanned(where, plan)
    await useFirstBatch(where)
    return true
  })
