import { countAttempts, listAnswers, saveAnswers, startAttempt, submitAttempt } from '#src/areas/attempts/index.ts'
import { listLessons } from '#src/areas/curriculum/index.ts'
import { enroll, findEnrollment } from '#src/areas/enrollments/index.ts'
import type { Database, Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { getSchool } from '#src/db/schools.ts'
import { toId } from '#src/kit/ids.ts'
import { findCourseId, findMemberId } from './queries.ts'

type Where = { readonly db: Db; readonly school: School; readonly now: Date }
type Learner = { readonly memberId: string; readonly courseId: string; readonly lessonId: string }

const beginning = async (where: Where, { memberId, courseId, lessonId }: Learner) => {
  const { db, school } = where
  if ((await findEnrollment(db, school.id, { memberId, courseId })) === undefined)
    await enroll(where, { memberId, courseId, source: 'gift' })
  const caller = { member: { id: memberId, role: 'member' }, clientId: undefined, grantId: undefined } as const
  const told = { record: () => undefined, changed: () => undefined, requireMatch: async () => undefined }
  const context = { ...where, ...told, caller: { ...caller, scopes: new Set<string>() } }
  return { context, attempt: await startAttempt(context, { lesson_id: toId('les', lessonId) }) }
}

// The last question is for a lecturer to read.
const handIn = async (where: Where, learner: Learner): Promise<void> => {
  const { context, attempt } = await beginning(where, learner)
  const id = toId('qat', attempt.id)
  const { db, school } = where
  const answers = await listAnswers(db, school.id, attempt.id)
  const question = toId('qst', answers.at(-1)?.question_id ?? '')
  await saveAnswers(context, id, [{ question_id: question, text: 'Of yoghurt, and a little of beer.' }])
  await submitAttempt(context, id)
}

/**
 * Has Dev hand in the quiz on starters, part of which waits to be read, and Ada begin it. Nothing happens where the
 * quiz or one of them is not, or where they have tried it.
 */
export const createDemoAttempts = (database: Database, schoolId: string): Promise<boolean> =>
  database.transaction(schoolId, async (db, now) => {
    const where = { db, school: await getSchool(db, schoolId), now }
    const courseId = await findCourseId(db, schoolId, 'sourdough-from-scratch')
    const [dev, ada] = [
      await findMemberId(db, schoolId, 'dev@crumb.example'),
      await findMemberId(db, schoolId, 'ada@crumb.example'),
    ]
    if (courseId === undefined || dev === undefined || ada === undefined) return false
    if ((await countAttempts(db, schoolId, { courseId })) > 0) return false
    const lesson = (await listLessons(db, schoolId, courseId)).find(one => one.type === 'quiz')
    if (lesson === undefined) return false
    await handIn(where, { memberId: dev, courseId, lessonId: lesson.id })
    await beginning(where, { memberId: ada, courseId, lessonId: lesson.id })
    return true
  })
