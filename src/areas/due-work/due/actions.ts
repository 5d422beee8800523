import type { Static } from 'typebox'
import { accessesOf, type Explained, firstStart, nameOfPair } from '#src/areas/access/index.ts'
import type { NamedCourse } from '#src/areas/courses/index.ts'
import { listDripPeriodsOf } from '#src/areas/curriculum/index.ts'
import { shownCourses } from '#src/areas/enrollments/index.ts'
import { availabilityAt, progressAt } from '#src/areas/progress/index.ts'
import { listTimeZones } from '#src/areas/school/index.ts'
import { dueMoment } from '#src/areas/submissions/index.ts'
import type { SignedIn } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { listWork, type WorkRow } from '../lessons/queries.ts'
import {
  listCompletionsIn,
  listEnrolledIds,
  listExtended,
  listLatestAttempts,
  listLatestWork,
  listOverridesOf,
} from './queries.ts'
import { type Due, dueAssignment, dueQuiz, isDueWithin, placeOf } from './rules.ts'
import type { DueWork, ListDueParams } from './schema.ts'

type Where = { readonly db: Db; readonly school: School; readonly caller: SignedIn }

/** Work that somebody has to do, with its lesson and course. */
export type DueRow = Due & { readonly course: NamedCourse; readonly lesson: WorkRow }

type Usable = { readonly course: NamedCourse; readonly explained: Explained }

// The courses that are shown to the member and that they may use now.
const usableCourses = async (where: Where, courseId: string | undefined) => {
  const { db, school, caller } = where
  const memberId = caller.member.id
  const ids = await listEnrolledIds(db, school.id, { memberId, courseId })
  const pairs = ids.map(itemId => ({ memberId, itemId }))
  const [courses, accesses] = await Promise.all([shownCourses(where, ids), accessesOf(db, school.id, 'course', pairs)])
  const usable = [...courses.values()].flatMap((course): (readonly [string, Usable])[] => {
    const explained = accesses.get(nameOfPair({ memberId, itemId: course.id }))
    return course.isShown && explained?.access.state === 'active' ? [[course.id, { course, explained }]] : []
  })
  return new Map(usable)
}

const byLesson = <Row extends { readonly lesson_id: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map(row => [row.lesson_id, row]))

const readStandings = async ({ db, school }: Where, memberId: string, courseIds: string[], lessonIds: string[]) => {
  const own = { memberId, ids: lessonIds }
  const [latest, attempts, extended, completions, zones] = await Promise.all([
    listLatestWork(db, school.id, own),
    listLatestAttempts(db, school.id, own),
    listExtended(db, school.id, own),
    listCompletionsIn(db, school.id, { memberId, ids: courseIds }),
    listTimeZones(db, school.id),
  ])
  return {
    ...{ latest: byLesson(latest), attempts: byLesson(attempts), extended: byLesson(extended) },
    ...{ completions: Map.groupBy(completions, one => one.course_id), zones },
  }
}

type Standings = Awaited<ReturnType<typeof readStandings>>

const dueOfLesson = (lesson: WorkRow, { explained }: Usable, known: Standings): Due | undefined => {
  const { at: now, entitlements } = explained
  const isDone = progressAt(known.completions.get(lesson.course_id) ?? [], now).has(lesson.id)
  if (lesson.kind === 'quiz') return dueQuiz(lesson, known.attempts.get(lesson.id), isDone)
  const extended = known.extended.get(lesson.id)?.due_at
  const due = dueMoment(lesson, { extended, start: firstStart(entitlements), zone: known.zones.at(-1)?.time_zone })
  return dueAssignment(lesson, known.latest.get(lesson.id), { isDone, due, now })
}

// Those of what would be due whose lessons are open now, by the same rule as a single lesson.
const keepOpen = async (
  { db, school }: Where,
  memberId: string,
  rows: readonly DueRow[],
  { usable, known }: { readonly usable: ReadonlyMap<string, Usable>; readonly known: Standings },
): Promise<DueRow[]> => {
  const ids = rows.map(({ lesson }) => lesson.id)
  const [drips, overrides] = await Promise.all([
    listDripPeriodsOf(db, school.id, ids),
    listOverridesOf(db, school.id, { memberId, ids }),
  ])
  const ruled = Map.groupBy(drips, one => one.lesson_id)
  const said = Map.groupBy(overrides, one => one.lesson_id)
  return rows.filter(({ lesson }) => {
    const explained = usable.get(lesson.course_id)?.explained
    if (explained === undefined) return false
    const history = {
      ...{ drips: ruled.get(lesson.id) ?? [], overrides: said.get(lesson.id) ?? [], zones: known.zones },
      ...{ completions: known.completions.get(lesson.course_id) ?? [], startsAt: firstStart(explained.entitlements) },
    }
    return availabilityAt(lesson.id, history, explained.at).is_open
  })
}

const inOrder = (one: DueRow, other: DueRow): number => (placeOf(one).join(' ') < placeOf(other).join(' ') ? -1 : 1)

/** All that the caller has to do now, what is due first before the rest; a fixed number of statements, however much it is. */
export const listDue = async (where: Where, asked: ListDueParams): Promise<DueRow[]> => {
  const { db, school, caller } = where
  const memberId = caller.member.id
  const courseId = asked.course_id === undefined ? undefined : (fromId('crs', asked.course_id) ?? '')
  const usable = await usableCourses(where, courseId)
  const courseIds = [...usable.keys()]
  if (courseIds.length === 0) return []
  const work = await listWork(db, school.id, courseIds)
  const lessons = work.filter(({ kind }) => asked.kind === undefined || kind === asked.kind)
  const known = await readStandings(
    where,
    memberId,
    courseIds,
    lessons.map(({ id }) => id),
  )
  const rows = lessons.flatMap((lesson): DueRow[] => {
    const used = usable.get(lesson.course_id)
    const due = used && dueOfLesson(lesson, used, known)
    if (used === undefined || due === undefined) return []
    const isAsked = isDueWithin(due.due_at, asked['due_at[gte]'], asked['due_at[lt]'])
    return isAsked ? [{ ...due, course: used.course, lesson }] : []
  })
  return (await keepOpen(where, memberId, rows, { usable, known })).sort(inOrder)
}

/** Work that is due, on the wire. */
export const dueView = ({ course, lesson, state, due_at, ends_at }: DueRow): Static<typeof DueWork> => ({
  course: { id: toId('crs', course.id), name: course.name, slug: course.slug },
  lesson: { id: toId('les', lesson.id), name: lesson.name },
  kind: lesson.kind,
  state,
  due_at: due_at?.toISOString() ?? null,
  ends_at: ends_at?.toISOString() ?? null,
})
