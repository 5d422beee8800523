import { openInBundle } from '#src/areas/learning/index.ts'
import { addPlan, addPlanPrice, planStatus } from '#src/areas/memberships/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Database } from '#src/contract/db.ts'
import { getSchool } from '#src/db/schools.ts'
import { dayAt, daysAfter } from '#src/kit/local-time.ts'
import type { DemoMedia } from '../files/media.ts'
import { findBySlug, hasRows } from '../queries.ts'

// Those at the end are only in the demo for people.
const COURSES = [
  ...(['first-loaf', 'sourdough-from-scratch', 'bread-without-an-oven'] as const),
  ...(['baguettes-at-home', 'keep-your-starter-alive', 'croissants-layer-by-layer', 'broa-de-milho'] as const),
]
const BASICS = ['bread-without-an-oven', 'keep-your-starter-alive', 'baguettes-at-home'] as const

// Opens those of some courses that the school has, one after the other.
const openCourses = async (context: TransactionContext, planId: string, slugs: readonly string[]): Promise<void> => {
  for (const [index, slug] of slugs.entries()) {
    const id = await findBySlug(context.db, context.school.id, 'courses', slug)
    if (id === undefined) continue
    const then = { ...context, now: new Date(context.now.getTime() + index) }
    await openInBundle(then, { bundle: { type: 'membership_plan', id: planId }, item: { type: 'course', id } })
  }
}

/**
 * Adds plans to a school without any: a club that is paid by the month or the year and opens courses and a product, a plan
 * that is bought once, and the draft of a summer school with a last day.
 */
export const createDemoPlans = async (
  database: Database,
  schoolId: string,
  pictures?: DemoMedia['pictures'],
): Promise<void> => {
  if (await database.statements(schoolId, db => hasRows(db, schoolId, 'membership_plans'))) return
  await database.transaction(schoolId, async (db, now) => {
    const where = { db, school: await getSchool(db, schoolId), now }
    const club = await addPlan(where, {
      name: 'Bakers’ club',
      slug: 'bakers-club',
      plan_type: 'recurring',
      description: 'Everything that we teach, for as long as you bake with us.',
      benefits: ['Every course on bread', 'The sourdough workbook', 'Posts from behind the counter'],
      opens_posts: true,
      image_file_id: pictures?.club ?? null,
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
    await openCourses(where, club, COURSES)
    const workbook = await findBySlug(db, schoolId, 'digital_products', 'sourdough-workbook')
    const last = { ...where, now: new Date(now.getTime() + COURSES.length) }
    if (workbook !== undefined) await openInBundle(last, { bundle, item: { type: 'digital_product', id: workbook } })
    await planStatus.store(db, schoolId, club, { status: 'active' })
    const basics = await addPlan(
      { ...where, now: later },
      {
        name: 'Baking basics',
        plan_type: 'lifetime',
        description: 'What everybody should know who bakes at home.',
        benefits: ['A course to begin with', 'Yours without an end'],
        image_file_id: pictures?.basics ?? null,
      },
    )
    const priceOfBasics = { payment_type: 'one_time', amount: 4900 } as const
    await addPlanPrice({ db, schoolId, now }, { id: basics, primary_price_id: null }, priceOfBasics)
    await openCourses(where, basics, BASICS)
    await planStatus.store(db, schoolId, basics, { status: 'active' })
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
