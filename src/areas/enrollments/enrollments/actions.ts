import { type EntitlementRow, entitleAll, listEntitled, type Source, type Touched } from '#src/areas/access/index.ts'
import { listOpenCourses } from '#src/areas/groups/index.ts'
import type { Db } from '#src/contract/db.ts'
import type { Fact, FactHandler } from '#src/contract/fact.ts'
import type { School } from '#src/contract/school.ts'
import { fromId, newUuid, toId } from '#src/kit/ids.ts'
import { planReminders } from '../reminders/actions.ts'
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
  /** Whether a mail tells the person; unset: it does. */
  readonly notify?: boolean | undefined
}

const MOST = 1000

const keep = async ({ db, school, now }: Writing, pairs: readonly Omit<NewEnrollment, 'id'>[]): Promise<void> => {
  // One row for a pair, however many entitlements name it.
  const once = [...new Map(pairs.map(one => [`${one.member_id} ${one.course_id}`, one])).values()]
  for (let from = 0; from < once.length; from += MOST) {
    const some = once.slice(from, from + MOST).map(one => ({ ...one, id: newUuid(now.getTime()) }))
    await keepEnrollments(db, school.id, some)
  }
}

const inBundles = async (
  { db, school }: Writing,
  entitlements: readonly Touched[],
): Promise<Omit<NewEnrollment, 'id'>[]> => {
  const groupIds = [...new Set(entitlements.map(one => one.item_id))]
  const courses = groupIds.length === 0 ? new Map() : await listOpenCourses(db, school.id, groupIds)
  return entitlements.flatMap(({ item_id, member_id, source }) =>
    (courses.get(item_id) ?? []).map((course_id: string) => ({ member_id, course_id, source })),
  )
}

/**
 * Keeps an enrollment for everybody whose entitlement to a course, or to a group that opens one, was given, changed or
 * withdrawn, and plans the mail that tells of its end.
 */
export const keepEnrolled = async (where: Writing, entitlements: readonly Touched[]): Promise<void> => {
  const courses = entitlements.filter(one => one.item_type === 'course')
  const groups = entitlements.filter(one => one.item_type === 'group')
  await keep(where, [
    ...courses.map(({ member_id, item_id, source }) => ({ member_id, course_id: item_id, source })),
    ...(await inBundles(where, groups)),
  ])
  await planReminders(where, courses)
}

/** Keeps enrollments for the members of a group that opens a course from now on, or no longer does. */
export const onGroupItem: FactHandler = async ({ payload }, where) => {
  const groupId = fromId('grp', String(payload.group))
  const courseId = fromId('crs', String(payload.item))
  if (groupId === undefined || courseId === undefined) return
  const named = { type: 'group', id: groupId } as const
  for (let after: string | undefined; ; ) {
    const members: string[] = await listEntitled(where.db, where.school.id, named, { after, most: MOST })
    await keep(
      where,
      members.map(member_id => ({ member_id, course_id: courseId, source: 'group' as const })),
    )
    after = members.at(-1)
    if (members.length < MOST) return
  }
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

/** That somebody was enrolled; the mail goes to who is to be told. */
export const enrolled = ({
  memberId,
  courseId,
  source,
  notify = true,
}: Pick<EnrollmentPlan, 'memberId' | 'courseId' | 'source' | 'notify'>): Fact => ({
  type: 'student.enrolled',
  payload: { member: toId('mem', memberId), course: toId('crs', courseId), source, notify },
  effects: notify
    ? { mail: { en: 'Mails the person that they are enrolled', pt: 'Informa a pessoa da inscrição por correio' } }
    : {},
})

/**
 * Entitles a member to a course, and keeps an enrollment for what they learn there; gives both with what happened. A
 * source that gave the same before gives nothing again.
 */
export const enroll = async (
  where: Writing,
  { courseId, notify, ...plan }: EnrollmentPlan,
): Promise<{ readonly enrollment: EnrollmentRow; readonly facts: readonly Fact[] }> => {
  const { memberId, source } = plan
  const { facts } = await entitleAll(where, [{ ...plan, named: { type: 'course', id: courseId } }])
  const told = facts.length === 0 ? [] : [enrolled({ memberId, courseId, source, notify })]
  return { enrollment: await getEnrollmentOf(where, { memberId, courseId }), facts: [...facts, ...told] }
}

/** What is written of an entitlement where it is named in an audit entry. */
export const entitlementIds = (all: readonly Pick<EntitlementRow, 'id'>[]): string[] =>
  all.map(({ id }) => toId('ent', id))
