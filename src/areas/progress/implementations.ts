import { clockNow } from '#src/areas/access/index.ts'
import { lessonsOpen } from '#src/areas/curriculum/index.ts'
import { memberErasure, memberMerge } from '#src/areas/members/index.ts'
import type { Db } from '#src/contract/db.ts'
import { implement } from '#src/contract/hook.ts'
import { type PersonalData, personalData } from '#src/contract/personal-data.ts'
import { toId } from '#src/kit/ids.ts'
import { answerLessonsOpen } from './availability/actions.ts'
import { listCompletionsOf, listPositionsOf, type OwnCompletion, type OwnPosition } from './personal/queries.ts'
import { forgetPositions, moveLearning } from './progress/queries.ts'
import { count } from './refresh/actions.ts'

const instant = (at: Date | null): string | null => at?.toISOString() ?? null

const completionRow = ({ lesson_id, completed_at, completed_by, undone_at }: OwnCompletion) => ({
  ...{ lesson_id: toId('les', lesson_id), completed_by },
  ...{ completed_at: instant(completed_at), undone_at: instant(undone_at) },
})

const positionRow = ({ lesson_id, seconds, noted_at }: OwnPosition) => ({
  ...{ lesson_id: toId('les', lesson_id), seconds, noted_at: instant(noted_at) },
})

const personalLearning = async (db: Db, schoolId: string, memberId: string): Promise<PersonalData[]> => {
  const [completions, positions] = await Promise.all([
    listCompletionsOf(db, schoolId, memberId),
    listPositionsOf(db, schoolId, memberId),
  ])
  return [
    { name: 'lesson_completions', rows: completions.map(completionRow) },
    { name: 'lesson_positions', rows: positions.map(positionRow) },
  ]
}

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(personalData, ({ memberId }, { db, school }) => personalLearning(db, school.id, memberId)),
  implement(lessonsOpen, answerLessonsOpen),
  implement(memberErasure, async ({ memberId }, { db, school }) => {
    await forgetPositions(db, school.id, memberId)
  }),
  implement(memberMerge, async ({ fromId, intoId }, { db, school }) => {
    const [courseIds, now] = await Promise.all([moveLearning(db, school.id, fromId, intoId), clockNow(db)])
    for (const courseId of courseIds) await count(db, school.id, courseId, now)
  }),
]
