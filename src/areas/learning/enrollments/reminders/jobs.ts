import { findCourseName } from '#src/areas/courses/index.ts'
import { findEntitlement, readAccess } from '#src/areas/learning/access/index.ts'
import { findMember } from '#src/areas/people/index.ts'
import type { Db } from '#src/contract/db.ts'
import type { JobHandler } from '#src/contract/job.ts'
import { readReadingSettings, recordMail } from '#src/identity/index.ts'
import { formatEnd } from '#src/kit/format.ts'
import { enrollmentMails } from './mails.ts'
import { isEnding, learningPath } from './rules.ts'

const remind = async (db: Db, schoolId: string, id: string): Promise<void> => {
  const one = await findEntitlement(db, schoolId, id)
  if (one === undefined || one.is_over || one.ends_at === null) return
  const { member_id: memberId, item_id: courseId, ends_at: endsAt } = one
  const [explained, course, member, { language, timeZone }] = await Promise.all([
    readAccess(db, schoolId, { memberId, item: { type: 'course', id: courseId } }),
    findCourseName(db, schoolId, courseId),
    findMember(db, schoolId, memberId),
    readReadingSettings(db, schoolId, memberId),
  ])
  if (course === undefined || member?.status !== 'active' || !isEnding(explained, endsAt)) return
  const values = { course, end: formatEnd(endsAt, timeZone, language), path: learningPath(courseId) }
  await recordMail(db, schoolId, memberId, { kind: enrollmentMails.access_ending, values }, explained.at)
}

/** Mails a person, in the transaction that settles the job, that their access ends within a week. */
export const remindOfEnding: JobHandler = async ({ schoolId, id }) => ({
  againIn: undefined,
  settle: db => remind(db, schoolId, id),
})
