import { hasLearned, mayUseCourse } from '#src/areas/courses/index.ts'
import type { Db } from '#src/contract/db.ts'
import { implement } from '#src/contract/hook.ts'
import { personalData } from '#src/contract/personal-data.ts'
import { accessOf } from './actions.ts'
import { personalAccess } from './personal.actions.ts'
import type { Access } from './rules.ts'

type Asked = { readonly memberId: string; readonly courseId: string }

const stateOf = async (db: Db, schoolId: string, { memberId, courseId }: Asked): Promise<Access['state']> =>
  (await accessOf(db, schoolId, { memberId, item: { type: 'course', id: courseId } })).access.state

/** What this area does when hooks of earlier areas are called. */
export const courseHooks = [
  implement(mayUseCourse, async (asked, { db, school }) => (await stateOf(db, school.id, asked)) === 'active'),
  implement(personalData, ({ memberId }, { db, school }) => personalAccess(db, school, memberId)),
  // Who may use a course, or could once; what is yet to begin has taught nobody anything.
  implement(hasLearned, async (asked, { db, school }) =>
    ['active', 'held', 'ended'].includes(await stateOf(db, school.id, asked)),
  ),
]
