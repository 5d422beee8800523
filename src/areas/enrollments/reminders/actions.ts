import { accessOf, type Explained, findEntitlement, type Touched } from '#src/areas/access/index.ts'
import { findCourseName } from '#src/areas/courses/index.ts'
import { findMember, type MemberRow } from '#src/areas/members/index.ts'
import type { Db } from '#src/contract/db.ts'
import type { FactHandler } from '#src/contract/fact.ts'
import type { JobHandler } from '#src/contract/job.ts'
import { languageOf } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { getSchool } from '#src/db/schools.ts'
import { recordMail } from '#src/identity/index.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { dropReminders, putReminders } from './queries.ts'

const AHEAD = 7 * 24 * 3600_000
// What renews by itself does not end, and what is bought by the period is told of by its invoices.
const TOLD: readonly Touched['source'][] = ['staff', 'import', 'gift', 'free', 'order_line']

/** Plans, moves or takes back the mails that tell people a week before that their access ends. */
export const planReminders = async (
  { db, school, now }: { readonly db: Db; readonly school: School; readonly now: Date },
  entitlements: readonly Touched[],
): Promise<void> => {
  const due = entitlements.flatMap(({ id, ends_at, revoked_at, source }) => {
    if (ends_at === null || revoked_at !== null || !TOLD.includes(source)) return []
    const at = new Date(ends_at.getTime() - AHEAD)
    return at > now ? [{ id, due_at: at }] : []
  })
  const others = entitlements.map(({ id }) => id).filter(id => !due.some(one => one.id === id))
  if (due.length > 0) await putReminders(db, school.id, due)
  if (others.length > 0) await dropReminders(db, school.id, others)
}

// Where another reason goes on, or access is held back, nothing ends that the person has.
const isEnding = ({ at, access }: Explained, endsAt: Date): boolean =>
  access.state === 'active' && access.until?.getTime() === endsAt.getTime() && endsAt.getTime() - at.getTime() <= AHEAD

const dayOf = (at: Date, member: MemberRow, school: School): string =>
  new Intl.DateTimeFormat(languageOf(member.locale ?? school.locale) === 'pt' ? 'pt-PT' : 'en-GB', {
    dateStyle: 'long',
    timeZone: member.time_zone ?? 'UTC',
  }).format(at)

const remind = async (db: Db, schoolId: string, id: string): Promise<void> => {
  const one = await findEntitlement(db, schoolId, id)
  if (one === undefined || one.is_over || one.ends_at === null) return
  const { member_id: memberId, item_id: courseId, ends_at: endsAt } = one
  const [explained, course, member, school] = await Promise.all([
    accessOf(db, schoolId, { memberId, item: { type: 'course', id: courseId } }),
    findCourseName(db, schoolId, courseId),
    findMember(db, schoolId, toId('mem', memberId)),
    getSchool(db, schoolId),
  ])
  if (course === undefined || member?.status !== 'active' || !isEnding(explained, endsAt)) return
  const values = { course, end: dayOf(endsAt, member, school) }
  await recordMail(db, schoolId, memberId, { kind: 'access_ending', values }, explained.at)
}

/** Mails a person, in the transaction that settles the work, that their access ends within a week. */
export const remindOfEnding: JobHandler = async ({ schoolId, id }) => ({
  againIn: undefined,
  settle: db => remind(db, schoolId, id),
})

/** Mails who was enrolled, unless they are not to be told. */
export const onStudentEnrolled: FactHandler = async ({ payload }, { db, school, now }) => {
  const memberId = fromId('mem', String(payload.member))
  const courseId = fromId('crs', String(payload.course))
  if (payload.notify !== true || memberId === undefined || courseId === undefined) return
  const [course, member] = await Promise.all([
    findCourseName(db, school.id, courseId),
    findMember(db, school.id, toId('mem', memberId)),
  ])
  // A lecturer is not told that somebody was removed; the person is not written to either.
  if (member === undefined || member.status === 'deleted') return
  if (course !== undefined) await recordMail(db, school.id, memberId, { kind: 'enrolled', values: { course } }, now)
}
