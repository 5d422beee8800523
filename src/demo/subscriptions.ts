import { listPricesOf as listCoursePrices } from '#src/areas/courses/index.ts'
import { planPrices } from '#src/areas/membership-plans/index.ts'
import { listPricesOf } from '#src/areas/prices/index.ts'
import {
  addSubscription,
  insertPeriod,
  periodStart,
  saveSubscription,
  secondAt,
  storePeriodState,
  zonesEdition,
} from '#src/areas/subscriptions/index.ts'
import type { Database, Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { getSchool } from '#src/db/schools.ts'
import { newUuid } from '#src/kit/ids.ts'
import { findCourseId, findMemberId, findPlanId, hasSubscriptions } from './queries.ts'

type Where = { readonly db: Db; readonly school: School; readonly now: Date }

type Price = Awaited<ReturnType<typeof listPricesOf>>[number]

type Item = { readonly item_type: 'course' | 'membership_plan'; readonly item_id: string; readonly name: string }

const BEGINS_MS = 300 * 24 * 3600 * 1000

const baseOf = (memberId: string, item: Item, price: Price) => {
  const { payment_type, amount, currency, interval, interval_count, number_of_payments } = price
  return {
    ...{ ...item, member_id: memberId, price_id: price.id },
    price: {
      ...{ payment_type, amount, currency, interval, interval_count, number_of_payments, trial_days: null },
      ...{ access_days: null, access_until: null, enrollment_cap: null },
    },
    ...{ access: { forSubscription: true } as const, tax_class: 'standard' as const, source: 'staff' as const },
    zones: zonesEdition,
  }
}

const anchorAt = (instant: Date) => ({ anchor_local: secondAt(instant, 'UTC'), anchor_zone: 'UTC', anchor_number: 1 })

type Running = {
  readonly memberId: string
  readonly item: Item
  readonly price: Price
  readonly status: 'active' | 'past_due'
}

// One whose first period runs, paid by a card that nobody has saved: it gives nothing and moves no money for a year.
const addRunning = async (where: Where, { memberId, item, price, status }: Running): Promise<void> => {
  const { db, school, now } = where
  const yearly = { ...price, interval: 'year' as const, interval_count: 1 }
  const anchor = anchorAt(now)
  const [from, until] = [periodStart(anchor, yearly, 1), periodStart(anchor, yearly, 2)]
  const isPastDue = status === 'past_due'
  const added = await addSubscription(where, {
    ...baseOf(memberId, item, yearly),
    ...{ status: 'active', collection: 'automatic', provider: 'test', started_at: now, ...anchor },
    next_charge_at: until,
  })
  await saveSubscription(where, added, {
    ...{ current_number: 1, current_from: from, current_until: until },
    ...(isPastDue ? { status, past_due_since: now, next_charge_at: null } : {}),
  })
  const periodId = newUuid(now.getTime())
  await insertPeriod(
    db,
    school.id,
    {
      ...{ id: periodId, subscription_id: added.id, number: 1, period_from: from, period_until: until },
      ...{ amount: price.amount, currency: price.currency, credit_used: 0, order_id: null, attempts: 1 },
      state: 'asked',
    },
    now,
  )
  await storePeriodState(db, school.id, periodId, { state: isPastDue ? 'failed' : 'waived', attempts: 1, now })
}

const addPlanned = async (where: Where, memberId: string, item: Item, price: Price): Promise<void> => {
  const begins = new Date(where.now.getTime() + BEGINS_MS)
  const anchor = anchorAt(begins)
  await addSubscription(where, {
    ...baseOf(memberId, item, price),
    ...{ status: 'active', collection: 'manual', provider: 'manual', started_at: begins, ...anchor },
    next_charge_at: periodStart(anchor, price, 1),
  })
}

const planPriceOf = async ({ db, school }: Where, planId: string): Promise<Price | undefined> =>
  (await listPricesOf(db, school.id, planPrices, [planId])).find(one => one.interval === 'year')

/**
 * Adds subscriptions of Ada to a school without any. In the demo for people it is one to the club, which is paid by transfer and
 * begins in some months. In that of the tests there is an active and a past due one to the club, and a payment plan.
 */
export const createDemoSubscriptions = (database: Database, schoolId: string, isShown: boolean): Promise<boolean> =>
  database.transaction(schoolId, async (db, now) => {
    const planId = await findPlanId(db, schoolId, 'bakers-club')
    const memberId = await findMemberId(db, schoolId, 'ada@crumb.example')
    if (planId === undefined || memberId === undefined || (await hasSubscriptions(db, schoolId))) return false
    const where = { db, school: await getSchool(db, schoolId), now }
    const price = await planPriceOf(where, planId)
    if (price === undefined) return false
    const club = { item_type: 'membership_plan', item_id: planId, name: 'Bakers’ club' } as const
    if (isShown) {
      await addPlanned(where, memberId, club, price)
      return true
    }
    await addRunning(where, { memberId, item: club, price, status: 'active' })
    const later = { ...where, now: new Date(now.getTime() + 1) }
    const courseId = await findCourseId(db, schoolId, 'sourdough-from-scratch')
    const parts = (await listCoursePrices(db, schoolId, courseId === undefined ? [] : [courseId])).find(
      one => one.payment_type === 'payment_plan',
    )
    if (courseId !== undefined && parts !== undefined) {
      const item = { item_type: 'course', item_id: courseId, name: 'Sourdough from scratch' } as const
      await addRunning(later, { memberId, item, price: parts, status: 'active' })
    }
    const last = { ...where, now: new Date(now.getTime() + 2) }
    await addRunning(last, { memberId, item: club, price, status: 'past_due' })
    return true
  })
