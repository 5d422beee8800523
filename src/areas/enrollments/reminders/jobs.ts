import { accessOf, findEntitlement } from '#src/areas/access/index.ts'
import { findCourseName } from '#src/areas/courses/index.ts'
import { findMember, type MemberRow } from '#src/areas/members/index.ts'
import type { Db } from '#src/contract/db.ts'
import type { JobHandler } from '#src/contract/job.ts'
import { languageOf } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { getSchool } from '#src/db/schools.ts'
import { recordMail } from '#src/identity/index.ts'
import { enrollmentMails } from './mails.ts'
import { isEnding, learningPath } from './rules.ts'

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
    findMember(db, schoolId, memberId),
    getSchool(db, schoolId),
  ])
  if (course === undefined || member?.status !== 'active' || !isEnding(explained, endsAt)) return
  const values = { course, end: dayOf(endsAt, member, school), path: learningPath(courseId) }
  await recordMail(db, schoolId, memberId, { kind: enrollmentMails.access_ending, values }, explained.at)
}

/** Mails a person, in the transaction that settles the job, that their access ends within a week. */
export const remindOfEnding: JobHandler = async ({ schoolId, id }) => ({
  againIn: undefined,
  settle: db => remind(db, schoolId, id),
})
