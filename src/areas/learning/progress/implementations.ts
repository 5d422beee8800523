import { lessonAvailability, listLessons, requirementWarnings } from '#src/areas/courses/index.ts'
import { clockNow } from '#src/areas/learning/access/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import type { Db } from '#src/contract/db.ts'
import { implement } from '#src/contract/hook.ts'
import { memberErasure, memberMerge, type PersonalData, personalData } from '#src/contract/personal-data.ts'
import type { Warning } from '#src/contract/warning.ts'
import { toId } from '#src/kit/ids.ts'
import { instant } from '#src/kit/instant.ts'
import { readAvailability } from './availability/lookups.ts'
import { listMemberOverrides } from './availability/queries.ts'
import type { Override } from './availability/rules.ts'
import { type CompletionRow, listMemberCompletions } from './completions/queries.ts'
import { deletePositions, listMemberPositions, type PositionRow } from './positions/queries.ts'
import { findReaching, moveLearning } from './progress/queries.ts'
import { requiredIds, seenLessons, warningOfReaching } from './progress/rules.ts'
import { planRefresh } from './progress/subscribers.ts'

// The most ids of a warning.
const MAX_IDS = 100

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

const overrideRow = ({ lesson_id, opens_at, set_at, removed_at }: Override) => ({
  lesson_id: toId('les', lesson_id),
  opens_at: instant(opens_at),
  set_at: instant(set_at),
  removed_at: instant(removed_at),
})

const personalLearning = async (db: Db, schoolId: string, memberId: string): Promise<PersonalData[]> => {
  const [completions, positions, overrides] = await Promise.all([
    listMemberCompletions(db, schoolId, memberId),
    listMemberPositions(db, schoolId, memberId),
    listMemberOverrides(db, schoolId, memberId),
  ])
  return [
    { name: 'lesson_completions', rows: completions.map(completionRow) },
    { name: 'lesson_positions', rows: positions.map(positionRow) },
    { name: 'lesson_openings', rows: overrides.map(overrideRow) },
  ]
}

// The course is locked, so that nothing else changes what it requires.
const reachingWarnings = async ({ db, school }: SchoolContext, courseId: string): Promise<Warning[]> => {
  const required = requiredIds(seenLessons(await listLessons(db, school.id, courseId)))
  if (required.length === 0) return []
  const { count, ids } = await findReaching(db, school.id, { courseId, requiredIds: required }, MAX_IDS)
  const warning = warningOfReaching(count, ids)
  return warning === undefined ? [] : [warning]
}

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(personalData, ({ memberId }, { db, school }) => personalLearning(db, school.id, memberId)),
  implement(requirementWarnings, ({ courseId }, context) => reachingWarnings(context, courseId)),
  implement(lessonAvailability, async (query, context) => (await readAvailability(context, query)).byLesson),
  implement(memberErasure, async ({ memberId }, { db, school }) => {
    await deletePositions(db, school.id, memberId)
  }),
  implement(memberMerge, async ({ fromId, intoId }, { db, school }) => {
    const [courseIds, now] = await Promise.all([moveLearning(db, school.id, fromId, intoId), clockNow(db)])
    for (const courseId of courseIds) await planRefresh(db, school.id, courseId, now)
  }),
]
