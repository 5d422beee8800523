import { courseStates, findCourseName } from '#src/areas/courses/index.ts'
import { listLessons } from '#src/areas/curriculum/index.ts'
import type { Database, Db } from '#src/contract/db.ts'
import type { FactHandler } from '#src/contract/fact.ts'
import type { JobHandler } from '#src/contract/job.ts'
import { recordFacts } from '#src/db/facts.ts'
import { recordMail } from '#src/identity/index.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { readAvailability } from '../availability/actions.ts'
import { progressAt, seenLessons } from '../progress/rules.ts'
import { beginAnew, lockNotice, putNotices, storeTold } from './queries.ts'
import { dueAt } from './rules.ts'

/** The kinds of facts after which lessons may open at other instants, beside those that say which lessons there are. */
export const OPENINGS_CHANGED = [
  'course.published',
  'lesson.drip_updated',
  'lesson.moved',
  'section.reordered',
  'lesson.completed',
  'lesson.availability_updated',
  'entitlement.granted',
  'course.published',
] as const

/** Has looked again when lessons open, to those who want to be told, of the person or the course that a fact is about. */
export const onOpeningsChanged: FactHandler = async ({ payload }, { db, school }) => {
  const [enrollmentId, memberId, courseId] = [
    fromId('enr', String(payload.enrollment)),
    fromId('mem', String(payload.member)),
    fromId('crs', String(payload.course)),
  ]
  if (enrollmentId !== undefined) return putNotices(db, school.id, { enrollmentId })
  if (memberId !== undefined) return putNotices(db, school.id, { memberId })
  if (courseId !== undefined) return putNotices(db, school.id, { courseId })
}

const names = (about: Readonly<Record<string, unknown>>, field: string): boolean =>
  Array.isArray(about.fields) && about.fields.includes(field)

/** When the school moves, what is to come opens at other instants. */
export const onSchoolMoved: FactHandler = async ({ payload }, { db, school }) => {
  if (names(payload, 'time_zone')) await putNotices(db, school.id, 'everybody')
}

/** Who wants to be told from now on is told of what opens from now on. */
export const onNoticesWanted: FactHandler = async ({ payload }, { db, school }) => {
  const memberId = fromId('mem', String(payload.member))
  if (memberId === undefined || !names(payload, 'notifications')) return
  await beginAnew(db, school.id, memberId)
  await putNotices(db, school.id, { memberId })
}

// Gives in how many seconds to look again.
const notify = async (db: Db, now: Date, schoolId: string, enrollmentId: string): Promise<number | undefined> => {
  const notice = await lockNotice(db, schoolId, enrollmentId)
  if (notice === undefined) return undefined
  const { member_id: memberId, course_id: courseId, told_until: toldUntil } = notice
  // Nobody is told of what is in a draft; its publication has this looked at again.
  const status = (await courseStates(db, schoolId, [courseId])).get(courseId)
  if (status !== 'published' && status !== 'archived') return undefined
  const [lessons, { at, byLesson, completions }] = await Promise.all([
    listLessons(db, schoolId, courseId),
    readAvailability({ db, school: { id: schoolId } }, { memberId, courseId }),
  ])
  const done = progressAt(completions, at)
  const told = seenLessons(lessons).flatMap(({ id }) => {
    const opening = byLesson.get(id)
    return opening === undefined ? [] : [{ id, opening, isDone: done.has(id) }]
  })
  const { opened, next } = dueAt(told, toldUntil, at)
  const about = {
    ...{ enrollment: toId('enr', enrollmentId), course: toId('crs', courseId), member: toId('mem', memberId) },
    lessons: opened.map(id => toId('les', id)),
  }
  if (opened.length > 0) await recordFacts(db, { schoolId, now }, [{ type: 'lesson.unlocked', payload: about }])
  await storeTold(db, schoolId, enrollmentId, at)
  return next && (next.getTime() - at.getTime()) / 1000
}

/** Finds which lessons opened to somebody since they were last told, and looks again when the next one opens. */
export const createNotices =
  (database: Database): JobHandler =>
  async ({ schoolId, id }) => ({
    againIn: await database.transaction(schoolId, (db, now) => notify(db, now, schoolId, id)),
    settle: async () => undefined,
  })

/** Mails a person that lessons are open to them, one mail for those that opened at once. */
export const onLessonOpened: FactHandler = async ({ payload }, { db, school, now }) => {
  const memberId = fromId('mem', String(payload.member))
  const courseId = fromId('crs', String(payload.course))
  if (memberId === undefined || courseId === undefined || !Array.isArray(payload.lessons)) return
  const [course, lessons] = await Promise.all([
    findCourseName(db, school.id, courseId),
    listLessons(db, school.id, courseId),
  ])
  const opened = lessons.filter(({ id }) => (payload.lessons as unknown[]).includes(toId('les', id)))
  if (course === undefined || opened.length === 0) return
  const values = { course, lessons: opened.map(({ name }) => `“${name}”`).join(', ') }
  await recordMail(db, school.id, memberId, { kind: 'lesson_opened', values }, now)
}
