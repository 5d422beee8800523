import { courseFigures, seatsTaken } from '#src/areas/courses/index.ts'
import { accessChanged, countEntitled, revokeLine } from '#src/areas/learning/access/index.ts'
import { latestCourses } from '#src/areas/people/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { implement } from '#src/contract/hook.ts'
import { fulfil, unfulfil } from '#src/contract/offer.ts'
import { memberErasure, memberMerge, personalData } from '#src/contract/personal-data.ts'
import { toId } from '#src/kit/ids.ts'
import { instant } from '#src/kit/instant.ts'
import { fulfilCourse } from './enrollments/purchased.writes.ts'
import {
  countEnrolled,
  type EnrollmentRow,
  listLatest,
  listMemberEnrollments,
  moveEnrollments,
} from './enrollments/queries.ts'
import { countReserved } from './enrollments/seats.queries.ts'
import { keepEnrolled } from './enrollments/writes.ts'
import { deletePendingEmails } from './pending/queries.ts'

const enrollmentRow = (row: EnrollmentRow) => ({
  id: toId('enr', row.id),
  course_id: toId('crs', row.course_id),
  source: row.source,
  pending_email: row.pending_email,
  percent_complete: row.percent_complete,
  completed_at: instant(row.completed_at),
  last_activity_at: instant(row.last_activity_at),
  created_at: row.created_at.toISOString(),
})

// Who may use a course now or later has a seat in it, and so has everybody else for whom one is reserved.
const countSeats = async (
  { db, school }: SchoolContext,
  courseIds: readonly string[],
  exceptFor: string | undefined,
): Promise<ReadonlyMap<string, number>> => {
  const [entitled, reserved] = await Promise.all([
    countEntitled(db, school.id, 'course', courseIds),
    countReserved(db, school.id, courseIds, exceptFor),
  ])
  return new Map(courseIds.map(id => [id, (entitled.get(id) ?? 0) + (reserved.get(id) ?? 0)]))
}

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(seatsTaken, ({ courseIds, exceptFor }, context) => countSeats(context, courseIds, exceptFor)),
  implement(fulfil, async ({ now, ...line }, context) =>
    line.offer.item.type === 'course' ? fulfilCourse({ ...context, now }, line) : [],
  ),
  implement(unfulfil, ({ now, ...line }, context) => revokeLine({ ...context, now }, 'course', line)),
  implement(memberErasure, async ({ memberId }, { db, school }) => {
    await deletePendingEmails(db, school.id, memberId)
  }),
  implement(personalData, async ({ memberId }, { db, school }) => [
    { name: 'enrollments', rows: (await listMemberEnrollments(db, school.id, memberId)).map(enrollmentRow) },
  ]),
  implement(accessChanged, ({ entitlements, now }, context) => keepEnrolled({ ...context, now }, entitlements)),
  implement(courseFigures, ({ courseIds }, { db, school }) => countEnrolled(db, school.id, courseIds)),
  implement(latestCourses, ({ memberIds }, { db, school }) => listLatest(db, school.id, memberIds)),
  implement(memberMerge, ({ fromId, intoId }, { db, school }) => moveEnrollments(db, school.id, fromId, intoId)),
]
