import type { Static } from 'typebox'
import { type LessonOpening, type LessonRow, listLessons } from '#src/areas/curriculum/index.ts'
import type { EnrollmentRow } from '#src/areas/enrollments/index.ts'
import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { toId } from '#src/kit/ids.ts'
import { type LessonAvailability, readAvailability } from '../availability/actions.ts'
import { type CompletionRow, findCompletion, listPositions } from './queries.ts'
import { progressAt, progressOf, seenLessons } from './rules.ts'
import type { LessonCompletion, Progress, ProgressLesson } from './schema.ts'

type Where = { readonly db: Db; readonly school: Pick<School, 'id'> }

const instant = (at: Date | null | undefined): string | null => at?.toISOString() ?? null

const CLOSED: LessonOpening = { is_open: false, opens_at: undefined, reason: 'drip' }

/** Whether a lesson is open, on the wire. */
export const openingView = ({ is_open, opens_at, reason }: LessonOpening = CLOSED) => ({
  is_open,
  opens_at: instant(opens_at),
  reason,
})

/** On what an answer about an instant rests: on what is recorded, or, of what is to come, on the rules of today. */
export const restsOn = (at: Date, now: Date): 'recorded' | 'planned' => (at > now ? 'planned' : 'recorded')

type Known = {
  readonly openings: LessonAvailability
  readonly completions: ReadonlyMap<string, CompletionRow>
  readonly positions: ReadonlyMap<string, number>
}

const lessonView = (lesson: LessonRow, { openings, completions, positions }: Known): Static<typeof ProgressLesson> => {
  const done = completions.get(lesson.id)
  return {
    lesson_id: toId('les', lesson.id),
    section_id: toId('sec', lesson.section_id),
    name: lesson.name,
    type: lesson.type,
    required_for_completion: lesson.required_for_completion,
    ...openingView(openings.byLesson.get(lesson.id)),
    completed_at: instant(done?.completed_at),
    completed_by: done?.completed_by ?? null,
    position_seconds: positions.get(lesson.id) ?? null,
  }
}

/**
 * How far somebody is in a course at an instant; unset: now. What is told is counted anew and not read from the enrollment.
 * Of a course that is not shown to them the figures alone are told.
 */
export const progressView = async (
  { db, school }: Where,
  row: EnrollmentRow,
  { at, isShown = true }: { readonly at?: Date | undefined; readonly isShown?: boolean } = {},
): Promise<Static<typeof Progress>> => {
  const learning = { memberId: row.member_id, courseId: row.course_id }
  const [lessons, openings, positions] = await Promise.all([
    listLessons(db, school.id, row.course_id),
    readAvailability({ db, school }, { ...learning, at }),
    listPositions(db, school.id, learning),
  ])
  const { at: asked, now, byLesson, completions: all } = openings
  const completions = progressAt(all, asked)
  const seen = seenLessons(lessons)
  const standing = progressOf(
    seen,
    id => completions.has(id),
    id => byLesson.get(id)?.is_open === true,
  )
  const known = {
    openings,
    completions,
    positions: new Map(positions.filter(one => one.noted_at <= asked).map(one => [one.lesson_id, one.seconds])),
  }
  return {
    enrollment_id: toId('enr', row.id),
    student_id: toId('mem', row.member_id),
    course_id: toId('crs', row.course_id),
    percent_complete: standing.percent,
    required_count: standing.required,
    completed_count: standing.done,
    completed_at: row.completed_at !== null && row.completed_at <= asked ? row.completed_at.toISOString() : null,
    current_lesson_id: isShown ? standing.currentLessonId && toId('les', standing.currentLessonId) : null,
    lessons: isShown ? seen.map(lesson => lessonView(lesson, known)) : [],
    at: asked.toISOString(),
    basis: restsOn(asked, now),
  }
}

/** Whether somebody has completed a lesson, with their enrollment as it stands. */
export const completionView = async (
  { db, school }: Where,
  row: EnrollmentRow,
  lessonId: string,
): Promise<Static<typeof LessonCompletion>> => {
  const done = await findCompletion(db, school.id, { memberId: row.member_id, lessonId })
  return {
    lesson_id: toId('les', lessonId),
    enrollment_id: toId('enr', row.id),
    completed_at: instant(done?.completed_at),
    completed_by: done?.completed_by ?? null,
    percent_complete: row.percent_complete,
    course_completed_at: instant(row.completed_at),
    current_lesson_id: row.current_lesson_id && toId('les', row.current_lesson_id),
  }
}
