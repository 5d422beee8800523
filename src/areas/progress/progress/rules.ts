import type { LessonRow } from '#src/areas/curriculum/index.ts'
import { problem } from '#src/contract/problem.ts'
import type { Completion } from '../availability/rules.ts'
import type { EnrollmentProgress } from './queries.ts'

/** The lesson is completed by graded work. */
export const completedByWork = problem(
  409,
  'completed_by_work',
  'The lesson is completed by graded work',
  'A quiz is completed by passing it, an assignment by submitting work that is accepted. Only staff and lecturers of the course can override this.',
)

/** The properties of a lesson that matter for progress. */
type CountedLesson = Pick<LessonRow, 'id' | 'type' | 'required_for_completion'>

/** The lessons of a course that learners see, in their order. */
export const seenLessons = <Lesson extends Pick<LessonRow, 'status' | 'archived_at'>>(
  all: readonly Lesson[],
): Lesson[] => all.filter(({ status, archived_at }) => status === 'published' && archived_at === null)

/** The completions in force at an instant, by lesson. */
export const progressAt = <Row extends Completion>(completions: readonly Row[], at: Date): ReadonlyMap<string, Row> =>
  new Map(
    completions
      .filter(({ completed_at: from, undone_at: until }) => from <= at && (until === null || at < until))
      .map(row => [row.lesson_id, row]),
  )

/**
 * The progress of a member in a course, by the lessons that learners currently see. Only required lessons count, and a
 * course without required lessons cannot be completed.
 */
export const progressOf = (
  lessons: readonly CountedLesson[],
  isDone: (lessonId: string) => boolean,
  isOpen: (lessonId: string) => boolean,
): EnrollmentProgress & { readonly required: number; readonly done: number } => {
  const required = lessons.filter(lesson => lesson.required_for_completion)
  const done = required.filter(({ id }) => isDone(id)).length
  return {
    required: required.length,
    done,
    percent: required.length === 0 ? 0 : Math.floor((done * 100) / required.length),
    isComplete: required.length > 0 && done === required.length,
    currentLessonId: lessons.find(({ id }) => !isDone(id) && isOpen(id))?.id ?? null,
  }
}

/** Whether lessons of a type are completed by graded work and not by the learner. */
export const isCompletedByGrading = (contentType: LessonRow['type']): boolean =>
  contentType === 'quiz' || contentType === 'assignment'
