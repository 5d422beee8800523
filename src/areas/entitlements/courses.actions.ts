import { hasLearned, mayUseCourse } from '#src/areas/courses/index.ts'
import type { Db } from '#src/contract/db.ts'
import { accessOf } from './actions.ts'
import type { Access } from './rules.ts'

type Asked = { readonly memberId: string; readonly courseId: string }

const stateOf = async (db: Db, schoolId: string, { memberId, courseId }: Asked): Promise<Access['state']> =>
  (await accessOf(db, schoolId, { memberId, item: { type: 'course', id: courseId } })).access.state

/** Answers what courses ask of who may use them. */
export const answerCourses = (): void => {
  mayUseCourse.answer(
    'entitlements',
    async (asked, { db, school }) => (await stateOf(db, school.id, asked)) === 'active',
  )
  // Who may use a course, or could once; what is yet to begin has taught nobody anything.
  hasLearned.answer('entitlements', async (asked, { db, school }) =>
    ['active', 'held', 'ended'].includes(await stateOf(db, school.id, asked)),
  )
}
