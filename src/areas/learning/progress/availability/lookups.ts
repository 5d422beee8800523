import { type LessonAvailability, listDripPeriods } from '#src/areas/courses/index.ts'
import { type Access, clockNow, firstStart, readAccess } from '#src/areas/learning/access/index.ts'
import { listTimeZones } from '#src/areas/school/index.ts'
import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { type CompletionRow, listCompletions } from '../completions/queries.ts'
import { type Learning, listOverrides } from './queries.ts'
import { type Availability, type AvailabilityHistory, availabilityAt } from './rules.ts'

type Place = { readonly db: Db; readonly school: Pick<School, 'id'> }

/** The availability of the lessons of a course to a member at an instant, and the records from which it was computed. */
export type CourseAvailability = {
  readonly at: Date
  readonly now: Date
  readonly access: Access
  readonly history: AvailabilityHistory
  readonly completions: readonly CompletionRow[]
  readonly byLesson: ReadonlyMap<string, LessonAvailability>
}

const later = (one: Date, other: Date): Date => (one > other ? one : other)

const withAccess = (access: Access, availability: Availability): LessonAvailability => {
  if (access.state === 'active') return availability
  const isToCome = access.state === 'upcoming' && access.from !== undefined && availability.opens_at !== undefined
  const opensAt =
    isToCome && access.from && availability.opens_at ? later(access.from, availability.opens_at) : undefined
  return { is_open: false, opens_at: opensAt, reason: 'no_access' }
}

/** Computes the availability of lessons of a course to a member; by default of all lessons, and now by the database's clock. */
export const readAvailability = async (
  { db, school }: Place,
  query: Learning & { readonly lessonIds?: readonly string[] | undefined; readonly at?: Date | undefined },
): Promise<CourseAvailability> => {
  const { memberId, courseId, lessonIds } = query
  const [{ at, access, entitlements }, clock, drips, zones, completions, overrides] = await Promise.all([
    readAccess(db, school.id, { memberId, item: { type: 'course', id: courseId }, at: query.at }),
    query.at === undefined ? undefined : clockNow(db),
    listDripPeriods(db, school.id, courseId, lessonIds),
    listTimeZones(db, school.id),
    listCompletions(db, school.id, query),
    listOverrides(db, school.id, query),
  ])
  // Two statements read different times from the clock; an answer for now must use only one.
  const now = clock ?? at
  const history = { drips, zones, startsAt: firstStart(entitlements), completions, overrides }
  const ids = [...new Set(drips.map(drip => drip.lesson_id))]
  const byLesson = new Map(ids.map(id => [id, withAccess(access, availabilityAt(id, history, at))]))
  return { at, now, access, history, completions, byLesson }
}
