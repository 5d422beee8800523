import { listLessonDripPeriods, type NamedCourse } from '#src/areas/courses/index.ts'
import { type Explained, firstStart, nameOfPair, readAccesses } from '#src/areas/learning/access/index.ts'
import { dueInstant } from '#src/areas/learning/assignments/index.ts'
import { visibleCourses } from '#src/areas/learning/enrollments/index.ts'
import { availabilityAt, progressAt } from '#src/areas/learning/progress/index.ts'
import { dueMoment } from '#src/areas/learning/submissions/index.ts'
import { listTimeZones } from '#src/areas/school/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { toInstant } from '#src/kit/local-time.ts'
import { listWork, type WorkRow } from '../lessons/queries.ts'
import {
  listCompletionsIn,
  listEnrolledIds,
  listExtended,
  listLatestAttempts,
  listLatestWork,
  listMemberOverrides,
} from './queries.ts'
import { buildPosition, type Due, dueAssignment, dueQuiz, isDueWithin } from './rules.ts'
import type { ListDueParams } from './schema.ts'

/** Work that a learner has to do, with its lesson and course. */
export type DueRow = Due & { readonly course: NamedCourse; readonly lesson: WorkRow }

type Usable = { readonly course: NamedCourse; readonly explained: Explained }

// The courses that are visible to the member and that they may use now.
const usableCourses = async (as: AsCaller, courseId: string | undefined) => {
  const { db, school, caller } = as
  const memberId = caller.member.id
  const ids = await listEnrolledIds(db, school.id, { memberId, courseId })
  const pairs = ids.map(itemId => ({ memberId, itemId }))
  const [courses, accesses] = await Promise.all([visibleCourses(as, ids), readAccesses(db, school.id, 'course', pairs)])
  const usable = [...courses.values()].flatMap((course): (readonly [string, Usable])[] => {
    const explained = accesses.get(nameOfPair({ memberId, itemId: course.id }))
    return course.isVisible && explained?.access.state === 'active' ? [[course.id, { course, explained }]] : []
  })
  return new Map(usable)
}

const byLesson = <Row extends { readonly lesson_id: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map(row => [row.lesson_id, row]))

const readProgress = async (
  { db, school }: SchoolContext,
  memberId: string,
  courseIds: string[],
  lessonIds: string[],
) => {
  const own = { memberId, ids: lessonIds }
  const [latest, attempts, extended, completions, zones] = await Promise.all([
    listLatestWork(db, school.id, own),
    listLatestAttempts(db, school.id, own),
    listExtended(db, school.id, own),
    listCompletionsIn(db, school.id, { memberId, ids: courseIds }),
    listTimeZones(db, school.id),
  ])
  return {
    latest: byLesson(latest),
    attempts: byLesson(attempts),
    extended: byLesson(extended),
    completions: Map.groupBy(completions, one => one.course_id),
    zones,
  }
}

type Progress = Awaited<ReturnType<typeof readProgress>>

const dueOfLesson = (lesson: WorkRow, { explained }: Usable, learned: Progress): Due | undefined => {
  const { at: now, entitlements } = explained
  const isDone = progressAt(learned.completions.get(lesson.course_id) ?? [], now).has(lesson.id)
  if (lesson.kind === 'quiz') return dueQuiz(lesson, learned.attempts.get(lesson.id), isDone)
  const extension = learned.extended.get(lesson.id)
  const due = dueMoment(
    { due_at: dueInstant(lesson), due_days: lesson.due_days },
    {
      extended: extension && toInstant(extension),
      start: firstStart(entitlements),
      zone: learned.zones.at(-1)?.time_zone,
    },
  )
  return dueAssignment(lesson, learned.latest.get(lesson.id), { isDone, due, now })
}

// The due work in lessons that are open now, by the same rule as for a single lesson.
const keepOpen = async (
  { db, school }: SchoolContext,
  memberId: string,
  rows: readonly DueRow[],
  { usable, learned }: { readonly usable: ReadonlyMap<string, Usable>; readonly learned: Progress },
): Promise<DueRow[]> => {
  const ids = rows.map(({ lesson }) => lesson.id)
  const [drips, overrides] = await Promise.all([
    listLessonDripPeriods(db, school.id, ids),
    listMemberOverrides(db, school.id, { memberId, ids }),
  ])
  const dripsOf = Map.groupBy(drips, one => one.lesson_id)
  const overridesOf = Map.groupBy(overrides, one => one.lesson_id)
  return rows.filter(({ lesson }) => {
    const explained = usable.get(lesson.course_id)?.explained
    if (explained === undefined) return false
    const history = {
      drips: dripsOf.get(lesson.id) ?? [],
      overrides: overridesOf.get(lesson.id) ?? [],
      zones: learned.zones,
      completions: learned.completions.get(lesson.course_id) ?? [],
      startsAt: firstStart(explained.entitlements),
    }
    return availabilityAt(lesson.id, history, explained.at).is_open
  })
}

const inOrder = (one: DueRow, other: DueRow): number =>
  buildPosition(one).join(' ') < buildPosition(other).join(' ') ? -1 : 1

/** All work that the caller has to do now, by deadline; a fixed number of statements, however much it is. */
export const listDue = async (as: AsCaller, query: ListDueParams): Promise<DueRow[]> => {
  const { db, school, caller } = as
  const memberId = caller.member.id
  const courseId = query.course_id === undefined ? undefined : query.course_id
  const usable = await usableCourses(as, courseId)
  const courseIds = [...usable.keys()]
  if (courseIds.length === 0) return []
  const work = await listWork(db, school.id, courseIds)
  const lessons = work.filter(({ kind }) => query.kind === undefined || kind === query.kind)
  const learned = await readProgress(
    as,
    memberId,
    courseIds,
    lessons.map(({ id }) => id),
  )
  const rows = lessons.flatMap((lesson): DueRow[] => {
    const used = usable.get(lesson.course_id)
    const due = used && dueOfLesson(lesson, used, learned)
    if (used === undefined || due === undefined) return []
    const isInRange = isDueWithin(due.due_at, query['due_at[gte]'], query['due_at[lt]'])
    return isInRange ? [{ ...due, course: used.course, lesson }] : []
  })
  return (await keepOpen(as, memberId, rows, { usable, learned })).sort(inOrder)
}
