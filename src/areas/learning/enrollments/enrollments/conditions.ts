import { coursesTaughtBy, learnedCourses } from '#src/areas/courses/index.ts'
import { type Access, accessIs } from '#src/areas/learning/access/index.ts'
import type { Statement } from '#src/contract/db.ts'
import { createdFrom } from '#src/db/created.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'

/** Which enrollments a list has; what is undefined does not matter. */
export type EnrollmentFilter = {
  /** Only in the courses that this member teaches, and only of people whom they may know of. */
  readonly taughtBy?: string | undefined
  /** Only of people whom those who teach the course may know of. */
  readonly isDisclosed?: true | undefined
  readonly courseId?: string | undefined
  readonly memberId?: string | undefined
  readonly state?: Access['state'] | undefined
  /** Only in courses that can be learned in or that this member teaches, or only in others; or in none at all. */
  readonly visible?: { readonly to: string; readonly is: boolean } | 'none' | undefined
  readonly isCompleted?: boolean | undefined
  readonly percentFrom?: number | undefined
  readonly percentBelow?: number | undefined
  readonly createdFrom?: Date | undefined
  readonly updatedFrom?: Date | undefined
}

const course = { type: 'course', id: sql`e.course_id` } as const

const isVisible = (schoolId: string, visible: NonNullable<EnrollmentFilter['visible']>): Statement =>
  visible === 'none'
    ? sql`false`
    : sql`(e.course_id in (${learnedCourses(schoolId)})
        or e.course_id in (${coursesTaughtBy(schoolId, visible.to)})) = ${visible.is}::boolean`

/** The condition that the access of an enrollment `e` is in a state now; in a statement with the `clock`. */
export const isInState = (state: Access['state'], schoolId: string): Statement =>
  accessIs(state, schoolId, sql`e.member_id`, course)

/** The conditions of a filter on the enrollments `e` of a school. */
export const matching = (schoolId: string, filter: EnrollmentFilter): Statement =>
  joinConditions(
    sql`e.school_id = ${schoolId}`,
    when(filter.taughtBy, id => sql`e.course_id in (${coursesTaughtBy(schoolId, id)}) and e.pending_email is null`),
    when(filter.isDisclosed, () => sql`e.pending_email is null`),
    when(filter.courseId, id => sql`e.course_id = ${id}`),
    when(filter.memberId, id => sql`e.member_id = ${id}`),
    when(filter.visible, visible => isVisible(schoolId, visible)),
    when(filter.isCompleted, is => (is ? sql`e.completed_at is not null` : sql`e.completed_at is null`)),
    when(filter.percentFrom, percent => sql`e.percent_complete >= ${percent}`),
    when(filter.percentBelow, percent => sql`e.percent_complete < ${percent}`),
    when(filter.createdFrom, at => createdFrom({ at: sql`e.created_at`, id: sql`e.id` }, at)),
    when(filter.updatedFrom, at => sql`e.updated_at >= ${at}`),
    when(filter.state, state => isInState(state, schoolId)),
  )
