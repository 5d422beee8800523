import { clockNow } from '#src/areas/access/index.ts'
import { lessonAvailability } from '#src/areas/curriculum/index.ts'
import { memberErasure, memberMerge } from '#src/areas/members/index.ts'
import type { Db } from '#src/contract/db.ts'
import { implement } from '#src/contract/hook.ts'
import { type PersonalData, personalData } from '#src/contract/personal-data.ts'
import { toId } from '#src/kit/ids.ts'
import { instant } from '#src/kit/instant.ts'
import { readAvailability } from './availability/lookups.ts'
import { type CompletionRow, listCompletionsOf } from './completions/queries.ts'
import { deletePositions, listPositionsOf, type PositionRow } from './positions/queries.ts'
import { moveLearning } from './progress/queries.ts'
import { planRefresh } from './progress/subscribers.ts'

const completionRow = ({ lesson_id, completed_at, completed_by, undone_at }: CompletionRow) => ({
  lesson_id: toId('les', lesson_id),
  completed_by,
  completed_at: instant(completed_at),
  undone_at: instant(undone_at),
})

const positionRow = ({ lesson_id, seconds, noted_at }: PositionRow) => ({
  lesson_id: toId('les', lesson_id),
  seconds,
  noted_at: instant(noted_at),
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
  implement(lessonAvailability, async (query, place) => (await readAvailability(place, query)).byLesson),
  implement(memberErasure, async ({ memberId }, { db, school }) => {
    await deletePositions(db, school.id, memberId)
  }),
  implement(memberMerge, async ({ fromId, intoId }, { db, school }) => {
    const [courseIds, now] = await Promise.all([moveLearning(db, school.id, fromId, intoId), clockNow(db)])
    for (const courseId of courseIds) await planRefresh(db, school.id, courseId, now)
  }),
]
