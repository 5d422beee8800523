import { accessChanged, countEntitled } from '#src/areas/access/index.ts'
import { courseFigures, seatsTaken } from '#src/areas/courses/index.ts'
import { memberErasure, memberMerge } from '#src/areas/members/index.ts'
import { implement } from '#src/contract/hook.ts'
import { personalData } from '#src/contract/personal-data.ts'
import { toId } from '#src/kit/ids.ts'
import { instant } from '#src/kit/instant.ts'
import { countEnrolled, type EnrollmentRow, listEnrollmentsOf, moveEnrollments } from './enrollments/queries.ts'
import { keepEnrolled } from './enrollments/writes.ts'
import { deletePendingEmails } from './pending/queries.ts'

const enrollmentRow = (row: EnrollmentRow) => ({
  id: toId('enr', row.id),
  course_id: toId('crs', row.course_id),
  source: row.source,
  percent_complete: row.percent_complete,
  completed_at: instant(row.completed_at),
  last_activity_at: instant(row.last_activity_at),
  created_at: row.created_at.toISOString(),
})

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  // Who may use a course now or later has a seat in it.
  implement(seatsTaken, ({ courseIds }, { db, school }) => countEntitled(db, school.id, 'course', courseIds)),
  implement(memberErasure, async ({ memberId }, { db, school }) => {
    await deletePendingEmails(db, school.id, memberId)
  }),
  implement(personalData, async ({ memberId }, { db, school }) => [
    { name: 'enrollments', rows: (await listEnrollmentsOf(db, school.id, memberId)).map(enrollmentRow) },
  ]),
  implement(accessChanged, ({ entitlements, now }, place) => keepEnrolled({ ...place, now }, entitlements)),
  implement(courseFigures, ({ courseIds }, { db, school }) => countEnrolled(db, school.id, courseIds)),
  implement(memberMerge, ({ fromId, intoId }, { db, school }) => moveEnrollments(db, school.id, fromId, intoId)),
]
