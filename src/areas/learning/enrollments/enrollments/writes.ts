import {
  entitleAll,
  isBundle,
  listOpenedBy,
  readAccess,
  type Source,
  type Touched,
} from '#src/areas/learning/access/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { discloseEnrollments } from '../pending/queries.ts'
import { planReminders } from '../reminders/writes.ts'
import { type EnrollmentRow, findEnrollment, insertMissing, keepEnrollments, type NewEnrollment } from './queries.ts'

type Pair = { readonly memberId: string; readonly courseId: string }

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
  /** Whether a mail tells the person; unset: it does. */
  readonly notify?: boolean | undefined
}

/** How many enrollments one statement writes. */
export const MAX_ROWS = 1000

/** Ensures an enrollment for each pair, in several statements where there are many. */
export const keepPairs = async (
  { db, school, now }: TransactionContext,
  pairs: readonly Omit<NewEnrollment, 'id'>[],
): Promise<void> => {
  // One row for a pair, however many entitlements name it.
  const once = [...new Map(pairs.map(one => [`${one.member_id} ${one.course_id}`, one])).values()]
  for (let from = 0; from < once.length; from += MAX_ROWS) {
    const some = once.slice(from, from + MAX_ROWS).map(one => ({ ...one, id: newUuid(now.getTime()) }))
    await keepEnrollments(db, school.id, some)
  }
}

// The courses of the groups and plans that some entitlements name.
const inBundles = async (
  { db, school }: TransactionContext,
  entitlements: readonly Touched[],
): Promise<Omit<NewEnrollment, 'id'>[]> => {
  const ids = entitlements.filter(one => isBundle(one.item_type)).map(({ id }) => id)
  const opened = ids.length === 0 ? [] : await listOpenedBy(db, school.id, 'course', ids)
  return opened.map(({ member_id, item_id, source }) => ({ member_id, course_id: item_id, source }))
}

/**
 * Ensures an enrollment for everybody whose entitlement to a course, or to a group or plan with courses, was granted,
 * changed or revoked, and plans the mail about its end.
 */
export const keepEnrolled = async (context: TransactionContext, entitlements: readonly Touched[]): Promise<void> => {
  const courses = entitlements.filter(one => one.item_type === 'course')
  await keepPairs(context, [
    ...courses.map(({ member_id, item_id, source }) => ({ member_id, course_id: item_id, source })),
    ...(await inBundles(context, entitlements)),
  ])
  await planReminders(context, courses)
}

// An entitlement to a course has an enrollment.
const getCourseEnrollment = async (
  { db, school }: Pick<TransactionContext, 'db' | 'school'>,
  pair: Pair,
): Promise<EnrollmentRow> => {
  const row = await findEnrollment(db, school.id, pair)
  if (row === undefined) throw new Error('an entitlement to a course has an enrollment')
  return row
}

/** The fact that somebody was enrolled; `notify` says whether a mail tells them. */
export const enrolled = ({
  memberId,
  courseId,
  source,
  notify = true,
}: Pick<EnrollmentPlan, 'memberId' | 'courseId' | 'source' | 'notify'>): Fact => ({
  type: 'student.enrolled',
  payload: { member_id: toId('mem', memberId), course_id: toId('crs', courseId), source, notify },
  effects: notify ? texts.learning.enrollments.writes.enrolled.effects.mailsThePersonThatThey : {},
})

/**
 * Entitles a member to a course, and ensures their enrollment; returns it with the facts. What a source granted before
 * it does not grant again.
 */
export const enroll = async (
  context: TransactionContext,
  { courseId, notify, ...plan }: EnrollmentPlan,
): Promise<{ readonly enrollment: EnrollmentRow; readonly facts: readonly Fact[] }> => {
  const { memberId, source } = plan
  const { facts } = await entitleAll(context, [{ ...plan, named: { type: 'course', id: courseId } }])
  const enrollmentFacts = facts.length === 0 ? [] : [enrolled({ memberId, courseId, source, notify })]
  return {
    enrollment: await getCourseEnrollment(context, { memberId, courseId }),
    facts: [...facts, ...enrollmentFacts],
  }
}

/**
 * The enrollment of a member who has access to a course and begins to learn there. Who has access through a group or a
 * plan may not have one yet, since the worker creates it.
 */
export const ensureEnrollment = async (context: TransactionContext, pair: Pair): Promise<EnrollmentRow> => {
  const { db, school, now } = context
  const { memberId: member_id, courseId: course_id } = pair
  const row = await findEnrollment(db, school.id, pair)
  // Those who teach may know whoever begins to learn.
  if (row !== undefined && row.pending_email !== null) await discloseEnrollments(db, school.id, [pair])
  if (row !== undefined) return row
  const { access, entitlements } = await readAccess(db, school.id, {
    memberId: member_id,
    item: { type: 'course', id: course_id },
  })
  const source = entitlements.find(({ id }) => id === access.entitlement_ids[0])?.source ?? 'group'
  await insertMissing(db, school.id, { id: newUuid(now.getTime()), member_id, course_id, source })
  return getCourseEnrollment(context, pair)
}
