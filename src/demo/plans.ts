import { openInBundle } from '#src/areas/access/index.ts'
import { addPlan, addPlanPrice, storePlanStatus } from '#src/areas/membership-plans/index.ts'
import type { Database } from '#src/contract/db.ts'
import { getSchool } from '#src/db/schools.ts'
import { dayAt, daysAfter } from '#src/kit/local-time.ts'
import { findCourseId, findProductId, hasPlans } from './queries.ts'

const COURSES = ['first-loaf', 'sourdough-from-scratch', 'bread-without-an-oven'] as const

/**
 * Adds plans to a school without any: a club that is paid by the month or the year and opens courses and a product, and the
 * draft of a summer school with a last day.
 */
export const createDemoPlans = async (database: Database, schoolId: string): Promise<void> => {
  if (await database.statements(schoolId, db => hasPlans(db, schoolId))) return
  await database.transaction(schoolId, async (db, now) => {
    const where = { db, school: await getSchool(db, schoolId), now }
    const club = await addPlan(where, {
      name: 'Bakers’ club',
      slug: 'bakers-club',
      plan_type: 'recurring',
      description: 'Everything that we teach, for as long as you bake with us.',
      benefits: ['Every course on bread', 'The sourdough workbook', 'Posts from behind the counter'],
      opens_posts: true,
    })
    const [monthly, yearly] = [
      { amount: 1900, interval: 'month' } as const,
      { amount: 19_000, interval: 'year' } as const,
    ]
    const first = await addPlanPrice(
      { db, schoolId, now },
      { id: club, primary_price_id: null },
      { payment_type: 'subscription', trial_days: 14, ...monthly },
    )
    const later = new Date(now.getTime() + 1)
    const priced = { id: club, primary_price_id: first.id }
    await addPlanPrice({ db, schoolId, now: later }, priced, { payment_type: 'subscription', ...yearly })
    const bundle = { type: 'membership_plan', id: club } as const
    for (const slug of COURSES) {
      const id = await findCourseId(db, schoolId, slug)
      if (id !== undefined) await openInBundle(where, { bundle, item: { type: 'course', id } })
    }
    const workbook = await findProductId(db, schoolId, 'sourdough-workbook')
    if (workbook !== undefined) await openInBundle(where, { bundle, item: { type: 'digital_product', id: workbook } })
    await storePlanStatus(db, schoolId, club, 'active')
    await addPlan(
      { ...where, now: later },
      {
        name: 'Summer school',
        slug: 'summer-school',
        plan_type: 'fixed_date',
        ends_on: daysAfter(dayAt(now, 'UTC'), 180),
        description: 'All courses until the end of the summer.',
      },
    )
  })
}
