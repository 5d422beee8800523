import { readManySeries, type SeriesValues } from '#src/areas/analytics/index.ts'
import { teaches } from '#src/areas/courses/index.ts'
import { clockNow } from '#src/areas/learning/index.ts'
import { isAtLeast, isStaff } from '#src/contract/caller.ts'
import { guardPassed } from '#src/contract/guard.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { roleRequired } from '#src/contract/problems.ts'
import { ownSubjects } from '#src/contract/subject.ts'
import { dayAt, daysAfter } from '#src/kit/local-time.ts'
import { listNewOrders, listNewStudents } from './queries.ts'
import { type TodayValues, waitingKinds } from './schema.ts'
import { listWaiting } from './waiting.queries.ts'

const SALES = ['sales', 'orders_paid'] as const
const STAFF_FIGURES = ['active_learners', 'new_members', 'lesson_completions', 'paying_subscriptions'] as const
const TEACHING_FIGURES = ['active_learners', 'enrollments', 'lesson_completions', 'completions'] as const

type Points = SeriesValues['series'][number]['points']

const readPoints = (one: SeriesValues | undefined, currency: string | null) => {
  const found = one?.series.find(series => series.currency === currency)
  return { points: found?.points ?? [], previous: found?.previous?.points ?? [] }
}

const DAYS = 30

// Periods end today; they are shorter where the school began in them.
const atEnd = (points: Points, fromEnd: number): number | undefined => points.at(-1 - fromEnd)?.value

const buildSales = (all: readonly SeriesValues[], currency: string, today: string): TodayValues['sales'] => {
  const [sales, paid] = SALES.map(name => all.find(({ metric }) => metric === name))
  if (sales === undefined) return []
  const orders = readPoints(paid, null)
  const found = sales.series.flatMap(series => series.currency ?? [])
  return [currency, ...found.filter(one => one !== currency)].map(one => {
    const { points, previous } = readPoints(sales, one)
    const days = Array.from({ length: DAYS }, (_, at) => {
      const fromEnd = DAYS - 1 - at
      return {
        day: daysAfter(today, -fromEnd),
        amount: atEnd(points, fromEnd) ?? 0,
        previous: orders.previous.length > fromEnd ? (atEnd(previous, fromEnd) ?? 0) : null,
        orders: atEnd(orders.points, fromEnd) ?? 0,
        previous_orders: atEnd(orders.previous, fromEnd) ?? 0,
      }
    })
    return { currency: one, days }
  })
}

const buildFigure = ({ metric, series }: SeriesValues): TodayValues['figures'][number] => {
  const [first] = series
  const before = first?.previous
  return {
    metric,
    total: first?.total ?? 0,
    previous: before === undefined || before.points.length === 0 ? null : before.total,
    points: first?.points.map(({ value }) => value) ?? [],
  }
}

// Those who teach see what is of their courses, which the breakdown by courses is limited to.
const readFigures = (context: AsCaller, isOfStaff: boolean): Promise<SeriesValues[]> => {
  const names = isOfStaff ? [...STAFF_FIGURES, ...SALES] : TEACHING_FIGURES
  return readManySeries(
    context,
    names.map(metric => ({ metric, compare: 'previous', ...(isOfStaff ? {} : { breakdown: 'course' }) })),
  )
}

// Questions that nobody answered in a month do not wait for ever.
const ASKED_WITHIN_MS = 30 * 24 * 3_600_000

const NOTHING = { waiting: [], sales: [], figures: [], orders: [], students: [] } satisfies Partial<TodayValues>

/** What a caller has to know today; a lecturer who teaches nothing yet has nothing to know, and others are refused with 403. */
export const readToday = async (context: AsCaller): Promise<TodayValues> => {
  const { db, school, caller } = context
  const isOfStaff = isStaff(caller)
  const memberId = caller.member.id
  const isTeaching = isOfStaff || (await teaches(db, school.id, memberId))
  if (!isTeaching && !isAtLeast(caller.member.role, 'lecturer'))
    throw new Refusal(roleRequired, 'This is for staff and for lecturers.')
  guardPassed(db)
  if (!isTeaching) return { ...NOTHING, as_of: await clockNow(db) }
  const taughtBy = isOfStaff ? undefined : memberId
  const subjects = await ownSubjects.call({ caller }, { db, school })
  const asOf = await clockNow(db)
  const askedFrom = new Date(asOf.getTime() - ASKED_WITHIN_MS)
  const [waiting, series, orders, students] = await Promise.all([
    listWaiting(db, { schoolId: school.id, taughtBy, subjects, askedFrom }),
    readFigures(context, isOfStaff),
    isOfStaff ? listNewOrders(db, school.id) : [],
    listNewStudents(db, school.id, taughtBy),
  ])
  const place = ({ kind }: (typeof waiting)[number]): number => waitingKinds.indexOf(kind)
  return {
    as_of: asOf,
    waiting: waiting.toSorted((one, other) => place(one) - place(other)),
    sales: isOfStaff ? buildSales(series, school.currency, dayAt(asOf, school.timeZone)) : [],
    figures: series.filter(({ metric }) => !SALES.some(name => name === metric)).map(buildFigure),
    orders,
    students,
  }
}
