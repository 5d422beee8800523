import { type Access, accessOf, clockNow, firstStart } from '#src/areas/access/index.ts'
import { type LessonOpening, listDripPeriods } from '#src/areas/curriculum/index.ts'
import { listTimeZones } from '#src/areas/school/index.ts'
import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { type CompletionRow, listCompletions } from '../completions/queries.ts'
import { type Learning, listOverrides } from './queries.ts'
import { type Availability, type AvailabilityHistory, availabilityAt } from './rules.ts'

type Place = { readonly db: Db; readonly school: Pick<School, 'id'> }

/** Which lessons of a course are available to a member at an instant, with what that was decided from. */
export type LessonAvailability = {
  readonly at: Date
  readonly now: Date
  readonly access: Access
  readonly history: AvailabilityHistory
  readonly completions: readonly CompletionRow[]
  readonly byLesson: ReadonlyMap<string, LessonOpening>
}

const later = (one: Date, other: Date): Date => (one > other ? one : other)

const withAccess = (access: Access, availability: Availability): LessonOpening => {
  if (access.state === 'active') return availability
  const isToCome = access.state === 'upcoming' && access.from !== undefined && availability.opens_at !== undefined
  const opensAt =
    isToCome && access.from && availability.opens_at ? later(access.from, availability.opens_at) : undefined
  return { is_open: false, opens_at: opensAt, reason: 'no_access' }
}

/** Decides which lessons of a course are available to a member; unset, all of them and now by the database's clock. */
export const readAvailability = async (
  { db, school }: Place,
  asked: Learning & { readonly lessonIds?: readonly string[] | undefined; readonly at?: Date | undefined },
): Promise<LessonAvailability> => {
  const { memberId, courseId, lessonIds } = asked
  const [{ at, access, entitlements }, clock, drips, zones, completions, overrides] = await Promise.all([
    accessOf(db, school.id, { memberId, item: { type: 'course', id: courseId }, at: asked.at }),
    asked.at === undefined ? undefined : clockNow(db),
    listDripPeriods(db, school.id, courseId, lessonIds),
    listTimeZones(db, school.id),
    listCompletions(db, school.id, asked),
    listOverrides(db, school.id, asked),
  ])
  // Two statements that read the clock differ; an answer for now uses one instant only.
  const now = clock ?? at
  const history = { drips, zones, startsAt: firstStart(entitlements), completions, overrides }
  const ids = [...new Set(drips.map(drip => drip.lesson_id))]
  const byLesson = new Map(ids.map(id => [id, withAccess(access, availabilityAt(id, history, at))]))
  return { at, now, access, history, completions, byLesson }
}
