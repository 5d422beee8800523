import { type Access, accessOf, clockNow, firstStart } from '#src/areas/access/index.ts'
import {
  accessRequired,
  type LessonOpening,
  lessonLocked,
  listDripPeriods,
  whyLocked,
} from '#src/areas/curriculum/index.ts'
import { whyNot } from '#src/areas/enrollments/index.ts'
import { listTimeZones } from '#src/areas/school/index.ts'
import type { Db } from '#src/contract/db.ts'
import { Refusal } from '#src/contract/problem.ts'
import type { School } from '#src/contract/school.ts'
import { type CompletionRow, listCompletions } from '../progress/queries.ts'
import { type Learning, listOverrides } from './queries.ts'
import { type Availability, type AvailabilityHistory, availabilityAt } from './rules.ts'

type Where = { readonly db: Db; readonly school: Pick<School, 'id'> }

/** Which lessons of a course are open to a member at an instant, with what that was decided from. */
export type LessonAvailability = {
  readonly at: Date
  readonly now: Date
  readonly access: Access
  readonly history: AvailabilityHistory
  readonly completions: readonly CompletionRow[]
  readonly byLesson: ReadonlyMap<string, LessonOpening>
}

const later = (one: Date, other: Date): Date => (one > other ? one : other)

const withAccess = (access: Access, opening: Availability): LessonOpening => {
  if (access.state === 'active') return opening
  const isToCome = access.state === 'upcoming' && access.from !== undefined && opening.opens_at !== undefined
  const opensAt = isToCome && access.from && opening.opens_at ? later(access.from, opening.opens_at) : undefined
  return { is_open: false, opens_at: opensAt, reason: 'no_access' }
}

/** Decides which lessons of a course are open to a member; unset, all of them and now by the database's clock. */
export const readAvailability = async (
  { db, school }: Where,
  asked: Learning & { readonly lessonIds?: readonly string[] | undefined; readonly at?: Date | undefined },
): Promise<LessonAvailability> => {
  const { memberId, courseId, lessonIds } = asked
  const [{ at, access, entitlements }, read, drips, zones, completions, overrides] = await Promise.all([
    accessOf(db, school.id, { memberId, item: { type: 'course', id: courseId }, at: asked.at }),
    clockNow(db),
    listDripPeriods(db, school.id, courseId, lessonIds),
    listTimeZones(db, school.id),
    listCompletions(db, school.id, asked),
    listOverrides(db, school.id, asked),
  ])
  // The clock went on between two statements that read it: of one instant only one says what now is.
  const now = asked.at === undefined ? at : read
  const history = { drips, zones, startsAt: firstStart(entitlements), completions, overrides }
  const ids = [...new Set(drips.map(drip => drip.lesson_id))]
  const byLesson = new Map(ids.map(id => [id, withAccess(access, availabilityAt(id, history, at))]))
  return { at, now, access, history, completions, byLesson }
}

/** Refuses with 403 who may not use the course of a lesson now, and to whom the lesson is not open; writes nothing. */
export const checkAvailable = async (
  where: Where,
  {
    memberId,
    lesson,
  }: { readonly memberId: string; readonly lesson: { readonly id: string; readonly course_id: string } },
): Promise<void> => {
  const { access, byLesson } = await readAvailability(where, {
    ...{ memberId, courseId: lesson.course_id, lessonIds: [lesson.id] },
  })
  if (access.state !== 'active') throw new Refusal(accessRequired, whyNot(access))
  const opening = byLesson.get(lesson.id)
  if (opening?.is_open === true) return
  throw new Refusal(lessonLocked, opening === undefined ? 'The lesson is not open yet.' : whyLocked(opening), {
    members: { opens_at: opening?.opens_at?.toISOString() ?? null },
  })
}

/** Which lessons of a course are open to a member, for rooms that ask. */
export const answerLessonsOpen = async (
  asked: Parameters<typeof readAvailability>[1],
  where: Where,
): Promise<LessonAvailability['byLesson']> => (await readAvailability(where, asked)).byLesson
