import type { Static } from 'typebox'
import type { Caller } from '#src/contract/caller.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { type AsCaller, operation } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { NewPrice, Price } from '#src/contract/price.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, refuseInvalid } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { canManageCourse, getCourse, lockCourse } from '../course/access.ts'
import type { CourseRow } from '../course/queries.ts'
import { Course, CourseRef } from '../course/schema.ts'
import { courseView } from '../course/views.ts'
import { mayUseCourse } from '../hooks.ts'
import { takenSeats } from './lookups.ts'
import { archivePrice, countPrices, findPrice, listPriceRows, type PriceRow, storePrimary } from './queries.ts'
import { priceArchived, tooManyPrices } from './rules.ts'
import { PricePage, PriceRef, PricesQuery, PrimaryPrice } from './schema.ts'
import { priceView } from './views.ts'
import { addPrice } from './writes.ts'

const sourdough = { course_id: 'slug:sourdough-from-scratch' }

const onSale = exampleFrom('prc', 'listCoursePrices', { having: { status: 'active' } })

// Whether the caller already has access, and would pay twice.
const accessOf = async ({ db, school, caller }: AsCaller<Caller>, course: CourseRow) => {
  if (caller.member === undefined) return {}
  const answers = await mayUseCourse.call({ memberId: caller.member.id, courseId: course.id }, { school, db })
  return { has_access: answers.includes(true) }
}

const priceShown = async (
  context: AsCaller<Caller>,
  row: PriceRow,
  course: Pick<CourseRow, 'primary_price_id'>,
): Promise<Static<typeof Price>> => priceView(row, course, await takenSeats(context, [row]))

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
    const { db, school, caller, params, query } = context
    const course = await getCourse(context, params.course_id)
    const page = parsePage(context)
    if (query.status === 'retired' && !canManageCourse(caller, course)) return { data: [], has_more: false }
    const filter = { courseId: course.id, status: canManageCourse(caller, course) ? query.status : ('active' as const) }
    const found = await listPriceRows(db, school.id, filter, page)
    const [taken, access] = await Promise.all([takenSeats(context, found), accessOf(context, course)])
    const listed = await buildPage(context, found, {
      positionOf: row => [row.id],
      viewsOf: rows => rows.map(row => priceView(row, course, taken)),
      total: () => countPrices(db, school.id, filter),
    })
    return { ...listed, ...access }
  },
})

const getPrice = async ({ db, school }: AsCaller<Caller>, course: CourseRow, id: string): Promise<PriceRow> => {
  const row = await findPrice(db, school.id, course.id, id)
  if (row === undefined) throw new Refusal(notFound, 'The course has no such price.')
  return row
}

// The replaced price must belong to the course and be active.
const retireReplaced = async (context: AsCaller<Caller>, course: CourseRow, id: string): Promise<string> => {
  const { db, school } = context
  const row = await findPrice(db, school.id, course.id, id)
  if (row === undefined)
    refuseInvalid([{ pointer: '/replaces', code: 'unknown', message: 'is not a price of this course' }])
  else if ((await archivePrice(db, school.id, row.id)) === undefined)
    throw new Refusal(priceArchived, 'The price to replace is already retired.')
  return row?.id ?? ''
}

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
    const { db, school, params, body, now, changed, record } = context
    const course = await lockCourse(context, params.course_id)
    const replaced = body.replaces === undefined ? undefined : await retireReplaced(context, course, body.replaces)
    const wasPrimary = replaced !== undefined && replaced === course.primary_price_id
    const remaining = wasPrimary ? { ...course, primary_price_id: null } : course
    const row = await addPrice({ db, schoolId: school.id, now }, remaining, body)
    const ids = [row.id, ...(replaced === undefined ? [] : [replaced])].map(id => toId('prc', id))
    changed({ ids: [...ids, toId('crs', course.id)], fields: ['prices'] })
    record({ type: 'price.created', payload: { course: toId('crs', course.id), price: toId('prc', row.id) } })
    if (replaced !== undefined)
      record({ type: 'price.archived', payload: { course: toId('crs', course.id), price: toId('prc', replaced) } })
    return priceShown(context, row, { primary_price_id: remaining.primary_price_id ?? row.id })
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
    const { db, school, params, changed, record } = context
    const course = await lockCourse(context, params.course_id)
    const row = await getPrice(context, course, params.price_id)
    const retired = await archivePrice(db, school.id, row.id)
    if (retired === undefined) return priceShown(context, row, course)
    const isKept = course.primary_price_id !== row.id
    const stored = await storePrimary(
      db,
      school.id,
      course.id,
      isKept ? (course.primary_price_id ?? undefined) : undefined,
    )
    const ids = [toId('prc', row.id), toId('crs', course.id)]
    changed({ ids, fields: ['status'] })
    record({ type: 'price.archived', payload: { course: toId('crs', course.id), price: toId('prc', row.id) } })
    return priceShown(context, retired, stored)
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
    const { db, school, params, body, requireMatch, changed, record } = context
    const course = await lockCourse(context, params.course_id)
    await requireMatch(course.revision, () => courseView(context, course))
    const row = await findPrice(db, school.id, course.id, body.price_id)
    if (row === undefined)
      refuseInvalid([{ pointer: '/price_id', code: 'unknown', message: 'is not a price of this course' }])
    if (row === undefined || row.id === course.primary_price_id) return courseView(context, course)
    if (row.status === 'retired') throw new Refusal(priceArchived, 'A retired price cannot be the primary price.')
    const stored = { ...course, ...(await storePrimary(db, school.id, course.id, row.id)) }
    changed({ ids: [toId('crs', course.id)], fields: ['primary_price'], revision: stored.revision })
    record({ type: 'course.updated', payload: { course: toId('crs', course.id), fields: ['primary_price'] } })
    return courseView(context, stored)
  },
})

/** The operations of prices, in the order of the documentation. */
export const priceOperations = [listCoursePrices, createCoursePrice, archiveCoursePrice, setPrimaryPrice]
