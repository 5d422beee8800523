import { entitleAll, type Source, type Touched } from '#src/areas/entitlements/index.ts'
import type { Db } from '#src/contract/db.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { School } from '#src/contract/school.ts'
import { newUuid } from '#src/kit/ids.ts'
import { type EnrollmentRow, findEnrollment, keepEnrollments, type NewEnrollment } from './queries.ts'

/** Where and when something is written. */
export type Writing = { readonly db: Db; readonly school: School; readonly now: Date }

/** Whom to enroll in which course, why and for how long. */
export type EnrollmentPlan = {
  readonly memberId: string
  readonly courseId: string
  readonly source: Source
  readonly sourceId?: string | undefined
  /** Unset: from now on. */
  readonly startsAt?: Date | undefined
  readonly endsAt?: Date | undefined
  readonly reason?: string | undefined
}

// One row for a pair, however many entitlements name it.
const pairsOf = (entitlements: readonly Touched[]): Touched[] => [
  ...new Map(entitlements.map(one => [`${one.member_id} ${one.item_id}`, one])).values(),
]

/** Keeps an enrollment for everybody whose entitlement to a course was given, changed or withdrawn. */
export const keepEnrolled = async ({ db, school, now }: Writing, entitlements: readonly Touched[]): Promise<void> => {
  const rows: NewEnrollment[] = pairsOf(entitlements.filter(one => one.item_type === 'course')).map(one => ({
    id: newUuid(now.getTime()),
    member_id: one.member_id,
    course_id: one.item_id,
    source: one.source,
  }))
  if (rows.length > 0) await keepEnrollments(db, school.id, rows)
}

/** The enrollment of a member in a course that an entitlement has made sure of. */
export const getEnrollmentOf = async (
  { db, school }: Pick<Writing, 'db' | 'school'>,
  pair: { readonly memberId: string; readonly courseId: string },
): Promise<EnrollmentRow> => {
  const row = await findEnrollment(db, school.id, pair)
  if (row === undefined) throw new Error('an entitlement to a course has an enrollment')
  return row
}

/**
 * Entitles a member to a course, and keeps an enrollment for what they learn there; gives both with what happened. A
 * source that gave the same before gives nothing again.
 */
export const enroll = async (
  where: Writing,
  { courseId, ...plan }: EnrollmentPlan,
): Promise<{ readonly enrollment: EnrollmentRow; readonly facts: readonly Fact[] }> => {
  const { facts } = await entitleAll(where, [{ ...plan, named: { type: 'course', id: courseId } }])
  return { enrollment: await getEnrollmentOf(where, { memberId: plan.memberId, courseId }), facts }
}
