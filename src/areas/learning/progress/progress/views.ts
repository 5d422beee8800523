import type { Static } from 'typebox'
import { type LessonRow, listLessons } from '#src/areas/courses/index.ts'
import type { EnrollmentRow } from '#src/areas/learning/enrollments/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { type CourseAvailability, readAvailability } from '../availability/lookups.ts'
import { availabilityView, chooseBasis } from '../availability/views.ts'
import type { CompletionRow } from '../completions/queries.ts'
import { listPositions } from '../positions/queries.ts'
import { computeProgress, progressAt, seenLessons } from './rules.ts'
import type { Progress, ProgressLesson } from './schema.ts'

type Recorded = {
  readonly availability: CourseAvailability
  readonly completions: ReadonlyMap<string, CompletionRow>
  readonly positions: ReadonlyMap<string, number>
}

const lessonView = (
  lesson: LessonRow,
  { availability, completions, positions }: Recorded,
): Static<typeof ProgressLesson> => {
  const done = completions.get(lesson.id)
  return {
    lesson_id: lesson.id,
    section_id: lesson.section_id,
    name: lesson.name,
    type: lesson.type,
    required_for_completion: lesson.required_for_completion,
    ...availabilityView(availability.byLesson.get(lesson.id)),
    completed_at: done?.completed_at ?? null,
    completed_by: done?.completed_by ?? null,
    position_seconds: positions.get(lesson.id) ?? null,
  }
}

/**
 * The progress of a member in a course at an instant, by default now. It is computed, not read from the enrollment. For
 * a course that the member cannot see it has only the figures.
 */
export const progressView = async (
  { db, school }: SchoolContext,
  row: EnrollmentRow,
  { at, isVisible = true }: { readonly at?: Date | undefined; readonly isVisible?: boolean } = {},
): Promise<Static<typeof Progress>> => {
  const learning = { memberId: row.member_id, courseId: row.course_id }
  const [lessons, availability, positions] = await Promise.all([
    listLessons(db, school.id, row.course_id),
    readAvailability({ db, school }, { ...learning, at }),
    listPositions(db, school.id, learning),
  ])
  const { at: query, now, byLesson, completions: all } = availability
  const completions = progressAt(all, query)
  const seen = seenLessons(lessons)
  const progress = computeProgress(
    seen,
    id => completions.has(id),
    id => byLesson.get(id)?.is_open === true,
  )
  const recorded = {
    availability,
    completions,
    positions: new Map(positions.filter(one => one.noted_at <= query).map(one => [one.lesson_id, one.seconds])),
  }
  return {
    enrollment_id: row.id,
    student_id: row.member_id,
    course_id: row.course_id,
    percent_complete: progress.percent,
    required_count: progress.required,
    completed_count: progress.done,
    completed_at: row.completed_at !== null && row.completed_at <= query ? row.completed_at : null,
    current_lesson_id: isVisible ? progress.currentLessonId : null,
    lessons: isVisible ? seen.map(lesson => lessonView(lesson, recorded)) : [],
    at: query,
    basis: chooseBasis(query, now),
  }
}
