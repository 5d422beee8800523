import type { Static } from 'typebox'
import { type LessonRow, listLessons } from '#src/areas/curriculum/index.ts'
import type { EnrollmentRow } from '#src/areas/enrollments/index.ts'
import type { HookPlace } from '#src/contract/hook.ts'
import { toId } from '#src/kit/ids.ts'
import { instant } from '#src/kit/instant.ts'
import { type LessonAvailability, readAvailability } from '../availability/lookups.ts'
import { availabilityView, basisOf } from '../availability/views.ts'
import type { CompletionRow } from '../completions/queries.ts'
import { listPositions } from '../positions/queries.ts'
import { progressAt, progressOf, seenLessons } from './rules.ts'
import type { Progress, ProgressLesson } from './schema.ts'

type Recorded = {
  readonly availability: LessonAvailability
  readonly completions: ReadonlyMap<string, CompletionRow>
  readonly positions: ReadonlyMap<string, number>
}

const lessonView = (
  lesson: LessonRow,
  { availability, completions, positions }: Recorded,
): Static<typeof ProgressLesson> => {
  const done = completions.get(lesson.id)
  return {
    lesson_id: toId('les', lesson.id),
    section_id: toId('sec', lesson.section_id),
    name: lesson.name,
    type: lesson.type,
    required_for_completion: lesson.required_for_completion,
    ...availabilityView(availability.byLesson.get(lesson.id)),
    completed_at: instant(done?.completed_at),
    completed_by: done?.completed_by ?? null,
    position_seconds: positions.get(lesson.id) ?? null,
  }
}

/**
 * How far somebody is in a course at an instant; unset: now. It is counted and not read from the enrollment. Of a course
 * that is not shown to them it has only the figures.
 */
export const progressView = async (
  { db, school }: HookPlace,
  row: EnrollmentRow,
  { at, isShown = true }: { readonly at?: Date | undefined; readonly isShown?: boolean } = {},
): Promise<Static<typeof Progress>> => {
  const learning = { memberId: row.member_id, courseId: row.course_id }
  const [lessons, availability, positions] = await Promise.all([
    listLessons(db, school.id, row.course_id),
    readAvailability({ db, school }, { ...learning, at }),
    listPositions(db, school.id, learning),
  ])
  const { at: asked, now, byLesson, completions: all } = availability
  const completions = progressAt(all, asked)
  const seen = seenLessons(lessons)
  const progress = progressOf(
    seen,
    id => completions.has(id),
    id => byLesson.get(id)?.is_open === true,
  )
  const recorded = {
    availability,
    completions,
    positions: new Map(positions.filter(one => one.noted_at <= asked).map(one => [one.lesson_id, one.seconds])),
  }
  return {
    enrollment_id: toId('enr', row.id),
    student_id: toId('mem', row.member_id),
    course_id: toId('crs', row.course_id),
    percent_complete: progress.percent,
    required_count: progress.required,
    completed_count: progress.done,
    completed_at: row.completed_at !== null && row.completed_at <= asked ? row.completed_at.toISOString() : null,
    current_lesson_id: isShown ? progress.currentLessonId && toId('les', progress.currentLessonId) : null,
    lessons: isShown ? seen.map(lesson => lessonView(lesson, recorded)) : [],
    at: asked.toISOString(),
    basis: basisOf(asked, now),
  }
}
