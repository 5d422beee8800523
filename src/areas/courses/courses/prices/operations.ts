import { priced, priceView } from '#src/areas/school/index.ts'
import { canManageCourse, getCourse, lockCourse } from '../course/access.ts'
import { Course, CourseRef } from '../course/schema.ts'
import { courseView } from '../course/views.ts'
import { mayUseCourse } from '../hooks.ts'
import { coursePrices } from './conditions.ts'
import { takenSeats } from './lookups.ts'
import { seatsLeft } from './rules.ts'

/** The operations of prices, in the order of the documentation. */
export const priceOperations = priced(
  { table: coursePrices, name: 'course', prefix: 'crs' },
  {
    ids: { item: 'Course', primary: 'setPrimaryPrice' },
    called: { item: 'course', price: 'price' },
    path: '/courses/:course_id',
    params: CourseRef,
    returns: Course,
    scopes: { reads: 'courses:read', writes: 'courses:write' },
    example: { course_id: 'slug:sourdough-from-scratch' },
    descriptions: {
      list: 'Lists the prices of a course with the seats left; with a token, also whether the person already has access. Those who manage the course see retired prices too. The seat limit applies to buyers, not to people whom staff enroll.',
      create:
        'Offers a course at a new price. Prices never change: `replaces` retires an earlier price at the same moment, and those who bought at it keep what they bought.',
      archive:
        'Stops selling a course at a price. Those who bought at it keep what they bought. If it was the primary price, the oldest price on sale becomes primary.',
    },
    newPrice: { payment_type: 'one_time', amount: 6900, access: { days: 365 } },
    get: getCourse,
    lock: lockCourse,
    view: courseView,
    isManagedBy: (caller, course) => canManageCourse(caller, course),
    // Whoever has access would pay twice.
    hasAccess: async (context, { id }, memberId) =>
      (await mayUseCourse.call({ memberId, courseId: id }, context)).includes(true),
    async priceViews(context, rows, course) {
      const taken = await takenSeats(context, rows)
      return rows.map(row => priceView(row, course, seatsLeft(row, taken)))
    },
  },
)
