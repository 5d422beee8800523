import type { Static } from 'typebox'
import {
  choosePrimary,
  createPrice,
  type PriceChange,
  type PricedKind,
  PricePage,
  PricesQuery,
  PrimaryPrice,
  priceArchived,
  priceList,
  priceView,
  retirePrice,
  tooManyPrices,
} from '#src/areas/school/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { type AsCaller, operation, type WriteContext } from '#src/contract/operation.ts'
import { NewPrice, Price } from '#src/contract/price.ts'
import { canManageCourse, getCourse, lockCourse } from '../course/access.ts'
import type { CourseRow } from '../course/queries.ts'
import { Course, CourseRef } from '../course/schema.ts'
import { courseView } from '../course/views.ts'
import { mayUseCourse } from '../hooks.ts'
import { coursePrices } from './conditions.ts'
import { takenSeats } from './lookups.ts'
import { seatsLeft } from './rules.ts'
import { PriceRef } from './schema.ts'

const sourdough = { course_id: 'slug:sourdough-from-scratch' }

const onSale = exampleFrom('prc', 'listCoursePrices', { having: { status: 'active' } })

// Whether the caller already has access, and would pay twice.
const accessOf = async ({ db, school, caller }: AsCaller<Caller>, course: CourseRow) => {
  if (caller.member === undefined) return {}
  const answers = await mayUseCourse.call({ memberId: caller.member.id, courseId: course.id }, { school, db })
  return { has_access: answers.includes(true) }
}

const courseKind: PricedKind = { table: coursePrices, name: 'course', prefix: 'crs' }

const recorded = async (context: WriteContext, done: PriceChange): Promise<Static<typeof Price>> => {
  const { row, change, facts } = done
  if (change !== undefined) context.changed(change)
  for (const fact of facts) context.record(fact)
  return priceView(row, done, seatsLeft(row, await takenSeats(context, [row])))
}

const listCoursePrices = operation({
  id: 'listCoursePrices',
  route: 'GET /courses/:course_id/prices',
  summary: "List a course's prices",
  description:
    'Lists the prices of a course with the seats left; with a token, also whether the person already has access. Those who manage the course see retired prices too. The seat limit applies to buyers, not to people whom staff enroll.',
  scope: 'courses:read',
  who: 'anyone',
  mode: 'read',
  params: CourseRef,
  query: PricesQuery,
  returns: PricePage,
  example: { params: sourdough },
  async handle(context) {
    const { caller, params } = context
    const course = await getCourse(context, params.course_id)
    const of = { itemId: course.id, isManager: canManageCourse(caller, course) }
    const [listed, access] = await Promise.all([
      priceList(context, coursePrices, of, async rows => {
        const taken = await takenSeats(context, rows)
        return rows.map(row => priceView(row, course, seatsLeft(row, taken)))
      }),
      accessOf(context, course),
    ])
    return { ...listed, ...access }
  },
})

const createCoursePrice = operation({
  id: 'createCoursePrice',
  route: 'POST /courses/:course_id/prices',
  summary: 'Create a price',
  description:
    'Offers a course at a new price. Prices never change: `replaces` retires an earlier price at the same moment, and those who bought at it keep what they bought.',
  scope: 'courses:write',
  who: 'staff',
  mode: 'write',
  params: CourseRef,
  body: NewPrice,
  returns: Price,
  status: 201,
  fails: [priceArchived, tooManyPrices],
  example: { params: sourdough, body: { payment_type: 'one_time', amount: 6900, access: { days: 365 } } },
  async handle(context) {
    const { params, body } = context
    const course = await lockCourse(context, params.course_id)
    return recorded(context, await createPrice(context, courseKind, course, body))
  },
})

const archiveCoursePrice = operation({
  id: 'archiveCoursePrice',
  route: 'DELETE /courses/:course_id/prices/:price_id',
  summary: 'Retire a price',
  description:
    'Stops selling a course at a price. Those who bought at it keep what they bought. If it was the primary price, the oldest price on sale becomes primary.',
  scope: 'courses:write',
  who: 'staff',
  mode: 'write',
  params: PriceRef,
  returns: Price,
  example: { params: { ...sourdough, price_id: onSale } },
  async handle(context) {
    const { params } = context
    const course = await lockCourse(context, params.course_id)
    return recorded(context, await retirePrice(context, courseKind, course, params.price_id))
  },
})

const setPrimaryPrice = operation({
  id: 'setPrimaryPrice',
  route: 'PUT /courses/:course_id/primary-price',
  summary: 'Set the primary price',
  description: 'Selects the price of a course that is shown first.',
  scope: 'courses:write',
  who: 'staff',
  mode: 'write',
  ifMatch: 'honoured',
  params: CourseRef,
  body: PrimaryPrice,
  returns: Course,
  fails: [priceArchived],
  example: { params: sourdough, body: { price_id: onSale } },
  async handle(context) {
    const { params, body, requireMatch, changed, record } = context
    const course = await lockCourse(context, params.course_id)
    await requireMatch(course.revision, () => courseView(context, course))
    const chosen = await choosePrimary(context, courseKind, course, body.price_id)
    if (chosen === undefined) return courseView(context, course)
    changed(chosen.change)
    record(chosen.fact)
    return courseView(context, { ...course, ...chosen.stored })
  },
})

/** The operations of prices, in the order of the documentation. */
export const priceOperations = [listCoursePrices, createCoursePrice, archiveCoursePrice, setPrimaryPrice]
