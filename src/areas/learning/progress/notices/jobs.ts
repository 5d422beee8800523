import { courseStates, listLessons } from '#src/areas/courses/index.ts'
import type { Database, Db } from '#src/contract/db.ts'
import { MAX_IDS } from '#src/contract/facts/declaration.ts'
import type { JobHandler } from '#src/contract/job.ts'
import { recordFacts } from '#src/db/audit.ts'
import { toId } from '#src/kit/ids.ts'
import { readAvailability } from '../availability/lookups.ts'
import { progressAt, seenLessons } from '../progress/rules.ts'
import { lockNotice, type Notice, storeNotified } from './queries.ts'
import { dueAt } from './rules.ts'

const readDue = async (db: Db, schoolId: string, notice: Notice) => {
  const { member_id: memberId, course_id: courseId } = notice
  const [lessons, { at, byLesson, completions }] = await Promise.all([
    listLessons(db, schoolId, courseId),
    readAvailability({ db, school: { id: schoolId } }, { memberId, courseId }),
  ])
  const done = progressAt(completions, at)
  const noticed = seenLessons(lessons).flatMap(({ id }) => {
    const availability = byLesson.get(id)
    return availability === undefined ? [] : [{ id, availability, isDone: done.has(id) }]
  })
  return { at, ...dueAt(noticed, notice.told_until, at) }
}

// Returns in how many seconds to check again.
const notify = async (db: Db, now: Date, schoolId: string, enrollmentId: string): Promise<number | undefined> => {
  const notice = await lockNotice(db, schoolId, enrollmentId)
  if (notice === undefined) return undefined
  // Lessons of a draft are not announced; its publication plans this job again.
  const status = (await courseStates(db, schoolId, [notice.course_id])).get(notice.course_id)
  if (status !== 'published' && status !== 'archived') return undefined
  const { at, unlocked, next } = await readDue(db, schoolId, notice)
  const payload = {
    enrollment_id: toId('enr', enrollmentId),
    course_id: toId('crs', notice.course_id),
    member_id: toId('mem', notice.member_id),
    lesson_ids: unlocked.slice(0, MAX_IDS).map(id => toId('les', id)),
    count: unlocked.length,
  }
  if (unlocked.length > 0) await recordFacts(db, { schoolId, now }, [{ type: 'lesson.unlocked', payload }])
  await storeNotified(db, schoolId, enrollmentId, at)
  return next && (next.getTime() - at.getTime()) / 1000
}

/** Finds which lessons were unlocked since the last notice, and runs again when the next one unlocks. */
export const createNotices =
  (database: Database): JobHandler =>
  async ({ schoolId, id }) => ({
    againIn: await database.transaction(schoolId, (db, now) => notify(db, now, schoolId, id)),
    settle: async () => undefined,
  })
